"""Checks a heuristic against the safe subset of Python, on its syntax tree: docs/en/safe-heuristics.md is the grammar.

The text itself is never compiled: only a new tree is, built from what was recognised here. Values are
computed with floats, places on the board with small integers whose size is known beforehand, so no integer overflows.
All loops are bounded: `check` also counts the steps that one call can take at most. Nothing is run here.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contienda.core.language import Text
from contienda.core.syntax import parse_python
from contienda.evaluation.safe_values import Scope, Values
from contienda.evaluation.safe_words import (
    ARITHMETIC,
    DEEPEST,
    LARGEST_PLACE,
    MOST_CHARACTERS,
    MOST_FUNCTIONS,
    MOST_NODES,
    MOST_WEIGHTS,
    TOO_DEEP,
    Helper,
    OwnFunction,
    Refused,
    as_float,
    line_of,
    named,
    number_of,
    refusal,
)

__all__ = ["Checked", "check"]

#: The names that have a value when a statement is reached; None if it is unreachable.
_Known = frozenset[str] | None


class Checked(NamedTuple):
    """A heuristic in the safe subset."""

    tree: ast.Module
    """The rebuilt tree. It calls `math_NAME`, ``_trunc`` and the like as names: see `contienda.evaluation.safe`."""
    name: str
    """The last function: the heuristic."""
    weights: dict[str, float]
    floor: float
    steps: int
    """The most steps of one call."""


def check(text: str, module: str, helpers: Mapping[str, Helper | int]) -> Checked:
    """Return a heuristic that has been checked; `Refused` for the first thing that is not in the safe subset.

    ``module`` is the place of the helpers, or of numbers beside them, which ``from … import`` may name: such lines are
    read and never run.
    """
    if len(text) > MOST_CHARACTERS:
        raise Refused(1, Text("the code is longer than {most} characters", most=MOST_CHARACTERS))
    _refuse_deep(text)
    try:
        tree = parse_python(text)
    except SyntaxError as error:
        raise Refused(error.lineno or 1, Text("syntax error: {told}", told=error.msg)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Refused(1, Text("syntax error: {told}", told=str(error) or "too deep")) from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise Refused(1, Text("the code is too long: it has more than {most} parts", most=MOST_NODES))
    return _File(module, helpers).read(tree)


def _refuse_deep(text: str) -> None:
    """Refuse what could exhaust the parser's stack: it counts brackets and signs in a row, in comments too."""
    depth = 0
    for number, line in enumerate(text.split("\n"), start=1):
        for character in line:
            depth = max(depth + (character in "([{") - (character in ")]}"), 0)
            if depth > DEEPEST:
                raise Refused(number, TOO_DEEP)
        if len(line) > 1000 or re.search(r"(?:[-+~]\s*|\bnot\s+|\blambda\s*:\s*){20}", line):
            raise Refused(number, Text("the line is too long, or has too many signs in a row"))


# --- The file --------------------------------------------------------------------------------------------------------


