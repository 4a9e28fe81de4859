"""Evaluators that users write: found in files, modules and packages, compiled, or refused with a reason."""

from __future__ import annotations

import math
import re
import textwrap

import pytest
from drive import contienda
from hypothesis import given
from hypothesis import strategies as st
from twins import g2048 as twin
from twins.boards import any_grids, board_of
from website import wait_until

from contienda.cli.hint import find_evaluation
from contienda.compiled.stopping import left_behind
from contienda.core.language import BadInput
from contienda.evaluation import custom
from contienda.evaluation.compiled import compile_evaluator
from contienda.evaluation.custom import evaluator
from contienda.games import make_game
from contienda.games.g2048 import helpers
from contienda.players import make_player
from contienda.trace.making import make_trace

GAME = make_game("2048")
EARLY = "4 2 2 0/4 0 0 0/0 0 0 0/0 0 0 0"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Put a file where the tests are run, by its name and text."""
    monkeypatch.chdir(tmp_path)

    def put(name: str, text: str) -> str:
        (tmp_path / name).write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")
        return name

    return put


def value(name: str, board: str = EARLY, score: int = 0, **weights: float) -> float:
    compiled = compile_evaluator(name, GAME, weights)
    return compiled.evaluate(GAME.parse_scored(board, score), compiled.weights)


def refusal(name: str, game=GAME, **weights: float) -> str:
    """Why an evaluator is refused, in English; the Spanish must be another text, and both one line."""
    with pytest.raises(BadInput) as refused:
        compile_evaluator(name, game, weights)
    for text in refused.value.text.in_all_languages().values():
        assert "\n" not in text
    return refused.value.text.into("en")


# --- Reading a board -------------------------------------------------------------------------------------------------


@given(any_grids, st.integers(0, 10**6))
def test_helpers_read_what_stands_on_the_board(grid, points):
    board = board_of(grid, points)
    assert [list(helpers.row(board, i)) for i in range(4)] == grid
    assert [list(helpers.column(board, j)) for j in range(4)] == twin.transposed(grid)
    assert helpers.empty(board) == len(twin.empty_cells(grid))
    assert helpers.largest(board) == max(map(max, grid))
    assert helpers.score(board) == points
    for r in range(4):
        for c in range(4):
            face = grid[r][c]
            assert helpers.tile(board, r, c) == face
            assert helpers.rank(board, r, c) == (face.bit_length() - 1 if face else 0)
            around = [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]
            inside = [grid[i][j] if 0 <= i < 4 and 0 <= j < 4 else -1 for i, j in around]
            assert list(helpers.neighbours(board, r, c)) == inside


# --- Where evaluators come from --------------------------------------------------------------------------------------

EMPTIES = """
    from contienda.games.g2048.helpers import empty

    def empties(board, weights):
        return empty(board)
"""


def test_a_file_named_in_every_way(write, tmp_path, monkeypatch):
    write("mine.py", EMPTIES)
    monkeypatch.setenv("HOME", str(tmp_path))
    for place in ("mine.py", "./mine.py", str(tmp_path / "mine.py"), "~/mine.py"):
        assert value(f"{place}:empties") == 12
    compiled = compile_evaluator("mine.py:empties", GAME, {})
    assert compiled.name == "mine.py:empties"
    assert compiled.terms(GAME.parse(EARLY)) == {"value": 12.0}


def test_an_edited_file_is_read_anew(write):
    """Even within the same second and to the same length, where Python's own cache would not notice."""
    for number in range(3):
        write("mine.py", EMPTIES.replace("empty(board)", f"empty(board) + {number}"))
        assert value("mine.py:empties") == 12 + number


def test_a_module_on_the_path(write, tmp_path, monkeypatch):
    (tmp_path / "my_package").mkdir()
    write("my_package/__init__.py", "")
    write("my_package/heuristics.py", EMPTIES)
    monkeypatch.syspath_prepend(tmp_path)
    assert value("my_package.heuristics:empties") == 12


