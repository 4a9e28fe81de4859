"""The safe subset of Python for pupils' heuristics: what is in it, what is refused and where, and attacks on it."""

from __future__ import annotations

import ast
import sys

import numpy as np
import pytest
from heuristics import WILD, WILD_LINES, Programs

from contienda.compiled.rng import generator
from contienda.core.evaluator import weights_record
from contienda.core.language import BadInput
from contienda.evaluation.custom import load_custom
from contienda.evaluation.safe import _NAMESPACE, _functions, check_for, load_safe
from contienda.evaluation.safe_words import Refused
from contienda.games import make_game

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"
WHOLE = """import math
from contienda.games.g2048.helpers import empty, tile

CORNER = 3.5


def smooth(board, i):
    # Ordinary Python.
    total = 0
    first, second, third, fourth = row(board, i)
    for t in row(board, i):
        total -= abs(t - first) / (1 + i)
    for j in range(1, columns(board)):
        if tile(board, i, j) == 0:
            continue
        total += math.log2(tile(board, i, j)) if j % 2 == 0 else int(1.5)
    return total + fourth + max(row(board, i)) + sum(column(board, 3 - i))


@evaluator(weights={"room": 10.0})
def mine(board, weights):
    \"\"\"It says what it does.\"\"\"
    value = CORNER + weights.room * empty(board) ** 2
    for i in range(rows(board)):
        value += smooth(board, i)
    for r in (0, 3):
        value += 500 * (tile(board, r, 0) == largest(board))
    return value
"""


@pytest.fixture(scope="module")
def game():
    return make_game("2048")


def refused(source, game):
    with pytest.raises(Refused) as told:
        check_for(source, game)
    assert "\n" not in str(told.value)
    return told.value


def test_what_is_allowed_computes_what_python_computes(game, tmp_path):
    """The same file, read as all of Python and as the safe subset, has the same value."""
    imports = "from contienda.games.g2048.helpers import *\nfrom contienda.evaluation.custom import evaluator\n"
    variables = {}
    exec(imports + WHOLE, variables)
    state, record = game.parse(BOARD), weights_record({"room": 5.0})
    expected = variables["mine"](state, record)
    path = tmp_path / "mine.safe.py"
    path.write_text(WHOLE, encoding="utf-8")
    safe = load_safe(f"{path}:mine", game)
    assert safe.function(state, record) == pytest.approx(expected, rel=1e-12)
    assert safe.checked.weights == {"room": 10.0}


