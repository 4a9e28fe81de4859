"""The cache of compiled code: used by the next process, never stale, poisoned or damaged, and never in the way."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import forked
import pytest
from drive import contienda as here
from drive import process
from llvmlite.binding import ffi

import contienda
from contienda.compiled import kept_files, numba_internals
from contienda.compiled.kept_files import Damaged, Kept, kept_folder, look_through, read_kept, write_kept

PACKAGE = Path(contienda.__file__).parent

#: Asks for rules that call others, of the game that takes the compiler least.
ASK = """
import json
from contienda.compiled import jit
jit.OFTEN = 0  # compiled at the first call
from contienda.games.tictactoe import TicTacToe, over, utility
from contienda.compiled.kept_files import kept_folder

board = TicTacToe().parse("XOO/.X./..X")
print(json.dumps({
    "over": over(board),
    "utility": utility(board),
    "hits": sum(over.stats.cache_hits.values()),
    "cache": str(kept_folder()),
}))
"""

BOARD = "X.O/.X./..."
BOARD_2048 = "64 8 4 2/16 4 0 0/4 0 0 0/0 0 0 2"


def fresh(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-P", "-c", code, *arguments]  # -P: the folder in which the tests are run holds no modules


def around(cache: Path, **environment: str) -> dict[str, str]:
    """The environment of a process with a cache of its own."""
    return os.environ | {"XDG_CACHE_HOME": str(cache)} | environment


def run(code: str, cache: Path, *arguments: str, **environment: str) -> str:
    """The output of a fresh process."""
    done = forked.run(
        fresh(code, *arguments), env=around(cache, **environment), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(cache: Path, **environment: str) -> dict:
    return json.loads(run(ASK, cache, **environment))


def code_in(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.code"))


def about(cache: Path) -> list[str]:
    """The functions whose code is kept."""
    return [file.about["function"] for file in look_through(cache / "contienda" / "code")]


def test_the_next_process_finds_the_code_and_the_same_answer(tmp_path):
    first, second = ask(tmp_path), ask(tmp_path)
    assert first["over"] is second["over"] is True
    assert first["utility"] == second["utility"] == 1.0
    assert (first["hits"], second["hits"]) == (0, 1)
    assert first["cache"] == second["cache"] == str(tmp_path / "contienda" / "code")


# --- Never stale -----------------------------------------------------------------------------------------------------


def edit(source: Path, old: str, new: str) -> None:
    text = source.read_text(encoding="utf-8")
    assert text.count(old) == 1
    source.write_text(text.replace(old, new), encoding="utf-8")


#: Values a board by terms that call functions of another file.
ASK_TERMS = """
import json, os, sys
from contienda.compiled import jit
jit.OFTEN = 0
from contienda.games.g2048.terms import corners, room_largest
from contienda.games import make_game
from contienda.compiled.kept_files import kept_folder

board = make_game("2048").parse_scored(sys.argv[1], 380)
print(json.dumps({
    "room": room_largest(board),
    "corners": corners(board),
    "cache": str(kept_folder()),
    "package": os.path.dirname(__import__("contienda").__file__),
}))
"""

EMPTY, LARGEST = 8, 64


@pytest.mark.parametrize(
    "chosen", [pytest.param(False, marks=pytest.mark.slow), True], ids=["our folder", "NUMBA_CACHE_DIR"]
)
def test_an_edited_function_is_never_answered_for_by_its_stale_caller(chosen, tmp_path):
    """`room_largest` calls `largest_rank`, in another file: Numba alone would not notice that this one was edited.

    Nor would it with a folder that the user has chosen. Whatever does not call it is found again.
    """
    package = tmp_path / "path" / "contienda"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PYTHONPATH": str(package.parent)}
    if chosen:
        environment["NUMBA_CACHE_DIR"] = str(tmp_path / "chosen")
    before = json.loads(run(ASK_TERMS, tmp_path / "cache", BOARD_2048, **environment))
    assert before["package"] == str(package)
    assert before["room"] == EMPTY * LARGEST
    assert Path(before["cache"]).is_relative_to(tmp_path / ("chosen" if chosen else "cache"))
    kept = set(code_in(tmp_path))

    edit(package / "games" / "g2048" / "board.py", "    return largest\n", "    return largest + 1\n")
    after = json.loads(run(ASK_TERMS, tmp_path / "cache", BOARD_2048, **environment))
    assert (after["room"], after["corners"]) == (EMPTY * 2 * LARGEST, before["corners"])
    made = [read_kept(file.parent, file.stem).about["function"] for file in set(code_in(tmp_path)) - kept]
    assert "contienda.games.g2048.terms.room_largest" in made
    assert "contienda.games.g2048.board._row_tables" not in made


#: Searches, plays and says how many functions had to be compiled for it.
SEARCH = """
import json, sys
from contienda.compiled import jit
jit.OFTEN = 0
from numba.core import event