def test_an_installed_package_offers_its_own_by_entry_point(write, tmp_path, monkeypatch):
    write("offering.py", EMPTIES)
    (tmp_path / "offering-1.0.dist-info").mkdir()
    write("offering-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: offering\nVersion: 1.0\n")
    write("offering-1.0.dist-info/entry_points.txt", "[contienda.evaluators]\nroomy = offering:empties\n")
    assert "no evaluator 'roomy'" in refusal("roomy")
    monkeypatch.syspath_prepend(tmp_path)
    assert value("roomy") == 12
    data = contienda("evaluate", "2048", EARLY, "--eval", "roomy", "--json").json
    assert (data["evaluator"], data["value"]) == ("roomy", 12.0)


@pytest.fixture
def names(monkeypatch):
    """Names that are given in a test are forgotten after it."""
    monkeypatch.setattr(custom, "_registered", {})


@pytest.mark.usefixtures("names")
def test_a_name_given_in_this_process():
    @evaluator("corner-and-room", weights={"room": 100.0})
    def corner(board, weights):
        return helpers.tile(board, 0, 0) + weights.room * helpers.empty(board)

    assert value("corner-and-room") == 4 + 100 * 12
    assert value("corner-and-room", room=0.5) == 4 + 0.5 * 12
    assert corner.__name__ == "corner", "it stays the function that it was"


@pytest.mark.usefixtures("names")
def test_a_name_given_to_the_wrong_function():
    @evaluator("one-argument")
    def one(board):
        return 1.0

    assert refusal("one-argument") == "one-argument must take (board, weights); it takes (board)"


def test_functions_that_numba_has_compiled_already_are_taken_as_they_are(write):
    write(
        "mine.py",
        """
        from numba import njit
        from contienda.games.g2048.helpers import empty

        @njit
        def twice(number):
            return 2 * number

        @njit
        def empties(board, weights):
            return twice(empty(board))
        """,
    )
    assert value("mine.py:empties") == 24


@pytest.mark.usefixtures("names")
def test_a_function_without_source():
    """As typed into an interpreter: there is no line to show."""
    namespace = {}
    exec("def typed(board, weights):\n    return board.tiles", namespace)
    evaluator("typed")(namespace["typed"])
    assert refusal("typed").startswith("<string>:2 does not compile: a Board has no 'tiles'; ")


# --- Weights ---------------------------------------------------------------------------------------------------------

WEIGHTED = """
    from contienda import evaluator
    from contienda.games.g2048.helpers import empty, score

    @evaluator(weights={"room": 100, "points": 1.0}, floor=-5.0)
    def room(board, weights):
        return weights.room * empty(board) + weights.points * score(board)
"""


def test_weights_come_from_the_declaration_and_the_spec(write):
    write("mine.py", WEIGHTED)
    assert value("mine.py:room", score=8) == 1208
    assert value("mine.py:room", score=8, room=2.5) == 38
    assert value("mine.py:room", score=8, room=0, points=-1) == -8
    compiled = compile_evaluator("mine.py:room", GAME, {"room": 3.0})
    assert compiled.weights_by_name == {"room": 3.0, "points": 1.0}
    assert compiled.floor == -5.0


def test_weights_are_set_on_the_command_line(write):
    write("mine.py", WEIGHTED)
    data = contienda("evaluate", "2048", EARLY, "--eval", "mine.py:room,room=2.5", "--score", 8, "--json").json
    assert data["value"] == 38
    assert data["weights"] == {"room": 2.5, "points": 1.0}
    data = contienda("hint", "2048", EARLY, "--player", "greedy:eval=mine.py:room,room=0", "--score", 8, "--json").json
    assert {move["move"]: move["value"] for move in data["moves"]} == {"up": 16, "right": 12, "down": 16, "left": 12}


def test_unknown_weights_are_refused(write):
    write("mine.py", WEIGHTED)
    assert "no weight 'rom'" in refusal("mine.py:room", rom=1.0)
    assert "room, points" in refusal("mine.py:room", rom=1.0)
    write("plain.py", EMPTIES)
    assert "no weight 'room'" in refusal("plain.py:empties", room=1.0)


# --- The same formula, the same value --------------------------------------------------------------------------------

