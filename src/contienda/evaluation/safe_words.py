"""The contents, limits and error messages of the safe subset, for `contienda.evaluation.whitelist`."""

from __future__ import annotations

import ast
import keyword
import math
import re
from typing import NamedTuple

from contienda.core.language import BadInput, Text

#: The largest source, tree and nesting; how many functions and weights; and the steps of one call, which take some
#: hundredths of a millisecond. A heuristic that looks at all neighbours of all cells of 2048 takes about 3,000.
MOST_CHARACTERS, MOST_NODES, DEEPEST, MOST_FUNCTIONS, MOST_WEIGHTS, MOST_STEPS = 20_000, 3_000, 40, 10, 50, 200_000
#: The largest number; the largest in a place on the board, and the most parts of such a place.
LARGEST, LARGEST_PLACE, MOST_PARTS = 10**12, 64, 16

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")

#: The names allowed after ``math.``; for functions, the number of arguments.
MATH: dict[str, int | float] = {
    "pi": math.pi, "e": math.e, "sqrt": 1, "exp": 1, "log": 1, "log2": 1, "log10": 1, "sin": 1, "cos": 1, "tan": 1,
    "atan": 1, "tanh": 1, "fabs": 1, "floor": 1, "ceil": 1, "trunc": 1, "hypot": 2, "atan2": 2,
}  # fmt: skip
CONSTANTS = frozenset(("pi", "e"))
#: Python's own functions that may be called: in the tree built anew, and with how many numbers. -1: two or more.
BUILTINS = {"abs": ("abs", 1), "float": ("float", 1), "int": ("_trunc", 1), "round": ("_round", 1)} | {
    name: (name, -1) for name in ("min", "max")
}
OF_SEVERAL = frozenset(("min", "max", "sum"))
RESERVED = frozenset((*BUILTINS, *OF_SEVERAL, "range", "math", "weights", "evaluator"))

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)

#: Common constructs outside the subset, and the messages about them.
_KNOWN: dict[type[ast.AST], Text] = {
    ast.While: Text("while is not allowed: write for NAME in range(…)"),
    ast.Import: Text("import is not allowed: math and the helpers are there without it"),
    ast.ImportFrom: Text("import is not allowed: math and the helpers are there without it"),
    ast.Subscript: Text("indexing with [ ] is not allowed: read the board with the helpers"),
    ast.List: Text("lists are not allowed: use numbers and the helpers"),
    ast.Dict: Text("dictionaries are not allowed: use numbers and the helpers"),
    ast.Set: Text("sets are not allowed: use numbers and the helpers"),
    ast.Tuple: Text("tuples are only allowed in for NAME in (…)"),
    ast.ListComp: Text("comprehensions are not allowed: write a for loop"),
    ast.SetComp: Text("comprehensions are not allowed: write a for loop"),
    ast.DictComp: Text("comprehensions are not allowed: write a for loop"),
    ast.GeneratorExp: Text("comprehensions are not allowed: write a for loop"),
    ast.Lambda: Text("lambda is not allowed: write def NAME(…)"),
    ast.ClassDef: Text("classes are not allowed: write functions"),
    ast.JoinedStr: Text("text is not allowed: a heuristic computes with numbers"),
    ast.NamedExpr: Text(":= is not allowed: write an assignment on a line of its own"),
    ast.Starred: Text("* before an argument is not allowed: write each argument"),
    ast.Break: Text("break is only allowed in a loop"),
    ast.Continue: Text("continue is only allowed in a loop"),
    ast.FunctionDef: Text("a function inside another is not allowed: write it above"),
    ast.Expr: Text("this line has no effect: assign its value to a name, or delete it"),
}


class Refused(BadInput):
    """Something outside the safe subset, with its line."""

    def __init__(self, line: int, reason: Text) -> None:
        super().__init__(Text("line {line}: {reason}", line=line, reason=reason))
        self.line = line
        self.reason = reason


class Helper(NamedTuple):
    """A function that reads the board."""

    places: int
    """How many whole numbers it takes after the board."""
    several: int = 0
    """How many numbers it returns at once; 0 for a single number."""
    fixed: int | None = None
    """Its constant result for this game, such as the number of rows."""


class OwnFunction(NamedTuple):
    """A function of the heuristic's file."""

    parameters: tuple[str, ...]
    kinds: tuple[str, ...]
    """``board``, ``weights``, ``place`` or ``number``."""
    steps: int


TOO_DEEP = Text("nested deeper than {depth} levels", depth=DEEPEST)


def line_of(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


def refusal(node: ast.AST) -> Refused:
    kind = type(node).__name__
    return Refused(line_of(node), _KNOWN.get(type(node)) or Text("{kind} is not allowed in the safe subset", kind=kind))


def number_of(node: ast.AST) -> int | float | None:
    """Return the literal number in an expression, with its sign; None if it is not one."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not abs(value) <= LARGEST:
        raise Refused(line_of(node), Text("the number is larger than {most}", most=f"{LARGEST:,}"))
    return sign * value


def named(node: ast.AST, name: str) -> str:
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise Refused(
            line_of(node),
            Text("the name {name!r} is not allowed: names begin with a letter, and have only letters without accents, "
                 "digits and _", name=name[:40]),
        )  # fmt: skip
    return name


def as_float(made: ast.expr) -> ast.expr:
    """Return an expression that is a float: arithmetic never meets two integers, nor a truth value."""
    match made:
        case ast.Constant(value=bool() as truth):
            return ast.copy_location(ast.Constant(float(truth)), made)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return ast.copy_location(ast.IfExp(made, ast.Constant(1.0), ast.Constant(0.0)), made)
        case ast.Constant() | ast.BinOp() | ast.BoolOp() | ast.IfExp():
            return made
        case ast.Call(func=ast.Name(id=name)) if name == "float" or name.startswith("_"):
            return made
    return ast.copy_location(ast.Call(ast.Name("float", ast.Load()), [made], []), made)
