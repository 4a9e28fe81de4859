"""Numbers and places in the safe subset: every expression is checked and rebuilt."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping

from contienda.core.language import Text
from contienda.evaluation.safe_words import (
    ARITHMETIC,
    BUILTINS,
    COMPARISONS,
    CONSTANTS,
    DEEPEST,
    LARGEST_PLACE,
    MATH,
    MOST_PARTS,
    MOST_STEPS,
    OF_SEVERAL,
    RESERVED,
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

__all__ = ["Scope", "Values"]

_MATH_NAMES = ", ".join(MATH)


class Scope:
    """The names of a heuristic's file."""

    def __init__(self, helpers: Mapping[str, Helper | int]) -> None:
        self.there = set(helpers)
        """The names that come with the game."""
        self.helpers = {name: helper for name, helper in helpers.items() if isinstance(helper, Helper)}
        self.constants: dict[str, int | float] = {
            name: number for name, number in helpers.items() if not isinstance(number, Helper)
        }
        self.functions: dict[str, OwnFunction] = {}
        self.weights: dict[str, float] = {}

    def free(self, node: ast.AST, name: str, *, among: Collection[str] | None = None) -> str:
        """Return a name that the file may give to something; `Refused` if it is taken, ``among`` these helpers."""
        named(node, name)
        helpers = self.helpers if among is None else among
        if name in RESERVED or name in helpers or name in self.constants or name in self.functions:
            raise Refused(line_of(node), Text("the name {name} is taken: choose another", name=name))
        return name