COMBINED = """
    from contienda.games.g2048.helpers import empty, largest, score, tile

    def combined(board, weights):
        top = largest(board)
        corner = 0
        for row in (0, 3):
            for column in (0, 3):
                if tile(board, row, column) == top:
                    corner = top
        return score(board) + 256 * empty(board) + corner
"""


def test_one_s_own_combined_is_the_combined_of_the_catalogue(write):
    own = compile_evaluator(write("mine.py", COMBINED) + ":combined", GAME, {})
    built_in = compile_evaluator("combined", GAME, {})

    @given(any_grids.filter(lambda grid: any(map(any, grid))), st.integers(0, 10**6))
    def same(grid, points):
        board = board_of(grid, points)
        assert own.evaluate(board, own.weights) == built_in.evaluate(board, built_in.weights)

    same()


def test_one_s_own_evaluator_searches_the_same_tree(write):
    write("mine.py", COMBINED)
    board = GAME.parse_scored("64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2", 380)
    own, built_in = (
        make_player(f"expectimax:depth=3,eval={name}", GAME).analyse(board) for name in ("mine.py:combined", "combined")
    )
    assert own.moves == built_in.moves
    assert (own.best, own.counters.nodes) == (built_in.best, built_in.counters.nodes)


def test_it_may_return_its_terms_by_name(write):
    """The value is their sum, in the search too; a trace shows what each adds, and so does evaluate."""
    path = write(
        "mine.py",
        """
        from typing import NamedTuple
        from contienda.games.g2048.helpers import empty, largest

        class Terms(NamedTuple):
            room: int
            high: float

        def parts(board, weights):
            return Terms(10 * empty(board), -0.5 * largest(board))
        """,
    )
    spec = f"expectimax:depth=1,eval={path}:parts"
    trace = make_trace(make_player(spec, GAME), "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0")
    leaf = next(node for node in trace.nodes if node.kind == "leaf")
    assert set(leaf.parts) == {"room", "high"}
    assert leaf.value == leaf.parts["room"] + leaf.parts["high"]
    said = find_evaluation("2048", "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", f"{path}:parts", 0)
    assert said["contributions"] == {"room": 90.0, "high": -8.0}
    assert said["value"] == 82.0


def test_functions_that_it_calls_need_no_decorator(write):
    """In its file or in a module beside it, called by name or through the module, and by one another."""
    write("parts.py", "def twice(x):\n    return 2 * x\n\ndef fourfold(x):\n    return twice(twice(x))\n")
    text = """
        import parts
        from parts import twice

        def down(n):
            return 0 if n == 0 else 1 + down(n - 1)

        def f(board, weights):
            return down(3) + 10 * twice(2) + 100 * parts.fourfold(1)
    """
    evaluator = compile_evaluator(write("mine.py", textwrap.dedent(text)) + ":f", GAME, {})
    assert evaluator.evaluate(GAME.parse(EARLY), evaluator.weights) == 3 + 40 + 400


# --- What does not compile -------------------------------------------------------------------------------------------

ADVICE = "; use numbers, if, for, while and contienda.games.g2048.helpers"


@pytest.mark.parametrize(
    ("body", "line", "shown", "reason"),
    [
        ("x = 1\nreturn x + 'a'", 3, "return x + 'a'", "there is no add(1, a)"),
        ("x = 1\nreturn x + emty(board)", 3, "return x + emty(board)", "the name 'emty' is not defined"),
        ("return board.tiles", 2, "return board.tiles", "a Board has no 'tiles'"),
        (
            "x = 2\nreturn weights.room",
            3,
            "return weights.room",
            "there is no weight 'room': declare it with @evaluator",
        ),
        (
            "x = 1",
            1,
            "def f(board, weights):",
            "it must always return a number, or a named tuple of numbers; it returns none",
        ),
        ("if board.cells > 0:\n    return 1", 1, "def f(board, weights):", "it must always return a number"),
        ("return 'good'", 1, "def f(board, weights):", "it returns unicode_type"),
        (
            "return 1, 2",
            1,
            "def f(board, weights):",
            "it must always return a number, or a named tuple of numbers; it returns UniTuple",
        ),
        ("yield 1.0", 1, "def f(board, weights):", "it must always return a number"),
        ("x = 0\nwith open('x') as x:\n    return 1", 3, "with open('x') as x:", "with is not supported"),
        ("return tile(board)", 2, "return tile(board)", "missing a required argument: 'row'"),
        ("return math.sinus(1.0)", 2, "return math.sinus(1.0)", "the module math has no 'sinus'"),
    ],
)
def test_the_line_that_does_not_compile_is_shown(body, line, shown, reason, write, tmp_path):
    head = "import math\nfrom contienda.games.g2048.helpers import tile\n"
    write("mine.py", head + "def f(board, weights):\n" + textwrap.indent(body, "    ") + "\n")
    message = refusal("mine.py:f")
    before = head.count("\n")
    assert message.startswith(f"{tmp_path}/mine.py:{before + line}: `{shown}` does not compile: ")
    assert reason in message
    assert message.endswith(ADVICE)