def test_a_file_named_safe_is_read_in_no_other_way(game, tmp_path):
    harm = tmp_path / "harm"
    path = tmp_path / "mine.safe.py"
    path.write_text(f"open({str(harm)!r}, 'w')\ndef mine(board, weights):\n    return 1.0\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"mine\.safe\.py:1: this line has no effect") as told:
        load_custom(f"{path}:mine", game, {})
    assert told.value.line == 1
    assert not harm.exists()


def test_loops_know_the_size_of_the_board():
    source = "def mine(board, weights):\n    x = 0\n    for i in range(rows(board)):\n        x += 1\n    return x\n"
    few, many = (check_for(source, make_game(f"connect4:rows={rows}")).steps for rows in (4, 6))
    assert few < many


def test_a_name_may_be_a_helper_s_where_that_is_not_called(game):
    loop = "    x = 0\n    for row in range(4):\n        x += tile(board, row, 0)\n    return x\n"
    source = "def mine(board, weights):\n" + loop
    assert check_for(source, game).name == "mine"
    both = source.replace("x = 0", "x = max(row(board, 0))")
    assert "the name row is taken" in str(refused(both, game))
    assert refused(source.replace("return x", "return max(row(board, 0))"), game).line == 5


def test_every_example_that_the_app_offers_is_in_the_safe_subset():
    for name in ("2048", "connect4", "einstein", "othello", "tictactoe"):
        offered = make_game(name)
        assert check_for(offered.example_evaluator, offered).name == "mine"


def test_a_game_without_helpers_takes_none():
    with pytest.raises(BadInput, match="no helpers"):
        check_for("def f(state, weights):\n    return 1.0\n", make_game("tree", "max[1 2]"))


ONE = "def f(board, weights):\n    {}\n    return 1.0\n"


@pytest.mark.parametrize("wild", WILD)
def test_an_expression_outside_the_subset_is_refused_at_its_line(game, wild):
    assert refused(ONE.format(f"x = {wild}"), game).line == 2


@pytest.mark.parametrize("wild", [line for line in WILD_LINES if line not in ("pass; pass",)])
def test_a_statement_outside_the_subset_is_refused_at_its_line(game, wild):
    assert 1 <= refused(ONE.format(wild), game).line <= 4


#: Ways out of a sandbox that people have found, in Python's own and in others' (CTFs, RestrictedPython, asteval).
ESCAPES = [
    "x = ().__class__.__bases__[0].__subclasses__()",
    "x = ''.__class__.__mro__[1].__subclasses__()[40]('/etc/passwd').read()",
    "x = (lambda f: f.__globals__)(tile)",
    "x = tile.__globals__['__builtins__']",
    "x = tile.py_func.__globals__",
    "x = math.__loader__.load_module('os')",
    "x = '{0.__class__}'.format(board)",
    "x = f'{board.__class__.__init__.__globals__}'",
    "x = (i for i in ()).gi_frame.f_back.f_back.f_globals",
    "x = [g.gi_frame.f_back for g in [(g for g in ())]]",
    "x = weights.dtype.type.__subclasses__",
    "x = board._replace.__func__.__globals__",
    "x = getattr(board, 'cells')",
    "x = type(board)",
    "x = vars()",
    "x = globals()",
    "x = __builtins__",
    "x = __builtins__.__dict__['__import__']('os')",
    "x = breakpoint()",
    "x = help()",
    "x = input()",
    "x = compile('1', '', 'eval')",
    "x = exec('import os')",
    "x = open('/etc/passwd')",
    "@print\n    def g(): pass",
    "try:\n        x = 1 / 0\n    except Exception as e:\n        x = e.__traceback__.tb_frame",
    "with open('x') as g: pass",
    "import os as math",
    "from os import *",
    "from contienda.games.g2048.helpers import njit",
    "from contienda.games.g2048.helpers import tile as math",
    "from . import os",
    "class A(board.__class__): pass",
    "async def g(): await board",
    "x = 𝓮𝓿𝓪𝓵('1')",
    "x = math.ｐｉ.__class__",
    "x = 'a' * 10 ** 10",
    "x = 1 << 10 ** 10",
    "x = [0] * 10 ** 10",
    "x = (1,) * 10 ** 10",
    "x = range(10 ** 18)[-1]",
    "x = sum(range(10 ** 12))",
    "for i in range(64):\n        for j in range(64):\n            for k in range(64):\n                x = 1",
    "for i in range(weights.n): pass",
    "for i in range(empty(board)): pass",
    "x = 99999999999999999999",
    "x = 1_000_000_000_000_000",
    "x = 0xFFFFFFFFFFFFFFFFFF",
    "x = 1e309",
    "x = f(board, weights)",
    "global tile\n    tile = board",
    "x: __import__('os') = 1",
    "def g(a=open('x')): pass",
    "x = tile(board, 0, 2 ** 62)",
    "x = tile(board, 0, 64 * 64)",
    "x = tile(board, 0, int(1e300))",
    "x = tile(0, 0, 0)",
    "x = tile(weights, 0, 0)",
    "x = board + 1",
    "x = weights if 1 else board",
    "x = -board",
    "x = max(board)",
    "x = max(board, board)",
    "x = sum(board)",
    "return board",
    "del tile",
    "x = yield",
    "x = '\\N{BULLET}'",
    "x = \"\"\"\n\"\"\"",
    "x = 1; import os",
    "if True: import os",
    "x = 1 if __import__('os') else 2",
    "x = {**board}",
    "x = [*board]",
    "x = print",
    "_trunc = 1",
    "x = _trunc(1)",
    "x = _math_log(1)",
    "math = weights",
    "weights = board",
    "evaluator = 1",
    "x = evaluator()",
    "x = math",
    "x = math.inf",
    "x = math.nan",
    "x = math.factorial(10 ** 9)",
    "x = math.pow(1, 2)",
]  # fmt: skip


@pytest.mark.parametrize("escape", ESCAPES)
def test_known_ways_out_of_a_sandbox_are_refused(game, escape):
    assert 1 <= refused(ONE.format(escape), game).line <= 5


@pytest.mark.parametrize(
    ("source", "line", "told"),
    [
        ("", 1, "no function"),
        ("x = 1\n", 1, "no function"),
        ("def f(board):\n    return 1.0\n", 1, "the last function is the heuristic: write def f(board, weights):"),
        ("def f(a, b, c):\n    return 1.0\n", 1, "the last function is the heuristic"),
        ("def f(board, weights):\n    if empty(board) > 3:\n        return 1\n", 1, "must always return a number"),
        ("def f(board, weights):\n    while True:\n        pass\n", 2, "while is not allowed"),
        ("def f(board, weights):\n    return weights.zeal\n", 2, "no weight 'zeal'"),
        ("def f(board, weights):\n    return tile(board, 0)\n", 2, "tile() takes 3 arguments, not 2"),
        ("def f(board, weights):\n    return nothing\n", 2, "the name nothing has no value here"),
        ("def f(board, weights):\n    return (1\n", 2, "syntax error"),
        ("def f(board, weights):\n    return row(board, 0)\n", 2, "several numbers"),
        ("@print\ndef f(board, weights):\n    return 1\n", 1, "the only decorator"),
        ("@evaluator(weights={'__class__': 1})\ndef f(board, weights):\n    return 1\n", 1, "the name '__class__'"),
        ("@evaluator(weights=open('x'))\ndef f(board, weights):\n    return 1\n", 1, "the only decorator"),
        ("def f(board, weights):\n    return ñ\n", 2, "without accents"),
        ("\0", 1, "null bytes"),
        ("x = 1\n" * 4000, 1, "longer than"),
        ("(" * 5000, 1, "nested deeper"),
        ("x = " + "-" * 900 + "1", 1, "signs in a row"),
        ("x = " + "1 +" * 600 + "1", 1, "too long"),
        ("def f(board, weights):\n" + "    x = 1\n" * 900 + "    return x\n", 1, "more than 3000 parts"),
        ("def f(board, weights):\n" + "".join("    " * i + "if 1:\n" for i in range(1, 50)), 50, ""),
        ("".join(f"def f{i}(b, w):\n    return 1\n" for i in range(11)), 21, "more than 10 functions"),
        (
            "def g(board):\n    x = 0\n    for i in range(64):\n        for j in range(64):\n            x += 1\n"
            "    return x\n"
            "def h(board):\n    return g(board) + g(board) + g(board) + g(board) + g(board) + g(board) + g(board)\n"
            "def f(board, weights):\n    return h(board) + h(board)\n",
            10,
            "too long",
        ),
    ],
)
def test_what_is_refused_says_why(game, source, line, told):
    error = refused(source, game)
    assert told in str(error)
    assert error.line == line


def test_what_passes_ends_within_its_steps_and_returns_a_float(game):
    """Programs at random, a few with something wild in them: those that pass run as plain Python here."""
    variables = {**_NAMESPACE, **{name: function.py_func for name, function in _functions(game).items()}}
    programs, passed = Programs(1), 0
    states = [game.parse(BOARD), game.start(generator(1))]
    record = weights_record({"room": 2.0})
    for _ in range(250):
        source = programs.next()
        try:
            checked = check_for(source, game)
        except Refused:
            continue
        passed += 1
        _has_nothing_else(checked.tree)
        here = dict(variables)
        exec(compile(checked.tree, "fuzzed", "exec"), here)
        for state in states:
            lines = 0

            def count(frame, event, argument):
                nonlocal lines
                if frame.f_code.co_filename == "fuzzed":
                    lines += event == "line"
                    return count
                return None

            before = sys.gettrace()
            sys.settrace(count)
            try:
                with np.errstate(all="ignore"):
                    value = here["mine"](state, record)
            except (ArithmeticError, IndexError, ValueError):
                continue
            except TypeError as error:  # a negative number to a fractional power is complex in Python alone
                if "complex" not in str(error):
                    raise
                continue
            finally:
                sys.settrace(before)
            assert lines <= checked.steps, source
            assert isinstance(value, float), source
    assert passed > 60


_ALLOWED = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Pass, ast.Break, ast.Continue, ast.Return, ast.Assign,
    ast.If, ast.For, ast.Name, ast.Constant, ast.Attribute, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp,
    ast.Call, ast.Tuple, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip


def _has_nothing_else(tree):
    for node in ast.walk(tree):
        assert isinstance(node, _ALLOWED), ast.dump(node)
        assert not isinstance(node, ast.Attribute) or node.value.id == "weights"
        assert not isinstance(node, ast.Constant) or isinstance(node.value, float | int)