class Values:
    """Reads the expressions of a function. Places on the board stay small integers, all other numbers are floats."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.loops: dict[str, tuple[int, int]] = {}
        """The loop variables in use that are places, with their least and largest value."""
        self.kinds: dict[str, str | None] = {}
        """The parameters, and the use of each."""
        self.depth = 0
        self.steps = 1
        self._called: set[str] = set()
        """The helpers called so far."""
        self._given: set[str] = set()
        """The names that the function assigns, whether they hide a helper or not."""

    def give(self, node: ast.AST, name: str) -> str:
        """Return a name that the function may assign: a helper's too, if it is not called here."""
        self.scope.free(node, name, among=self._called)
        self._given.add(name)
        return name

    def helper(self, name: str) -> Helper | None:
        """Return the helper of this name, if there is one here, and note that it is called."""
        helper = None if name in self._given else self.scope.helpers.get(name)
        if helper is not None:
            self._called.add(name)
        return helper

    def refuse_slow(self, node: ast.AST) -> None:
        if self.steps > MOST_STEPS:
            raise Refused(
                line_of(node), Text("this takes too long: more than {most} steps in one call", most=f"{MOST_STEPS:,}")
            )

    def deeper(self, node: ast.AST) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused(line_of(node), TOO_DEEP)

    # Numbers.

    def value(self, node: ast.expr, known: frozenset[str]) -> ast.expr:
        """Return an expression whose value is a number: built anew, in floats."""
        self.deeper(node)
        self.steps += 1
        made = ast.copy_location(self._built(node, known), node)
        self.depth -= 1
        return made

    def _built(self, node: ast.expr, known: frozenset[str]) -> ast.expr:
        match node:
            case ast.Constant(value=bool() as truth):
                return ast.Constant(truth)
            case ast.Constant():
                if (number := number_of(node)) is None:
                    raise Refused(line_of(node), Text("text is not allowed: a heuristic computes with numbers"))
                return ast.Constant(float(number))
            case ast.Name(id=name):
                return self._read(node, name, known)
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
                return ast.Constant(MATH[name])
            case ast.Attribute(value=ast.Name(id="weights"), attr=name) if "weights" in self.kinds:
                if name not in self.scope.weights:
                    raise Refused(
                        line_of(node),
                        Text('there is no weight {name!r}: declare it with @evaluator(weights={{"{name}": 1.0}})',
                             name=name[:40]),
                    )  # fmt: skip
                return ast.Attribute(ast.Name("weights", ast.Load()), name, ast.Load())
            case ast.Attribute():
                raise Refused(
                    line_of(node), Text("only math.NAME and weights.NAME have a dot: {names}", names=_MATH_NAMES)
                )
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not() as op, operand=operand):
                inner = self.value(operand, known)
                return ast.UnaryOp(op, inner if isinstance(op, ast.Not) else as_float(inner))
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
                return ast.BinOp(as_float(self.value(left, known)), op, as_float(self.value(right, known)))
            case ast.BoolOp(op=op, values=values):
                return ast.BoolOp(op, [as_float(self.value(value, known)) for value in values])
            case ast.Compare(left=left, ops=ops, comparators=others) if all(isinstance(op, COMPARISONS) for op in ops):
                compared = [as_float(self.value(other, known)) for other in others]
                return ast.Compare(as_float(self.value(left, known)), ops, compared)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                either = as_float(self.value(body, known)), as_float(self.value(orelse, known))
                return ast.IfExp(self.value(test, known), *either)
            case ast.Call():
                return self._call(node, known)
            case ast.BinOp() | ast.UnaryOp():
                raise Refused(line_of(node), Text("the operators are + - * / // % **"))
            case ast.Compare():
                raise Refused(line_of(node), Text("the comparisons are < <= > >= == !="))
        raise refusal(node)

    def _read(self, node: ast.expr, name: str, known: frozenset[str]) -> ast.expr:
        if name in self.scope.constants:
            return ast.Constant(float(self.scope.constants[name]))
        if name in self.kinds:
            self._use(node, name, "number")
        elif name not in self.loops and name not in known:
            raise self._unknown(node, name)
        return ast.Name(name, ast.Load())

    def _unknown(self, node: ast.AST, name: str) -> Refused:
        named(node, name)
        if name in self.scope.helpers or name in self.scope.functions or name in BUILTINS or name in OF_SEVERAL:
            return Refused(line_of(node), Text("{name} is a function: write {name}(…)", name=name))
        return Refused(
            line_of(node), Text("the name {name} has no value here; there are {known}", name=name, known=self._there())
        )

    def _there(self) -> str:
        return ", ".join((*self.scope.helpers, *self.scope.functions, *BUILTINS, "sum", "range", "math"))

    def _use(self, node: ast.AST, name: str, kind: str) -> None:
        """Note that a parameter is the board, the weights, a number or a place, which serves as a number too."""
        before = self.kinds[name]
        if {before, kind} == {"number", "place"}:
            kind = "place"
        elif before is not None and before != kind:
            raise Refused(line_of(node), Text("{name} is used as two different things", name=name))
        self.kinds[name] = kind

    def _call(self, node: ast.Call, known: frozenset[str]) -> ast.expr:
        arguments = node.args
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in arguments):
            raise Refused(line_of(node), Text("arguments are written without their names and without *"))
        match node.func:
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in MATH and name not in CONSTANTS:
                self._expect(node, f"math.{name}", len(arguments), int(MATH[name]))
                numbers = [as_float(self.value(argument, known)) for argument in arguments]
                return ast.Call(ast.Name(f"_math_{name}", ast.Load()), numbers, [])
            case ast.Attribute():
                raise Refused(
                    line_of(node), Text("only math.NAME and weights.NAME have a dot: {names}", names=_MATH_NAMES)
                )
            case ast.Name(id=name):
                pass
            case _:
                raise Refused(line_of(node), Text("only functions that have a name can be called"))
        if name in OF_SEVERAL and len(arguments) == 1 and isinstance(arguments[0], ast.Call):
            several, made = self.several_of(arguments[0], known)
            self.steps += several
            return ast.Call(ast.Name(name, ast.Load()), [made], [])
        if name in BUILTINS:
            new, count = BUILTINS[name]
            if count < 0 and not 2 <= len(arguments) <= MOST_PARTS:
                raise Refused(line_of(node), Text("{name}() takes 2 to {most} numbers", name=name, most=MOST_PARTS))
            if count > 0:
                self._expect(node, name, len(arguments), count)
            return ast.Call(ast.Name(new, ast.Load()), [as_float(self.value(each, known)) for each in arguments], [])
        if self.helper(name) is not None:
            if self.scope.helpers[name].several:
                raise Refused(
                    line_of(node),
                    Text("{name}() returns several numbers: write for NAME in {name}(…), or max({name}(…))", name=name),
                )
            return self._helped(node, name, known)
        if name in self.scope.functions:
            return self._own(node, name, known)
        raise self._unknown(node.func, name)

    def _expect(self, node: ast.AST, name: str, count: int, wanted: int) -> None:
        if count != wanted:
            raise Refused(
                line_of(node),
                Text("{name}() takes {wanted} arguments, not {count}", name=name, wanted=wanted, count=count),
            )

    def _own(self, node: ast.Call, name: str, known: frozenset[str]) -> ast.expr:
        """A call of a function above."""
        called = self.scope.functions[name]
        self._expect(node, name, len(node.args), len(called.parameters))
        made: list[ast.expr] = []
        for argument, kind in zip(node.args, called.kinds, strict=True):
            if kind in ("board", "weights"):
                made.append(self._passed(argument, kind))
            elif kind == "place":
                made.append(self.place(argument, known))
            elif isinstance(argument, ast.Name) and kind == "any":  # never used there; possibly the board
                made.append(ast.Constant(0.0))
            else:
                made.append(as_float(self.value(argument, known)))
        self.steps += called.steps
        self.refuse_slow(node)
        return ast.Call(ast.Name(name, ast.Load()), made, [])

    def _passed(self, node: ast.expr, kind: str) -> ast.Name:
        if not isinstance(node, ast.Name) or node.id not in self.kinds:
            raise Refused(line_of(node), Text("this argument must be the board or weights, as the function got it"))
        self._use(node, node.id, kind)
        return ast.Name(node.id, ast.Load())

    def several_of(self, node: ast.Call, known: frozenset[str]) -> tuple[int, ast.expr]:
        """A helper that returns several numbers."""
        match node:
            case ast.Call(func=ast.Name(id=name), keywords=[]) if (
                helper := self.helper(name)
            ) is not None and helper.several:
                self.steps += helper.several
                return helper.several, self._helped(node, name, known)
        raise Refused(line_of(node), Text("write a helper here that returns several numbers, if this game has one"))

    def _helped(self, node: ast.Call, name: str, known: frozenset[str]) -> ast.expr:
        helper = self.scope.helpers[name]
        self._expect(node, name, len(node.args), 1 + helper.places)
        made = [self._passed(node.args[0], "board"), *(self.place(each, known) for each in node.args[1:])]
        return ast.Call(ast.Name(name, ast.Load()), made, [])

    # Places on the board.

    def place(self, node: ast.expr, known: frozenset[str]) -> ast.expr:
        """Return a place on the board: it remains a small integer."""
        if sum(1 for each in ast.walk(node) if isinstance(each, ast.expr)) > MOST_PARTS:
            raise Refused(line_of(node), Text("a place on the board has at most {most} parts", most=MOST_PARTS))
        return self._whole(node, known)

    def _whole(self, node: ast.expr, known: frozenset[str]) -> ast.expr:
        self.steps += 1
        number = number_of(node)
        if type(number) is int and abs(number) <= LARGEST_PLACE:
            return ast.Constant(number)
        match node:
            case ast.Name(id=name) if name in self.loops:
                return ast.Name(name, ast.Load())
            case ast.Name(id=name) if type(value := self.scope.constants.get(name)) is int:
                if abs(value) <= LARGEST_PLACE:
                    return ast.Constant(value)
            case ast.Name(id=name) if name in self.kinds:
                self._use(node, name, "place")
                return ast.Name(name, ast.Load())
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ast.UnaryOp(ast.USub(), self._whole(operand, known))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                return ast.BinOp(self._whole(left, known), op, self._whole(right, known))
            case ast.BinOp(left=left, op=ast.Mod() | ast.FloorDiv() as op, right=right):
                divisor = number_of(right)
                if type(divisor) is int and 1 <= divisor <= LARGEST_PLACE:
                    return ast.BinOp(self._whole(left, known), op, ast.Constant(divisor))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                either = self._whole(body, known), self._whole(orelse, known)
                return ast.IfExp(self.value(test, known), *either)
            case ast.Call(func=ast.Name(id=name)) if (helper := self.helper(name)) and helper.fixed is not None:
                return self._helped(node, name, known)
        raise Refused(
            line_of(node),
            Text("a place on the board is a whole number up to {most}, a name of a loop or of a parameter, or these "
                 "with + and -, % and // by a number", most=LARGEST_PLACE),
        )  # fmt: skip