class _File:
    """Reads the statements of a file in their order."""

    def __init__(self, module: str, helpers: Mapping[str, Helper | int]) -> None:
        self._module = module
        self._scope = Scope(helpers)
        self._floor = -math.inf
        self._body: list[ast.stmt] = []

    def read(self, tree: ast.Module) -> Checked:
        for place, statement in enumerate(tree.body):
            if place == 0 and _is_docstring(statement):
                continue
            match statement:
                case ast.Import() | ast.ImportFrom():
                    self._pass_over(statement)
                case ast.Assign(targets=[ast.Name(id=name)]):
                    self._constant(statement, name)
                case ast.FunctionDef():
                    self._function(statement)
                case ast.Assign() | ast.AugAssign() | ast.If() | ast.For():
                    raise Refused(line_of(statement), Text("outside functions only NAME = number is allowed"))
                case _:
                    raise refusal(statement)
        if not self._scope.functions:
            raise Refused(1, Text("the code has no function; write def NAME(board, weights):"))
        name, last = next(reversed(self._scope.functions.items()))
        if len(last.parameters) != 2 or last.kinds[0] not in ("board", "any") or last.kinds[1] not in _WEIGHTS_KINDS:
            line = next(line_of(s) for s in tree.body if isinstance(s, ast.FunctionDef) and s.name == name)
            raise Refused(
                line, Text("the last function is the heuristic: write def {name}(board, weights):", name=name)
            )
        module = ast.Module(self._body, [])
        return Checked(ast.fix_missing_locations(module), name, self._scope.weights, self._floor, last.steps)

    def _pass_over(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Accept an import of names that are available anyway."""
        names = {alias.name for alias in statement.names if alias.asname is None}
        if len(names) == len(statement.names):
            if isinstance(statement, ast.Import):
                if names == {"math"}:
                    return
            elif not statement.level:
                there = {self._module: self._scope.there, "contienda.evaluation.custom": {"evaluator"}}
                if names <= there.get(statement.module or "", set()):
                    return
        raise refusal(statement)

    def _constant(self, statement: ast.Assign, name: str) -> None:
        value = number_of(statement.value)
        if value is None:
            raise Refused(line_of(statement), Text("outside functions only NAME = number is allowed"))
        self._scope.constants[self._scope.free(statement, name)] = value

    def _function(self, node: ast.FunctionDef) -> None:
        self._scope.free(node, node.name)
        if len(self._scope.functions) >= MOST_FUNCTIONS:
            raise Refused(line_of(node), Text("there are more than {most} functions", most=MOST_FUNCTIONS))
        self._scope.weights, self._floor = {}, -math.inf  # the steps of the last function count
        for decorator in node.decorator_list:
            self._declaration(decorator)
        arguments = node.args
        if (
            arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults
        ):  # fmt: skip
            raise Refused(line_of(node), Text("a function takes plain names only: def NAME(board, weights):"))
        function = _Function(self._scope, node)
        made = function.read()
        self._body.append(made)
        self._scope.functions[node.name] = OwnFunction(
            tuple(function.kinds), tuple(kind or "any" for kind in function.kinds.values()), function.steps
        )

    def _declaration(self, node: ast.expr) -> None:
        """Read ``@evaluator(weights={…}, floor=…)``."""
        match node:
            case ast.Call(func=ast.Name(id="evaluator"), args=[], keywords=keywords):
                for each in keywords:
                    if each.arg == "weights" and isinstance(each.value, ast.Dict):
                        self._scope.weights = self._weights(each.value)
                    elif each.arg == "floor" and (floor := number_of(each.value)) is not None:
                        self._floor = float(floor)
                    else:
                        break
                else:
                    return
        raise Refused(line_of(node), Text('the only decorator is @evaluator(weights={{"name": 1.0}}, floor=0.0)'))

    def _weights(self, node: ast.Dict) -> dict[str, float]:
        found: dict[str, float] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            number = number_of(value)
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str) or number is None:
                raise Refused(line_of(node), Text('weights are written {{"name": 1.0}}'))
            found[named(key, key.value)] = float(number)
        if len(found) > MOST_WEIGHTS:
            raise Refused(line_of(node), Text("there are more than {most} weights", most=MOST_WEIGHTS))
        return found


_WEIGHTS_KINDS = ("weights", "any")


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


# --- A function ------------------------------------------------------------------------------------------------------


class _Function(Values):
    """Reads one function and rebuilds it."""

    def __init__(self, scope: Scope, node: ast.FunctionDef) -> None:
        super().__init__(scope)
        self._node = node
        self._read_only: set[str] = set()
        self._inside = 0
        """How many loops are around a statement."""
        for argument in node.args.args:
            if argument.arg in self.kinds:
                raise Refused(line_of(node), Text("the name {name} is taken: choose another", name=argument.arg))
            name = argument.arg if argument.arg == "weights" else self.give(argument, argument.arg)
            self.kinds[name] = name if name in ("board", "weights") else None

    def read(self) -> ast.FunctionDef:
        node = self._node
        body = node.body[1:] if _is_docstring(node.body[0]) else node.body
        made, known = self._block(body, frozenset())
        if known is not None:
            raise Refused(line_of(node), Text("{name} must always return a number: end it with return", name=node.name))
        parameters = ast.arguments([], [ast.arg(name) for name in self.kinds], None, [], [], None, [])
        return ast.copy_location(ast.FunctionDef(node.name, parameters, made, [], None, None), node)

    # Statements.

    def _block(self, statements: Sequence[ast.stmt], known: _Known) -> tuple[list[ast.stmt], _Known]:
        self.deeper(statements[0] if statements else self._node)
        made: list[ast.stmt] = []
        for statement in statements:
            if known is None:
                raise Refused(line_of(statement), Text("this line is never reached"))
            self.steps += 1
            new, known = self._statement(statement, known)
            made.append(ast.copy_location(new, statement))
        self.depth -= 1
        return made or [ast.copy_location(ast.Pass(), self._node)], known

    def _statement(self, node: ast.stmt, known: frozenset[str]) -> tuple[ast.stmt, _Known]:
        match node:
            case ast.Pass():
                return ast.Pass(), known
            case ast.Break() if self._inside:
                return ast.Break(), None
            case ast.Continue() if self._inside:
                return ast.Continue(), None
            case ast.Return(value=value) if value is not None:
                return ast.Return(as_float(self.value(value, known))), None
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made = as_float(self.value(value, known))
                return ast.Assign([self._store(node, name)], made), known | {name}
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call() as call):
                return self._unpack(node, targets, call, known)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value) if isinstance(op, ARITHMETIC):
                old = self.value(ast.copy_location(ast.Name(name, ast.Load()), node), known)
                made = ast.BinOp(as_float(old), op, as_float(self.value(value, known)))
                return ast.Assign([self._store(node, name)], made), known
            case ast.If(test=test, body=body, orelse=orelse):
                asked = self.value(test, known)
                first, then = self._block(body, known)
                second, otherwise = self._block(orelse, known) if orelse else ([], known)
                after = then if otherwise is None else otherwise if then is None else then & otherwise
                return ast.If(asked, first, second), after
            case ast.For(target=ast.Name(id=name), orelse=[]):
                return self._loop(node, name, known), known
        raise refusal(node)

    def _store(self, node: ast.AST, name: str) -> ast.Name:
        if name in self.kinds or name in self._read_only:
            raise Refused(line_of(node), Text("{name} cannot be assigned to: choose another name", name=name))
        return ast.Name(self.give(node, name), ast.Store())

    def _unpack(
        self, node: ast.stmt, targets: Sequence[ast.expr], call: ast.Call, known: frozenset[str]
    ) -> tuple[ast.stmt, _Known]:
        several, made = self.several_of(call, known)
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if len(names) != len(targets) or len(set(names)) != several or len(names) != several:
            raise Refused(
                line_of(node), Text("this helper returns {several} numbers: give each its own name", several=several)
            )
        stored: list[ast.expr] = [self._store(node, name) for name in names]
        return ast.Assign([ast.Tuple(stored, ast.Store())], made), known | set(names)

    def _loop(self, node: ast.For, name: str, known: frozenset[str]) -> ast.For:
        if name in known:
            raise Refused(line_of(node), Text("{name} cannot be assigned to: choose another name", name=name))
        target = self._store(node, name)
        walked, times, ends = self._walked(node.iter, known)
        self._read_only.add(name)
        if ends is not None:
            self.loops[name] = ends
        before, self.steps = self.steps, 0
        self._inside += 1
        body, _ = self._block(node.body, known if ends is not None else known | {name})
        self._inside -= 1
        self.steps = before + times * (self.steps + 1)
        self.refuse_slow(node)
        self._read_only.discard(name)
        self.loops.pop(name, None)
        return ast.For(target, walked, body, [])

    def _walked(self, node: ast.expr, known: frozenset[str]) -> tuple[ast.expr, int, tuple[int, int] | None]:
        """Return what a loop iterates over, the most iterations, and the least and largest value if it iterates over
        places."""
        match node:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]) if 1 <= len(arguments) <= 3:
                return self._range(node, arguments, known)
            case ast.Tuple(elts=elements) if elements:
                places = [number_of(element) for element in elements]
                if all(type(place) is int and abs(place) <= LARGEST_PLACE for place in places):
                    written: list[ast.expr] = [ast.Constant(place) for place in places]
                    whole = [int(place) for place in places if place is not None]
                    return ast.Tuple(written, ast.Load()), len(places), (min(whole), max(whole))
                made: list[ast.expr] = [as_float(self.value(element, known)) for element in elements]
                return ast.Tuple(made, ast.Load()), len(made), None
            case ast.Call():
                several, call = self.several_of(node, known)
                return call, several, None
        raise Refused(
            line_of(node), Text("a for loop goes through range(…), a helper that returns several numbers, or (…)")
        )

    def _range(
        self, node: ast.expr, arguments: Sequence[ast.expr], known: frozenset[str]
    ) -> tuple[ast.expr, int, tuple[int, int]]:
        step = 1
        if len(arguments) == 3:
            written = number_of(arguments[2])
            if type(written) is not int or not 1 <= abs(written) <= LARGEST_PLACE:
                raise Refused(line_of(node), Text("the step of range() is a whole number, from 1 or from -1 on"))
            step = written
        first, last = ((0, 0), self._ends(arguments[0])) if len(arguments) == 1 else map(self._ends, arguments[:2])
        times = max(0, last[1] - first[0]) if step > 0 else max(0, first[1] - last[0])
        ends = (first[0], max(last[1] - 1, first[0])) if step > 0 else (min(last[0] + 1, first[1]), first[1])
        made = [self.place(argument, known) for argument in arguments[:2]]
        if len(arguments) == 3:
            made.append(ast.Constant(step))
        return ast.Call(ast.Name("range", ast.Load()), made, []), -(-times // abs(step)), ends

    def _ends(self, node: ast.expr) -> tuple[int, int]:
        """Return the least and the largest value of a whole number that is known before the search."""
        number = number_of(node)
        if type(number) is int and abs(number) <= LARGEST_PLACE:
            return number, number
        match node:
            case ast.Name(id=name) if name in self.loops:
                return self.loops[name]
            case ast.Name(id=name) if type(value := self.scope.constants.get(name)) is int:
                if abs(value) <= LARGEST_PLACE:
                    return value, value
            case ast.Call(func=ast.Name(id=name)) if (helper := self.helper(name)) and helper.fixed is not None:
                return helper.fixed, helper.fixed
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                (a, b), (c, d) = self._ends(left), self._ends(right)
                return a + c, b + d
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                (a, b), (c, d) = self._ends(left), self._ends(right)
                return a - d, b - c
        raise Refused(
            line_of(node),
            Text("range() takes numbers that are known beforehand: whole numbers up to {most}, names of outer loops, "
                 "and their sums and differences", most=LARGEST_PLACE),
        )  # fmt: skip