compiled = event.RecordingListener()
event.register("numba:compile", compiled)

from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player

game, board = make_game(sys.argv[1]), sys.argv[2]
answers = []
for spec in sys.argv[3:]:
    player = make_player(spec, game)
    player.compile()
    found = player.analyse(game.parse(board))
    answers.append([found.best, found.counters.nodes, [move.value for move in found.moves]])
    match = Match(game, [player, player])
    if player.spec.startswith("greedy"):
        match.compile()
        answers.append(match.play(7).actions)
    else:
        answers.append(None)
print(json.dumps([len(compiled.buffer) // 2, answers]))
"""

#: The game that takes the compiler least; what is shown here is the same for all.
SMALLEST = ("tictactoe", BOARD)
SPECS = ("minimax:depth=3", "greedy")


@pytest.fixture(scope="session")
def rules():
    """The folder of this process, with the code of the rules in it."""
    forked.run(fresh(SEARCH, *SMALLEST, *SPECS), capture_output=True, check=True)
    return kept_folder()


@pytest.fixture
def rules_only(rules, tmp_path):
    """A cache that holds what stands at the head of modules and no search: only these are then compiled."""
    there = tmp_path / "contienda" / "code"
    there.mkdir(parents=True, mode=0o700)
    (tmp_path / "contienda").chmod(0o700)
    for file in rules.glob("*.code"):
        try:
            function = read_kept(rules, file.stem).about["function"]
            if "<locals>" not in function and function.startswith("contienda."):
                shutil.copy(file, there)
        except (OSError, Damaged):  # another worker's tests have dropped it
            continue
    return tmp_path


def search(cache: Path, *specs: str, **environment: str) -> tuple[int, list]:
    """How many functions a fresh process compiled for these players, and what they answered."""
    compiled, answers = json.loads(run(SEARCH, cache, *SMALLEST, *specs, **environment))
    return compiled, answers


def test_the_next_process_compiles_no_search_and_finds_the_same(rules_only):
    first, answers = search(rules_only, *SPECS)
    assert first > 0
    assert search(rules_only, *SPECS) == (0, answers)


@pytest.mark.slow
def test_searches_of_several_processes_are_never_taken_for_each_other(rules_only):
    """Each is compiled in a process of its own, in which Numba would give the functions of all the same names."""
    specs = []
    for name, value in (("one", 0.25), ("other", 0.5)):
        (rules_only / f"{name}.py").write_text(f"def mine(board, weights):\n    return {value}\n")
        specs.append(f"alphabeta:depth=3,eval={rules_only}/{name}.py:mine")
    alone = [search(rules_only, spec)[1][0] for spec in specs]
    _, together = search(rules_only, *specs)
    assert [answer for answer in together if answer] == alone
    assert len({json.dumps(answer) for answer in alone}) == 2


@pytest.mark.slow
def test_code_with_bounds_checks_is_other_code(rules_only):
    _, answers = search(rules_only, "minimax:depth=3")
    again, found = search(rules_only, "minimax:depth=3", NUMBA_BOUNDSCHECK="1")
    assert again > 0
    assert found == answers


def test_a_heuristic_that_changes_is_another(rules_only):
    """By its text, by a number it names, by a function it calls, in its own file or in modules that it imports."""
    files = {
        "deeper.py": "SCALE = 3\nUNUSED = 1\n",
        "helpers.py": """
            from numba import njit

            import deeper

            @njit
            def part(x):
                return x * deeper.SCALE + 1
        """,
        "mine.py": """
            import helpers
            from helpers import part

            def mine(board, weights):
                return part(10) + 1000 * helpers.part(10) + 1e6 * helpers.deeper.SCALE + 0.5
        """,
    }
    for name, text in files.items():
        (rules_only / name).write_text(textwrap.dedent(text))
    where = {"XDG_CACHE_HOME": str(rules_only)}
    asked = ("evaluate", "tictactoe", BOARD, "--eval", f"{rules_only}/mine.py:mine", "--json", "--verbose")
    for file, old, new, value in (
        ("mine.py", "0.5", "0.25", 3_031_031.25),
        ("deeper.py", "SCALE = 3", "SCALE = 5", 5_051_051.25),
        ("helpers.py", "+ 1", "+ 2", 5_052_052.25),
    ):
        edit(rules_only / file, old, new)
        ran = process(*asked, **where)
        assert ran.json["value"] == value
        assert "compiled contienda_user_mine.mine in" in ran.err
    edit(rules_only / "deeper.py", "UNUSED = 1", "UNUSED = 2")
    ran = process(*asked, **where)
    assert ran.json["value"] == value
    assert "compiled" not in ran.err  # a number that it does not name


def test_numbas_own_cache_makes_no_heuristic_stale(rules_only):
    """With ``cache=True`` Numba would find `part`, whose own file is the same, with the old number in it."""
    (rules_only / "numbers_of_mine.py").write_text("SCALE = 3\n")
    heuristic = rules_only / "mine.py"
    heuristic.write_text(
        textwrap.dedent("""
            from numba import njit

            import numbers_of_mine

            @njit(cache=True)
            def part(board):
                return board.max * numbers_of_mine.SCALE

            @njit(cache=True)
            def mine(board, weights):
                return part(board) + 1.0
        """)
    )
    spec = f"minimax:depth=1,eval={heuristic}:mine"
    (_, before), (_, after) = (
        search(rules_only, spec),
        (rules_only / "numbers_of_mine.py").write_text("SCALE = 5\n") and search(rules_only, spec),
    )
    worth = before[0][2][0], after[0][2][0]
    assert (worth[1] - 1) / 5 == (worth[0] - 1) / 3


def test_what_cannot_be_told_is_not_kept(rules_only):
    """A module in a variable may be asked for anything: the code is right, and compiled in every process."""
    (rules_only / "helpers.py").write_text("SCALE = 3\n")
    heuristic = rules_only / "mine.py"
    heuristic.write_text("import helpers\n\ndef mine(board, weights):\n    h = helpers\n    return h.SCALE * 1.0\n")
    where = {"XDG_CACHE_HOME": str(rules_only)}
    for scale in (3, 5):
        (rules_only / "helpers.py").write_text(f"SCALE = {scale}\n")
        spec = f"{heuristic}:mine"
        ran = process("evaluate", "tictactoe", BOARD, "--eval", spec, "--verbose", "--json", **where)
        assert ran.json["value"] == scale
        assert "mine: helpers holds a module, whose content cannot be compared" in ran.err
    assert not any("mine" in name for name in about(rules_only))


#: One function calls another, which was compiled while a global was 3, and is called after it has become 5.
FROZEN = """
import sys, types
from contienda.compiled.jit import njit, numba

mine = types.ModuleType("mine")
sys.modules["mine"] = mine
exec('''
from numba import njit as plain
from contienda.compiled.jit import njit
SCALE = 3
@plain
def part(x):
    return x * SCALE
@njit
def first(x):
    return part(x)
@njit
def second(x):
    return part(x) + 1
''', vars(mine))
if sys.argv[1] == "changed":
    mine.first(1)
mine.SCALE = 5
print(mine.second(1))
"""


def test_what_was_compiled_with_an_older_global_is_not_kept_for_the_new_one(tmp_path):
    assert run(FROZEN, tmp_path, "changed").strip() == "4"  # as Numba has it: globals are what they were
    assert run(FROZEN, tmp_path, "at once").strip() == "6"


#: Two classes of the same name, whose fields stand the other way round.
NAMESAKES = """
import sys, types
source = '''
from typing import NamedTuple
from contienda.compiled.jit import njit
class Pair(NamedTuple):
    FIELDS
@njit
def low(pair):
    return pair.low
'''
mine = types.ModuleType("mine")
sys.modules["mine"] = mine
exec(source.replace("FIELDS", "; ".join(f"{name}: int" for name in sys.argv[1:])), vars(mine))
print(mine.low(mine.Pair(low=1, high=2)))
"""


def test_types_of_the_same_name_are_told_apart(tmp_path):
    assert run(NAMESAKES, tmp_path, "low", "high") == run(NAMESAKES, tmp_path, "high", "low") == "1\n"


def test_modules_beside_a_heuristic_are_read_anew_in_the_same_process(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    heuristic = tmp_path / "mine.py"
    heuristic.write_text("import beside_mine\n\ndef mine(board, weights):\n    return beside_mine.SCALE * 1.0\n")
    for scale in (3, 5):
        (tmp_path / "beside_mine.py").write_text(f"SCALE = {scale}\n")  # as long, and within the same second
        assert here("evaluate", "tictactoe", BOARD, "--eval", f"{heuristic}:mine", "--json").json["value"] == scale


# --- Never poisoned --------------------------------------------------------------------------------------------------

#: A game of the user's own, in a module that nobody else has.
OWN_GAME = """
from typing import NamedTuple
from contienda.core.game import MAX, Game, Rules
from contienda.compiled.jit import njit
from contienda.core.language import Text

class Count(NamedTuple):
    steps: int

@njit
def turn(state): return MAX
@njit
def candidates(state): return 1
@njit
def successor(state, action): return True, Count(state.steps + 1)
@njit
def probability(state, action): return 1.0
@njit
def over(state): return state.steps >= 10
@njit
def utility(state): return 7.0
@njit
def same(state): return state
@njit
def first(state, rng): return 0

class Walk(Game):
    name = spec = "walk"
    title = Text("walk", es="paseo")
    kinds = frozenset({MAX})
    default_evaluator = "none"
    rules = Rules(turn, candidates, successor, probability, over, utility, same, first)
    def start(self, rng): return Count(0)
    def parse(self, text): return Count(int(text))
    def format(self, state): return str(state.steps)
    def action_name(self, state, action): return str(action)
    def action_number(self, state, name): return int(name)
"""

PLAY_OWN = """
from own_game import Walk
from contienda.players import make_player
player = make_player("alphabeta:depth=12,table=on,memory=1", Walk())
player.compile()
print(player.analyse(Walk().parse("0")).moves[0].value)
"""


def test_a_user_s_types_are_nobody_else_s_business(rules_only):
    """Numba's own files would list the user's type: whoever has not that module could not read them."""
    (rules_only / "own").mkdir()
    (rules_only / "own" / "own_game.py").write_text(OWN_GAME)
    for _ in range(2):  # compiled, then found
        assert run(PLAY_OWN, rules_only, PYTHONPATH=str(rules_only / "own")).strip() == "7.0"
    spec = "alphabeta:depth=3,table=on,memory=1"
    _, answers = search(rules_only, spec)
    assert answers[0][0] in "123456789"
    assert search(rules_only, spec) == (0, answers)


# --- Never damaged ---------------------------------------------------------------------------------------------------


def damages(content: bytes) -> list[bytes]:
    """A file with one bit turned over at many places, cut short, and longer."""
    rng = random.Random(7)
    places = {*range(120), *(rng.randrange(len(content)) for _ in range(200)), len(content) - 1}
    flipped = [
        content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :] for place in places
    ]
    return [*flipped, *(content[:length] for length in (0, 1, 10, 48, 60, len(content) - 1)), content + b"\0"]


def test_not_a_byte_of_a_damaged_file_is_used(tmp_path):
    write_kept(tmp_path, "name", Kept({"function": "f"}, b"code" * 100))
    (file,) = code_in(tmp_path)
    content = file.read_bytes()
    assert read_kept(tmp_path, "name") == Kept({"function": "f"}, b"code" * 100)
    for damaged in damages(content):
        file.write_bytes(damaged)
        with pytest.raises(Damaged):
            read_kept(tmp_path, "name")
        assert not file.exists()
    (tmp_path / "other.code").write_bytes(content)  # whole, and another function's
    with pytest.raises(Damaged):
        read_kept(tmp_path, "other")


def test_damaged_code_is_compiled_again(rules_only):
    """Every kept file damaged, in a real process: the answer is the same, and all is remade."""
    _, answers = search(rules_only, "minimax:depth=3")
    files = code_in(rules_only)
    whole = {file: file.read_bytes() for file in files}
    for number, file in enumerate(files):
        choice = damages(whole[file])
        file.write_bytes(choice[number * 37 % len(choice)])
    again, found = search(rules_only, "minimax:depth=3")
    assert again > 0
    assert found == answers
    assert search(rules_only, "minimax:depth=3") == (0, answers)


def test_killed_processes_leave_nothing_wrong(tmp_path):
    """Processes that fill one folder are killed at any moment; whoever comes then finds whole files or none."""
    rng = random.Random(3)
    processes = [
        forked.Popen(fresh(ASK), env=around(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]
    for each in processes:
        try:
            each.wait(timeout=rng.uniform(0.3, 1.5))
        except subprocess.TimeoutExpired:
            each.send_signal(signal.SIGKILL)
            each.wait()
    together = [forked.Popen(fresh(ASK), env=around(tmp_path), stdout=subprocess.PIPE) for _ in range(2)]
    for each in together:
        out, _ = each.communicate()
        assert each.returncode == 0
        assert json.loads(out)["over"] is True
    assert not any(file.damaged for file in look_through(tmp_path / "contienda" / "code"))


# --- The folder ------------------------------------------------------------------------------------------------------


def test_the_code_used_last_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(kept_files, "LIMIT", 250)
    for days in range(5):
        file = tmp_path / f"{days}.code"
        file.write_bytes(b"x" * 100)
        os.utime(file, (10**9 - days, 10**9 - days))
    (tmp_path / "gone.code").symlink_to(tmp_path / "renamed")  # as another process's file at the wrong moment
    for name, then in (("young.tmp", None), ("old.tmp", (10**9, 10**9))):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, then)
    kept_files.forget_old(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if path.exists()) == ["0.code", "1.code", "young.tmp"]


def test_a_home_that_cannot_be_written_is_no_hindrance(tmp_path):
    """The folder would lie below a file, which stops even an administrator; the temporary folder serves instead."""
    (tmp_path / "file").touch()
    (tmp_path / "tmp").mkdir()
    answer = ask(tmp_path / "file" / "cache", TMPDIR=str(tmp_path / "tmp"))
    assert answer["over"] is True
    assert Path(answer["cache"]).is_relative_to(tmp_path / "tmp")
    assert any(Path(answer["cache"]).iterdir())


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no such permissions")
def test_a_folder_that_others_can_write_to_is_refused(tmp_path):
    ask_where = "from contienda.compiled.kept_files import kept_folder; print(kept_folder())"
    (tmp_path / "tmp").mkdir()
    first = Path(run(ask_where, tmp_path, TMPDIR=str(tmp_path / "tmp")).strip())
    assert first == tmp_path / "contienda" / "code"
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in (first, first.parent)] == [0o700, 0o700]
    for folder, mode in ((first, 0o720), (first, 0o702), (first.parent, 0o777)):
        folder.chmod(mode)
        other = Path(run(ask_where, tmp_path, TMPDIR=str(tmp_path / "tmp")).strip())
        assert other.is_relative_to(tmp_path / "tmp")
        folder.chmod(0o700)
    shutil.rmtree(tmp_path / "tmp")
    first.chmod(0o777)
    assert run(ask_where, tmp_path, TMPDIR=str(first)).strip() != str(first)


# --- Numba's private interfaces --------------------------------------------------------------------------------------


def test_pip_installs_the_versions_of_numba_that_are_supported():
    """The interfaces are private: a new release is tried out before it is let in."""
    project = tomllib.loads((PACKAGE.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    (bounds,) = [each for each in project["project"]["dependencies"] if each.startswith("numba")]
    first, last = numba_internals.SUPPORTED[0], numba_internals.SUPPORTED[-1]
    major, minor = map(int, last.split("."))
    assert bounds == f"numba>={first},<{major}.{minor + 1}"
    assert numba_internals.why_not_kept is None


def test_the_private_interfaces_behave_as_they_are_used():
    """A function asks its cache before it is compiled and tells it afterwards; what is taken apart can be rebuilt."""
    from numba import int64, njit

    told = []

    class Cache(numba_internals.KeptCache):
        cache_path = None

        def load_overload(self, sig, target_context):
            told.append(("load", sig, numba_internals.compiling()))
            numba_internals.settings(target_context.codegen())

        def save_overload(self, sig, data):
            told.append(("save", sig, numba_internals.compiling()))
            self.kept = numba_internals.reduce(data)
            self.context = data.target_context

        def enable(self): ...
        def disable(self): ...
        def flush(self): ...

    @njit
    def inner(x):
        return x + 1

    @njit
    def outer(x):
        return inner(x) * 2

    for function in (inner, outer):
        assert isinstance(function, numba_internals.Dispatcher)
        numba_internals.put_cache(function, Cache())
    assert outer(3) == 8
    types = (int64,)
    assert told == [("load", types, False), ("load", types, True), ("save", types, True), ("save", types, False)]
    assert ffi.lib._lock._cblist == []  # nobody is told of calls of LLVM, which takes an eighth of the compiler's time
    cache = numba_internals.cache_of(outer)
    assert numba_internals.rebuild(cache.context, cache.kept).entry_point(3) == 8


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("numba.__version__ = '9.1.0'", "compiled code is not kept with Numba 9.1.0, only with 0.68"),
        ("del numba.core.caching._Cache", "lacks what keeping compiled code needs"),
    ],
)
def test_with_another_numba_nothing_is_kept_and_all_is_right(change, reason, tmp_path):
    code = f"import logging, numba.core.caching\nlogging.basicConfig(level='INFO')\n{change}\n{ASK}"
    done = subprocess.run(fresh(code), env=around(tmp_path), capture_output=True, text=True, check=False)
    assert json.loads(done.stdout)["over"] is True
    assert done.stderr.count(reason) == 1
    assert code_in(tmp_path) == []


def test_whoever_extends_numba_keeps_nothing(tmp_path):
    code = f"from numba.extending import overload\n@overload(abs)\ndef mine(x): return None\n{ASK}"
    code = f"import types, sys\nmodule = types.ModuleType('extension')\nexec({code!r}, vars(module))"
    assert json.loads(run(code, tmp_path))["over"] is True
    assert code_in(tmp_path) == []


#: While numba is being imported, another thread imports SciPy.
BOTH = """
import sys, threading
told = []
def import_scipy():
    import scipy.linalg
    told.append(scipy.linalg.norm([3.0, 4.0]))
def look(event, arguments):
    if event == "import" and arguments[0] == "numba.np.arraymath" and not told:
        thread = threading.Thread(target=import_scipy)
        thread.start()
        thread.join()
sys.addaudithook(look)
import contienda.compiled.jit
import scipy
print(*told, scipy.__name__)
"""


def imported(code: str) -> str:
    """The output of a new interpreter, which has imported nothing."""
    return subprocess.run(fresh(code), capture_output=True, text=True, check=True).stdout


def test_importing_numba_hides_scipy_from_nobody():
    assert imported(BOTH) == "5.0 scipy\n"
    assert imported("import sys, contienda.compiled.jit; print('scipy' in sys.modules)") == "False\n"


def test_what_only_lists_loads_nothing_heavy():
    """Start-up is felt at every command: lists and help need no compiler, no statistics and no server."""
    heavy = "{'numba', 'llvmlite', 'scipy', 'fastapi', 'uvicorn'}"
    modules = "contienda, contienda.players, contienda.games, contienda.evaluation.catalogue, contienda.cli.commands"
    look = f"print(sorted({heavy} & set(sys.modules)))"
    told = imported(f"import sys, {modules}\n{look}\nimport contienda.compiled.jit\n{look}").splitlines()
    assert told[0] == "[]"
    assert "numba" in told[1]


# --- The command line ------------------------------------------------------------------------------------------------


@pytest.fixture
def at_cache(rules_only, monkeypatch):
    """Runs a command in this process with the cache of `rules_only`."""
    kept_folder.cache_clear()
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(rules_only))
    monkeypatch.setenv("COLUMNS", "200")
    yield here
    kept_folder.cache_clear()


def test_what_is_compiled_is_told_and_what_is_kept_is_shown_and_dropped(rules_only, at_cache):
    where = {"XDG_CACHE_HOME": str(rules_only)}
    hint = (
        "hint",
        "tictactoe",
        BOARD,
        "--player",
        "minimax:depth=3,ms=60000",
        "--json",
    )  # with a limit of time it is compiled
    quiet = process(*hint, **where)
    assert quiet.err == ""
    info = at_cache("cache", "info", "--json").json
    assert info["folder"] == str(rules_only / "contienda" / "code")
    assert info["files"] == len(code_in(rules_only)) > 0
    assert info["bytes"] == sum(file.stat().st_size for file in code_in(rules_only))
    assert info["damaged"] == 0
    assert set(info["versions"]) == {"python", "numba", "llvmlite", "numpy"}
    name = "contienda.search.minimax.build_minimax.<locals>.minimax"
    assert info["functions"][name]["files"] == 1

    assert process("--verbose", *hint, **where).err == ""  # nothing to compile
    searches = [f for f in code_in(rules_only) if read_kept(f.parent, f.stem).about["function"] == name]
    searches[0].unlink()
    told = process(*hint, "--verbose", **where)
    assert told.json["moves"] == quiet.json["moves"]
    assert told.err.startswith(f"contienda: compiled {name} in ")
    assert told.err.endswith(" s: no code was kept for it\n")
    searches[0].write_bytes(b"not code")
    assert "el archivo guardado estaba dañado" in process(*hint, "--verbose", "--lang", "es", **where).err

    shown = at_cache("cache", "info", "--lang", "es").out
    assert f"{info['files']} archivos" in shown
    assert name in shown
    assert at_cache("cache", "clear").out.startswith(f"{info['files']} files deleted")
    assert code_in(rules_only) == []
    assert at_cache("cache", "info", "--json").json["files"] == 0


def test_code_of_earlier_versions_is_dropped_too(tmp_path):
    old = tmp_path / "contienda" / "0123456789abcdef" / "games"
    old.mkdir(parents=True)
    (old / "x.nbi").write_bytes(b"xyz")
    assert process("cache", "clear", XDG_CACHE_HOME=str(tmp_path)).out.startswith("1 files deleted")
    assert not old.parent.exists()


def test_where_nothing_can_be_kept_the_command_says_so(tmp_path):
    (tmp_path / "file").touch()
    where = {"XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": "/dev/null"}
    code = "import tempfile; tempfile.tempdir = '/dev/null'; from contienda.cli import main; main(['cache', 'info'])"
    done = subprocess.run(fresh(code), env=os.environ | where, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(
        "contienda: compiled code cannot be kept: set XDG_CACHE_HOME to a folder that only you can write to"
    )