def test_it_is_said_in_spanish_too(write, tmp_path):
    write("mine.py", "def f(board, weights):\n    return emty(board)\n")
    told = contienda("evaluate", "2048", EARLY, "--eval", "mine.py:f", "--lang", "es").complaint
    assert told == (
        f"{tmp_path}/mine.py:2: `return emty(board)` no se puede compilar: el nombre 'emty' no está definido; "
        "usa números, if, for, while y contienda.games.g2048.helpers"
    )


def test_a_board_of_another_game_is_another_thing(write):
    write("mine.py", EMPTIES)
    message = refusal("mine.py:empties", make_game("tictactoe"))
    assert "mine.py:4: `return empty(board)` does not compile: a Marks has no 'cells'" in message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(board, weights):\n    return (1 +\n", "mine.py:2: syntax error, '(' was never closed: return (1 +"),
        (
            "def f(board, weights):\nreturn 1\n",
            "mine.py:2: syntax error, expected an indented block after function definition on line 1",
        ),
        ("x = 1\nimport not_there\n", "mine.py:2: ModuleNotFoundError: No module named 'not_there'"),
        ("x = 1\n\ny = x / 0\n", "mine.py:3: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(0)\n", "mine.py:2: SystemExit: 0"),
        ("def g(board, weights):\n    return 1\n", "mine.py has no function 'f': it has g"),
        ("f = 5\n", "mine.py has no function 'f': it has none"),
        ("f = max\n", "mine.py has no function 'f': it has none"),
        ("class f:\n    pass\n", "mine.py has no function 'f': it has none"),
        ("def f(board):\n    return 1\n", "mine.py:f must take (board, weights); it takes (board)"),
        ("def f(a, b, c):\n    return 1\n", "mine.py:f must take (board, weights); it takes (a, b, c)"),
        (
            "from contienda import evaluator\n@evaluator\ndef f(board, weights):\n    return 1\n",
            "mine.py:2: TypeError: write @evaluator() with its brackets, or @evaluator('name')",
        ),
        (
            "from contienda import evaluator\n@evaluator(weights={'a': 'b'})\ndef f(board, weights):\n    return 1\n",
            "mine.py:2: ValueError: could not convert string to float: 'b'",
        ),
    ],
)
def test_a_file_that_cannot_be_used(text, message, write):
    write("mine.py", text)
    assert refusal("mine.py:f").startswith(message)


def test_what_is_not_there(write):
    assert refusal("gone.py:f") == "there is no file gone.py"
    assert refusal("gone_module:f") == "cannot import 'gone_module': ModuleNotFoundError: No module named 'gone_module'"
    assert refusal("mine.py").endswith("or your own as FILE.py:FUNCTION")
    write("mine_here.py", EMPTIES)
    assert refusal("mine_here:empties").endswith("; for the file here write ./mine_here.py:empties")


# --- What compiles and does not work ---------------------------------------------------------------------------------


def test_nan_is_refused(write):
    write("mine.py", "import math\ndef f(board, weights):\n    return math.nan\n")
    assert re.fullmatch(r"mine.py:f returns NaN on [0-9 /]+", refusal("mine.py:f"))
    write("mine.py", "import math\ndef f(board, weights):\n    return -math.inf\n")
    assert value("mine.py:f") == -math.inf


def test_an_evaluator_that_fails_at_once(write, tmp_path):
    write(
        "mine.py",
        """
        def f(board, weights):
            if board.cells != 0:
                raise ValueError("not today")
            return 1

        def g(board, weights):
            return 1 / (board.cells - board.cells)
        """,
    )
    place, _, reason = refusal("mine.py:f").partition(" fails on ")
    assert place == f'{tmp_path}/mine.py:3: `raise ValueError("not today")`'
    assert re.fullmatch(r"[0-9 /]+: ValueError: not today", reason)
    place, _, reason = refusal("mine.py:g").partition(" fails on ")
    assert place == f"{tmp_path}/mine.py:7: `return 1 / (board.cells - board.cells)`"
    assert re.fullmatch(r"[0-9 /]+: ZeroDivisionError: division by zero", reason)


def test_the_line_that_fails_is_told_after_it_has_moved(write, tmp_path):
    """The same function, kept compiled from before, stands two lines further down."""
    function = """
        def f(board, weights):
            if board.cells != 0:
                raise ValueError("not today")
            return 1
        """
    write("mine.py", function)
    assert refusal("mine.py:f").startswith(f"{tmp_path}/mine.py:3: ")
    write("mine.py", f"\n        # Mine.{function}")
    assert refusal("mine.py:f").startswith(f'{tmp_path}/mine.py:4: `raise ValueError("not today")` fails')
    write("yours.py", function)
    assert refusal("yours.py:f").startswith(f"{tmp_path}/yours.py:3: ")


def test_an_evaluator_that_fails_in_the_midst_of_a_search(write, tmp_path):
    write(
        "mine.py",
        """
        from contienda.games.g2048.helpers import largest

        def f(board, weights):
            if largest(board) == 64:
                raise ValueError("too large for me")
            return 1
        """,
    )
    raised = f'{tmp_path}/mine.py:5: `raise ValueError("too large for me")` fails on'
    because = ": ValueError: too large for me"
    bad = "64 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"
    assert contienda("evaluate", "2048", bad, "--eval", "mine.py:f").complaint == f"{raised} {bad}{because}"
    for told in (
        contienda("hint", "2048", bad, "--player", "greedy:eval=mine.py:f").complaint,
        contienda("play", "2048", "--player", "greedy:eval=mine.py:f", "--games", 2).complaint,
    ):
        place, _, position = told.removesuffix(because).partition(" fails on ")
        assert f"{place} fails on" == raised
        assert any(64 in row for row in GAME.grid(GAME.parse(position))), "the very board on which it failed"


def test_what_fails_in_a_module_beside_the_evaluator(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write(
        "beside.py",
        """
        from numba import njit

        @njit
        def check(tile):
            if tile == 64:
                raise ValueError("too large for me")
            return 1
        """,
    )
    write(
        "mine.py",
        """
        from beside import check
        from contienda.games.g2048.helpers import largest

        def f(board, weights):
            return check(largest(board))
        """,
    )
    raised = f'{tmp_path}/beside.py:6: `raise ValueError("too large for me")` fails on '
    bad = "64 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0"
    raised += f"{bad}: ValueError: too large for me"
    assert contienda("evaluate", "2048", bad, "--eval", "mine.py:f").complaint == raised


def test_an_evaluator_that_loops_on_a_starting_board(write, monkeypatch):
    """It comes back at last: a test cannot leave a thread behind that runs for ever."""
    monkeypatch.setattr(custom, "_TRIAL_SECONDS", 0.1)
    monkeypatch.setattr("contienda.compiled.stopping.GRACE", 0.1)
    write(
        "mine.py",
        """
        def f(board, weights):
            n = board.cells
            for _ in range(20_000_000):
                n = (n * 6364136223846793005 + 1442695040888963407) ^ (n >> 7)
            return float(n)
        """,
    )
    assert refusal("mine.py:f") == ("mine.py:f did not return within 0.1 s on a starting board: does it loop forever?")
    wait_until(lambda: not left_behind())  # or it would take the time of other tests, and end their process
