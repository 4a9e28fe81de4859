"""Games, players and searches from files outside the package, through everything: nothing knows them by name."""

from __future__ import annotations

import json
import shutil
import sqlite3
import textwrap
from pathlib import Path

import pytest
from drive import contienda, process

from contienda import make_game, make_player
from contienda.compiled.rng import generator
from contienda.core import extensions
from contienda.lab.results import Results
from contienda.players.catalogue import PLAYERS
from contienda.record import load_game
from contienda.trace.making import make_trace
from contienda.web.catalogue import catalogue
from contienda.web.games.opened import opened
from contienda.web.settings import Settings

TOYS = Path(__file__).parents[1] / "toys"
#: A game of each kind, and a player who looks at it: plain with buttons, plain with a board, plain with luck for one,
#: compiled with luck.
GAMES = {
    "./nim.py:Nim": "alphabeta:depth=3",
    "./three.py:Three": "mcts:sims=20",
    "./pig.py:Pig": "expectimax:depth=3",
    "./race.py:Race": "expectiminimax:depth=3",
}


@pytest.fixture(autouse=True)
def toys(tmp_path, monkeypatch) -> Path:
    """The toys in a folder of their own, where the commands are run."""
    for file in TOYS.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, text: str) -> None:
    Path(name).write_text(textwrap.dedent(text).lstrip(), encoding="utf-8")


def start_of(game: str) -> str:
    made = make_game(game)
    return made.format(made.start(generator(0)))


# --- Plain games: the same searches, interpreted ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=4",
        "alphabeta:depth=5",
        "alphabeta:depth=4,cutoffs=off",
        "alphabeta:depth=5,pvs=on",
        "alphabeta:depth=4,order=static",
        "alphabeta:nodes=500",
        "negamax:depth=5",
        "expectiminimax:depth=4",
        "greedy",
        "montecarlo:rollouts=5",
        "montecarlo:rollouts=3,policy=greedy",
        "mcts:sims=60",
    ],
)
@pytest.mark.parametrize("board", ["........./X", "X...O..../X", "X.O.X..../O"])
def test_a_search_sees_the_same_on_a_plain_game_and_on_its_compiled_twin(spec, board):
    cells, _, mover = board.partition("/")
    plain, twin = make_game("./three.py:Three"), make_game("tictactoe")
    second = " second" if mover == "O" else ""
    found = make_player(spec, plain).analyse(plain.parse(cells + second))
    wanted = make_player(spec, twin).analyse(twin.parse("/".join(cells[i : i + 3] for i in (0, 3, 6))))
    assert found.moves == wanted.moves
    assert found.best == wanted.best
    assert found.pv == wanted.pv
    for counter in ("nodes", "evaluations", "cutoffs", "depth"):
        assert getattr(found.counters, counter) == getattr(wanted.counters, counter)


@pytest.mark.parametrize("order", ["killers", "history"])
def test_orders_that_remember_moves_find_the_same_values(order):
    plain, twin = make_game("./three.py:Three"), make_game("tictactoe")
    found = make_player(f"alphabeta:depth=6,order={order}", plain).analyse(plain.parse("X...O...."))
    wanted = make_player("alphabeta:depth=6", twin).analyse(twin.parse("X../.O./..."))
    assert {move.move: move.value for move in found.moves} == {move.move: move.value for move in wanted.moves}


@pytest.mark.parametrize("spec", ["expectimax:depth=2", "expectimax:depth=2,cprob=0.001", "expectiminimax:depth=2"])
def test_luck_in_a_plain_game_is_averaged(spec):
    game = make_game("./pig.py:Pig")
    analysis = make_player(spec, game).analyse(game.parse("(0, 12, 1, False)"))
    # A roll: a sixth of nothing, and 14 to 18 otherwise.
    assert {move.move: move.value for move in analysis.moves} == pytest.approx({"bank": 12.0, "roll": 80 / 6})


def test_bounds_let_star_prune_a_plain_game():
    text = Path("pig.py").read_text(encoding="utf-8") + "\n\nclass Bounded(Pig):\n    bounds = (0, 200)\n"
    Path("bounded.py").write_text(text, encoding="utf-8")
    game = make_game("./bounded.py:Bounded")
    state = game.parse("(0, 12, 2, False)")
    wanted = make_player("expectimax:depth=5", game).analyse(state)
    for prune in ("star1", "star2"):
        found = make_player(f"expectimax:depth=5,prune={prune}", game).analyse(state)
        assert {m.move: m.value for m in found.moves} == pytest.approx({m.move: m.value for m in wanted.moves})


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        ("./nim.py:Nim", "alphabeta:table=on"),
        ("./nim.py:Nim", "mtdf"),
        ("./nim.py:Nim", "minimax:reuse=on"),
        ("./pig.py:Pig", "expectimax:table=on"),
    ],
)
def test_what_needs_compiled_rules_is_refused_with_a_way_out(game, spec):
    said = contienda("hint", game, start_of(game), "--player", spec).complaint
    assert "needs compiled rules" in said
    assert "write-a-game.md" in said


def test_an_own_evaluator_of_a_plain_game_gets_the_position():
    write(
        "views.py",
        """
        from contienda import evaluator

        def stones(heaps, weights):
            return float(sum(heaps))

        @evaluator(weights={"push": 2.0})
        def mover(heaps, mover, weights):
            return weights.push * sum(heaps) if mover == 1 else 0.0

        def mine(heaps, mover):
            return 5.0 if mover == 1 else 0.0
        """,
    )
    found = contienda("evaluate", "./nim.py:Nim", "(1, 3, 5)", "--eval", "./views.py:stones", "--json").json
    assert found["value"] == 9
    # The other player is MAX, for whom much is little.
    found = contienda("evaluate", "./nim.py:Nim", "(1, 3, 5) second", "--eval", "./views.py:stones", "--json").json
    assert found["value"] == -9
    found = contienda("evaluate", "./nim.py:Nim", "(1, 3, 5)", "--eval", "./views.py:mover,push=3", "--json").json
    assert found["value"] == 27
    assert contienda("evaluate", "./nim.py:Nim", "(1,)", "--eval", "./views.py:mine", "--json").json["value"] == 5
    spec = "minimax:depth=1,eval=./views.py:stones"
    moves = contienda("hint", "./nim.py:Nim", "(1, 3, 5)", "--player", spec, "--json").json["moves"]
    assert (moves[0]["move"], moves[0]["value"]) == ("1-1", 8)


POSITIONS = """
    from dataclasses import dataclass
    from enum import Enum
    from fractions import Fraction
    from typing import NamedTuple

    from contienda import PlainGame

    class Heap(NamedTuple):
        stones: int

    class Pairs(PlainGame):
        class Sky(Enum):
            CLEAR = "no clouds"

        @dataclass(frozen=True)
        class Pair:
            left: int
            right: frozenset
            share: Fraction = Fraction(1, 3)
            words: frozenset = frozenset({"b", "a", "c"})
            sky: Enum = None

        def start(self):
            return self.Pair(2, frozenset({Heap(3), Heap(1)}), sky=self.Sky.CLEAR)

        def moves(self, pair):
            return ["left now"] * (pair.left > 0) + sorted(heap.stones for heap in pair.right)

        def play(self, pair, move):
            if move == "left now":
                return self.Pair(pair.left - 1, pair.right)
            return self.Pair(pair.left, frozenset(heap for heap in pair.right if heap.stones != move))

        def worth(self, pair, mover):
            return mover

    class Thing:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            return isinstance(other, Thing)

    class Things(Pairs):
        def start(self):
            return 1, Thing()

        def moves(self, position):
            return [4] * (position[0] == 1)

        def play(self, position, move):
            return 2, position[1]
"""


def test_positions_may_be_any_hashable_thing_and_are_written_and_read_back():
    write("pairs.py", POSITIONS)
    game = make_game("./pairs.py:Pairs")
    start = game.start(generator(0))
    assert game.parse(game.format(start)) == start
    assert game.from_numbers(game.as_numbers(start), start) == start
    # The same in every process, in whatever order a set keeps its members.
    assert game.format(start) == (
        "Pair(left=2, right=frozenset({Heap(stones=1), Heap(stones=3)}), share=Fraction(1, 3), "
        "words=frozenset({'a', 'b', 'c'}), sky=Sky.CLEAR)"
    )
    assert [game.action_name(start, action) for action in game.legal_actions(start)] == ["left-now", "1", "3"]
    assert contienda("check", "./pairs.py:Pairs").code == 0
    # Nothing but such positions is made from a text.
    said = contienda("hint", "./pairs.py:Pairs", "__import__('os').getcwd()").complaint
    assert "is not a position of ./pairs.py:Pairs" in said
    # What has no text to read is searched from its start all the same.
    assert "4" in contienda("hint", "./pairs.py:Things").out
    assert "./pairs.py:Things hold Thing, which cannot be read" in contienda("check", "./pairs.py:Things").out


def test_a_text_that_is_no_position_is_refused_without_our_own_code():
    said = contienda("hint", "./nim.py:Nim", "((1, 2").complaint
    assert "'((1, 2' is not a position of ./nim.py:Nim; write one as (1, 3, 5)" in said
    said = contienda("hint", "./nim.py:Nim", "7").complaint  # read, but `moves` fails on it
    assert "'7' is not a position of ./nim.py:Nim: " in said
    assert "nim.py:" in said.partition("of ./nim.py:Nim")[2]
    assert "BadInput" not in said


def test_a_list_of_players_leaves_out_options_that_a_game_refuses():
    def options(game, player="alphabeta"):
        listed = contienda("list", "players", "--game", game, "--json").json["players"]
        return set(next(each for each in listed if each["name"] == player)["parameters"])

    assert {"depth", "order", "pvs"} <= options("./nim.py:Nim")
    assert not options("./nim.py:Nim") & {"table", "reuse", "memory", "opponent"}  # plain, and without chance
    assert options("tictactoe") >= {"table", "reuse", "memory"}
    assert "opponent" in options("2048")
    said = contienda("hint", "tictactoe", "--player", "alphabeta:opponent=twos").complaint
    assert "opponent=twos: in tictactoe nothing stands in for chance" in said


def test_a_parameter_of_an_own_game_stays_within_its_limits():
    said = contienda("hint", "./race.py:Race:goal=1000").complaint
    assert "goal=1000 must be from 1 to " in said


def test_a_game_says_whose_turn_it_is_where_players_do_not_alternate():
    write(
        "again.py",
        """
        from contienda import PlainGame

        class Again(PlainGame):
            '''Who takes an odd number moves again.'''

            def start(self):
                return (6, 1)

            def turn(self, position):
                return position[1]

            def moves(self, position):
                return [take for take in (1, 2) if take <= position[0]]

            def play(self, position, take):
                return position[0] - take, position[1] if take == 1 else 3 - position[1]

            def worth(self, position, mover):
                return 1 if mover == 1 else -1
        """,
    )
    game = make_game("./again.py:Again")
    after = game.apply(game.start(generator(0)), 0)
    assert game.format(after) == "(5, 1)"
    assert game.rules.turn(after) == 0
    assert contienda("check", "./again.py:Again").code == 0
    assert contienda("play", "./again.py:Again", "--opponent", "random", "--seed", "1", "--json").code == 0


# --- On the command line ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_play_hint_trace_and_record(game, tmp_path):
    spec = GAMES[game]
    sides = ["--player", spec, *(["--opponent", "random"] if make_game(game).sides == 2 else [])]
    ran = contienda("play", game, *sides, "--seed", "1", "--games", "2", "--save", "kept", "--json")
    report = ran.json
    assert ran.err.replace("created the folder kept\n", "") == ""
    assert report["game"] == game
    assert [row["seed"] for row in report["games"]] == [1, 2]

    saved = sorted(Path("kept").iterdir())
    assert [file.name for file in saved] == [f"{game.partition(':')[2]}-{seed}.json" for seed in (1, 2)]
    played = load_game(saved[0])
    assert (played.game.spec, played.ended) == (game, "over")
    assert contienda("check", saved[0]).code == 0
    assert contienda("replay", saved[0], "--end").code == 0

    start = start_of(game)
    hint = contienda("hint", game, start, "--player", spec, "--json").json
    assert [move["move"] for move in hint["moves"]]
    assert contienda("hint", game, start, "--player", spec).code == 0
    trace = contienda("trace", game, start, "--player", spec, "-o", "tree.json")
    assert trace.code == 0, trace.err
    tree = json.loads(Path("tree.json").read_text(encoding="utf-8"))
    assert tree["game"] == game
    assert len(tree["nodes"]) > 3
    for ending in ("svg", "html", "txt"):
        drawn = contienda("trace", game, start, "--player", spec, "-o", f"tree.{ending}")
        assert drawn.code in (0, 2), drawn.err
    assert contienda("evaluate", game, start, "--json").code == 0


def test_a_person_plays_a_game_of_their_own():
    game = "./nim.py:Nim:heaps=1"
    ran = contienda("play", game, "--player", "minimax", "--opponent", "human", "--seed", "1", stdin="1-1\n")
    assert ran.code == 0, ran.err
    assert "first 1" in ran.out
    ran = contienda("play", game, "--player", "human", "--opponent", "minimax", "--seed", "1", stdin="5\n1-1\n")
    assert "no move '5' here: there are 1-1" in ran.out
    assert "first 1" in ran.out


def test_a_plain_game_says_once_how_to_make_it_faster_but_not_beside_json():
    ran = contienda("play", "./nim.py:Nim", "--player", "random", "--opponent", "random", "--seed", "1", "--games", "3")
    assert ran.err.count("runs in the interpreter") == 1
    ran = contienda("play", "./race.py:Race", "--player", "random", "--opponent", "random", "--seed", "1")
    assert "interpreter" not in ran.err
    ran = contienda("--lang", "es", "play", "./nim.py:Nim", "--player", "random", "--opponent", "random", "--seed", "1")
    assert "va por el intérprete" in ran.err


@pytest.fixture
def toybox(toys, monkeypatch) -> Path:
    """The toys as an installed package, which offers a game, a player and an evaluator; another game is missing."""
    monkeypatch.syspath_prepend(toys)
    (toys / "toybox").mkdir()
    for file in toys.glob("*.py"):
        file.rename(toys / "toybox" / file.name)
    (toys / "toybox" / "judge.py").write_text(
        'def few(heaps, weights):\n    """Few stones."""\n    return -sum(heaps)\n', encoding="utf-8"
    )
    folder = toys / "toybox-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toybox\nVersion: 1.0\n", encoding="utf-8")
    offers = """
        [contienda.games]
        takeaway = toybox.nim:Nim
        gone = toybox.gone:Gone
        [contienda.players]
        lastborn = toybox.players:last
        [contienda.evaluators]
        few = toybox.judge:few
    """
    (folder / "entry_points.txt").write_text(textwrap.dedent(offers), encoding="utf-8")
    return toys


def test_a_game_of_a_module(toybox):
    ran = contienda("play", "toybox.nim:Nim", "--opponent", "random", "--seed", "1", "--json")
    assert ran.json["game"] == "toybox.nim:Nim"


def test_an_installed_package_offers_games_players_and_evaluators_everywhere(toybox):
    ran = contienda("play", "takeaway:heaps=2", "--player", "lastborn:from_end=2", "--opponent", "lastborn", "--json")
    assert ran.json["game"] == "takeaway:heaps=2"
    hint = contienda("hint", "takeaway", "(1, 3)", "--player", "minimax:depth=1,eval=few", "--json").json
    assert {move["move"]: move["value"] for move in hint["moves"]} == {"1-1": -3, "2-1": -3, "2-2": -2, "2-3": -1}
    assert "MIN" in contienda("trace", "takeaway", "(1, 2)", "--player", "minimax:depth=2").out
    assert contienda("perft", "takeaway", "--depth", "2", "--json").json["leaves"] == 59
    plan_for("takeaway", "lastborn")
    assert contienda("lab", "run", "plan.toml", "--out", "out.sqlite").code == 0

    listed = contienda("list", "--json").json
    names = {kind: [each["name"] for each in found] for kind, found in listed.items()}
    assert "takeaway" in names["games"]
    assert "lastborn" in names["players"]
    assert "few" in names["evaluators"]
    assert "takeaway" in contienda("play", "takeaways").complaint

    opened.begin(True)
    app = catalogue(Settings("127.0.0.1", 0, toybox), False)
    assert "takeaway" in app["games"]
    assert "takeaway" in next(player["games"] for player in app["players"] if player["name"] == "lastborn")
    opened.begin(False)
    app = catalogue(Settings("0.0.0.0", 0, toybox), False)
    assert "lastborn" not in [player["name"] for player in app["players"]]


def test_what_a_package_cannot_offer_leaves_the_rest_alone(toybox, caplog):
    extensions._warn.cache_clear()  # it warns once a process
    assert "takeaway" in [game["name"] for game in contienda("list", "games", "--json").json["games"]]
    assert "cannot import 'toybox.gone'" in caplog.text
    assert "cannot import 'toybox.gone'" in contienda("hint", "gone").complaint


# --- In the laboratory ------------------------------------------------------------------------------------------------

PLAN = """
    name = "toys"
    game = "{game}"
    players = ["{player}", "random"]
    {opponents}
    games = 4
"""


def plan_for(game: str, player: str) -> None:
    opponents = 'opponents = ["random"]' if make_game(game).sides == 2 else ""
    write("plan.toml", PLAN.format(game=game, player=player, opponents=opponents))


def games_in(results: str) -> list[list[str]]:
    """The table of all games, but for what depends on the machine."""
    assert contienda("lab", "export", results, "--out", "table.csv").code == 0
    rows = Path("table.csv").read_text(encoding="utf-8").splitlines()
    header = rows[0].split(",")
    drop = {header.index("seconds"), header.index("host")}
    return [[v for i, v in enumerate(row.split(",")) if i not in drop] for row in rows]


#: A process of its own costs 4 s of CPU: one game whose rules are compiled, and one whose rules are not.
@pytest.mark.parametrize(
    ("game", "elsewhere"),
    [(game, game in ("./nim.py:Nim", "./race.py:Race")) for game in GAMES]
    + [pytest.param(game, True, marks=pytest.mark.slow) for game in ("./three.py:Three", "./pig.py:Pig")],
)
def test_the_laboratory_plays_it_on_threads_and_in_processes_alike(game, elsewhere):
    plan_for(game, GAMES[game])
    here = contienda("lab", "run", "plan.toml", "--threads", "2", "--out", "threads.sqlite")
    assert here.code == 0, here.err
    assert len(games_in("threads.sqlite")) == 9
    if elsewhere:
        there = process("lab", "run", "plan.toml", "--processes", "1", "--out", "processes.sqlite")
        assert there.code == 0, there.err
        assert games_in("processes.sqlite") == games_in("threads.sqlite")


def test_results_keep_the_game_and_are_played_on_from_it():
    plan_for("./nim.py:Nim", "./players.py:last")
    done = contienda("lab", "run", "plan.toml", "--threads", "1", "--out", "toys.sqlite")
    assert done.code == 0, done.err
    report = contienda("lab", "report", "toys.sqlite", "--out", "toys.html")
    assert report.code == 0, report.err
    page = Path("toys.html").read_text(encoding="utf-8")
    assert "the player who cannot move has lost" in page
    assert "The last of the legal moves" in page
    # The files go; games that are missing are played by what the results keep.
    with_game = [source.place for source in Results(Path("toys.sqlite")).sources()]
    assert with_game == ["./nim.py", "./players.py"]
    with sqlite3.connect("toys.sqlite") as db:
        db.execute("DELETE FROM results WHERE seed = (SELECT max(seed) FROM results)")
    Path("nim.py").unlink()
    Path("players.py").unlink()
    resumed = contienda("lab", "resume", "toys.sqlite")
    assert resumed.code == 0, resumed.err
    assert "./nim.py no longer exists" in resumed.err
    # One that says something else is another game.
    shutil.copy(TOYS / "players.py", "players.py")
    Path("nim.py").write_text((TOYS / "nim.py").read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert "./nim.py has changed" in contienda("lab", "resume", "toys.sqlite").complaint


# --- What is wrong with a game is said in a line ----------------------------------------------------------------------

SOUND = """
    from contienda import PlainGame

    class Odd(PlainGame):
        def start(self):
            return 3

        def moves(self, left):
            return [1, 2][:left]

        def play(self, left, take):
            return left - take

        def worth(self, left, mover):
            return 1
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("return 3", "return [3]", 4, "a position must be hashable, and a list is not"),
        ("return left - take", "return [left - take]", 10, "a position must be hashable, and a list is not"),
        ("return left - take", "return left - take / 0", 11, "`return left - take / 0` fails: ZeroDivisionError"),
        ("[1, 2][:left]", "None", 7, "moves must return a list of moves; it returned None"),
        ("[1, 2][:left]", "list(range(100))", 7, "a position may have at most 64 moves; 3 has 100"),
        ("return 1\n", "return 'much'\n", 13, "worth must return a number; it returned 'much'"),
        (
            "def worth",
            "def luck(self, left):\n        return {1: 0.5}\n\n    def worth",
            13,
            "must add up to 1; at",
        ),
        (
            "def worth",
            "def luck(self, left):\n        return [1]\n\n    def worth",
            13,
            "luck must return None or a dict",
        ),
        (
            "def worth",
            "def luck(self, left):\n        return {1: 1.5, 2: -0.5}\n\n    def worth",
            13,
            "a probability of luck is negative at 3",
        ),
        (
            "def worth",
            "def turn(self, left):\n        return 0\n\n    def worth",
            13,
            "turn must return 1 or 2; it returned 0",
        ),
        (
            "def worth",
            "def draw(self, left):\n        return 'x'\n\n    def worth",
            13,
            "draw must return a Picture or None",
        ),
        ("def worth(self, left, mover):", "def score(self):", 3, "Odd lacks the method worth"),
        ("def worth", "players = 3\n\n    def worth", 3, "players = 3 must be 1 or 2"),
        ("def worth", "title = 3\n\n    def worth", 3, "title = 3 must be a string"),
        ("def worth", "bounds = (5, 1)\n\n    def worth", 3, "bounds = (5, 1) must be a pair (low, high)"),
        ("def worth", "evaluators = ('x',)\n\n    def worth", 3, "evaluators = ('x',) must be a tuple of Evaluators"),
        ("def worth", "def __init__(self, x):\n        pass\n\n    def worth", 3, "Odd() fails: TypeError"),
        ("def moves(self, left)", "def moves(self)", 7, "moves fails: TypeError: Odd.moves() takes 1"),
        ("return left - take", "raise SystemExit(3)", 11, "fails: SystemExit: 3"),
    ],
)
def test_a_mistake_in_a_plain_game_is_told_with_its_line(old, new, line, said):
    text = textwrap.dedent(SOUND).lstrip()
    assert text.count(old) == 1
    Path("odd.py").write_text(text.replace(old, new), encoding="utf-8")
    ran = contienda(
        "play", "./odd.py:Odd", "--player", "expectiminimax:depth=3", "--opponent", "human", stdin="1\n1\n1\n1\n"
    )
    assert ran.code == 2
    assert "Traceback" not in ran.err
    complaint = ran.err.splitlines()[-1]
    assert said in complaint
    assert f"{Path('odd.py').absolute()}:{line}: " in complaint


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return left - take", "return left - take / 0", "fails: ZeroDivisionError"),
        ("[1, 2][:left]", "[1, 1][:left]", "names: two legal actions have the same name"),
        ("[1, 2][:left]", "[]", "state: the game is over before the first move"),
        (
            "def worth",
            "def draw(self, left):\n        from contienda.core.picture import Picture\n"
            "        return Picture(1, 1, ('X',))\n\n    def worth",
            "picture: 'X' is neither a Piece nor None",
        ),
        ("return left - take", "return left", "end: game 0 is not over after 10000 actions"),
        ("return 1\n", "return float('nan')\n", "end: the utility of an ended game is nan"),
        (
            "def worth",
            "def read(self, text):\n        return 1\n\n    def worth",
            "text: parse reads '3' as another state",
        ),
        (
            "def worth",
            "def click(self, left, take):\n        return take\n\n    def worth",
            "gesture: the gesture of 1 does not fit",
        ),
    ],
)
def test_check_says_what_is_wrong_with_a_game(old, new, said):
    text = textwrap.dedent(SOUND).lstrip()
    Path("odd.py").write_text(text, encoding="utf-8")
    assert contienda("check", "./odd.py:Odd").code == 0
    Path("odd.py").write_text(text.replace(old, new), encoding="utf-8")
    ran = contienda("check", "./odd.py:Odd")
    assert (ran.code, ran.err) == (1, "")
    assert any(said in line for line in ran.out.splitlines()), ran.out
    assert all(line.startswith("./odd.py:Odd: ") for line in ran.out.splitlines())


def test_check_tells_each_fault_in_a_line_of_its_own():
    text = textwrap.dedent(SOUND).lstrip()
    text = text.replace("[1, 2][:left]", "[1, 1][:left]").replace("return 1\n", "return float('inf')\n")
    Path("odd.py").write_text(text, encoding="utf-8")
    lines = contienda("check", "./odd.py:Odd").out.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["names", "end"]


@pytest.mark.parametrize("game", [*GAMES, "./nim.py:Nim:heaps=2", "tictactoe"])
def test_the_toys_keep_the_contract(game):
    ran = contienda("check", game)
    assert (ran.code, ran.err) == (0, ""), ran.out


PICTURES = """
    from contienda.core.picture import Gesture, Motion, Picture, Piece, FIRST
    from contienda.games.tictactoe import TicTacToe

    class Flat(TicTacToe):
        def picture(self, state):
            return super().picture(state)._replace(rows=2)

    class Off(TicTacToe):
        def picture(self, state):
            return super().picture(state)._replace(marked=(9,))

    class Pink(TicTacToe):
        def picture(self, state):
            return super().picture(state)._replace(pieces=(Piece("X", "first"),) * 9)

    class Away(TicTacToe):
        def gesture(self, state, action):
            return Gesture("cell", action + 9)

    class Twice(TicTacToe):
        def gesture(self, state, action):
            return Gesture("cell", 0)

    class Ghost(TicTacToe):
        def motions(self, before, action, after):
            return [Motion(action, action)]
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Flat", "picture: 2 × 3 cells and 9 pieces"),
        ("Off", "picture: cell 9 is not on the board of 9 cells"),
        ("Pink", "picture: role = 'X': there are 'first', 'second', 'neutral', 'tile'"),
        ("Away", "gesture: the gesture of 1 does not fit a board"),
        ("Twice", "gesture: 1 and 2 have the same gesture"),
        ("Ghost", "no piece moves as Motion"),
    ],
)
def test_check_looks_at_pictures_gestures_and_motions(name, said):
    write("pictures.py", PICTURES)
    ran = contienda("check", f"./pictures.py:{name}")
    assert ran.code == 1
    assert said in ran.out
    if said.startswith("picture"):  # what no screen could draw: no command makes a traceback of it
        line = {"Flat": 5, "Off": 9, "Pink": 13}[name]
        assert f"pictures.py:{line}: {said}" in contienda("hint", f"./pictures.py:{name}").complaint


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("./gone.py:Nim", "there is no file ./gone.py"),
        ("./nim.py:Nym", "./nim.py has no game class 'Nym': it has Nim"),
        ("./nim.py:Nim:heap=3", "has no parameter 'heap': it has heaps"),
        ("./nim.py:Nim:heaps=many", "heaps=many must be a whole number"),
        ("toys.nothing:Nim", "cannot import 'toys.nothing'"),
        ("nym", "no game 'nym': there are"),
    ],
)
def test_a_game_that_is_not_there_is_refused(game, said):
    assert said in contienda("play", game).complaint


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("@njit\ndef over", "def over", "./race.py:Race: the rule over is not compiled: write @njit before it"),
        (
            "state.max >= state.goal else",
            "state.far >= state.goal else",
            "far >= state.goal else -1.0` does not compile: ",
        ),
        ('return f"{state.max} ', 'return 1 / 0 or f"{state.max} ', "fails: ZeroDivisionError"),
    ],
)
@pytest.mark.parametrize("command", ["play", "hint", "check"])
def test_a_mistake_in_a_compiled_game_is_told_in_a_line(old, new, said, command):
    text = Path("race.py").read_text(encoding="utf-8")
    assert text.count(old) == 1
    Path("race.py").write_text(text.replace(old, new), encoding="utf-8")
    more = {
        "hint": ["0 0 1 2", "--player", "mcts:sims=9"],
        "play": ["--player", "human", "--save", "kept"],
        "check": [],
    }
    ran = contienda(command, "./race.py:Race", *more[command], stdin="advance\n" * 20)
    if "1 / 0" in new and command == "hint":
        return  # nothing is written down there
    assert ran.code == (1 if command == "check" and "@njit" not in old else 2), ran.out
    assert "Traceback" not in ran.err
    assert said in (ran.out if ran.code == 1 else ran.err)


def test_moves_that_are_no_integer_are_refused_before_a_search_sees_them():
    text = Path("race.py").read_text(encoding="utf-8").replace("return 0b111 if", "return 7.5 if")
    Path("race.py").write_text(text, encoding="utf-8")
    said = contienda("play", "./race.py:Race", "--player", "random", "--opponent", "random").complaint
    assert "./race.py:Race: candidates must return an integer, and it returns 3.0" in said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "parameters = {",
            "levels = (('Easy', 'random'),)\n    parameters = {",
            "levels: ('Easy', 'random') is not a Level",
        ),
        ('"goal": Parameter(6', '"laps": Parameter(6', "parameters: the game does not store its parameter laps"),
        ("Parameter(6, Text(", "Parameter(6, str(", "parameters: goal is not a Parameter of a number and a Text"),
    ],
)
def test_a_game_that_would_spoil_the_lists_is_refused(old, new, said):
    text = Path("race.py").read_text(encoding="utf-8").replace(', es="la distancia"', "")
    assert text.count(old) == 1
    Path("race.py").write_text(text.replace(old, new), encoding="utf-8")
    for command in ("play", "check", "hint"):
        assert said in contienda(command, "./race.py:Race").complaint


def test_rules_that_a_game_makes_for_its_size_are_compiled_or_refused():
    text = Path("race.py").read_text(encoding="utf-8").replace("@njit\ndef over", "def over")
    text = text.replace("    rules = Rules(", "    made = Rules(")
    text += "\n    def __init__(self, goal=6):\n        self.goal, self.rules = goal, self.made\n"
    Path("race.py").write_text(text, encoding="utf-8")
    assert "the rule over is not compiled: write @njit before it" in contienda("check", "./race.py:Race").complaint


def test_the_first_evaluator_that_a_game_lists_is_its_default():
    write(
        "listed.py",
        """
        from contienda import Evaluator
        from contienda.games.othello import Othello
        from contienda.games.tictactoe import TicTacToe, utility
        from nim import Nim

        class Plain(Nim):
            evaluators = (Evaluator("left", {"left": sum}),)

        class Named(Plain):
            default_evaluator = "guess"

        class Compiled(TicTacToe):
            evaluators = (Evaluator("won", {"won": utility}), Evaluator("lost", {"lost": utility}))

        class Inherited(Othello):
            evaluators = Othello.evaluators[::-1]
        """,
    )
    names = ("Plain", "Named", "Compiled", "Inherited")
    found = [make_game(f"./listed.py:{name}").default_evaluator for name in names]
    assert found == ["left", "guess", "won", "othello"]


def test_texts_of_a_compiled_game_may_be_strings():
    text = Path("race.py").read_text(encoding="utf-8")
    assert "title = Text(" in text
    Path("race.py").write_text(text + "\n\nclass Said(Race):\n    title = 'The race'\n", encoding="utf-8")
    assert make_game("./race.py:Said").title.in_all_languages() == {"en": "The race", "es": "The race"}


def test_an_edit_counts_at_once():
    game = make_game("./nim.py:Nim")
    assert make_game("./nim.py:Nim").rules is game.rules  # what was compiled for one serves the next
    text = Path("nim.py").read_text(encoding="utf-8")
    Path("nim.py").write_text(text.replace('"heaps": 3', '"heaps": 2'), encoding="utf-8")
    assert start_of("./nim.py:Nim") == "(1, 3)"


# --- Players and searches of one's own --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "./players.py:last",
        "./players.py:last:from_end=2",
        "./players.py:valued",
        "./players.py:build",
        "./players.py:build:levels=2",
        "./players.py:Stubborn",
        "./players.py:build_search:depth=2",
        "./players.py:build_search:ms=20",
        "./players.py:build_search:nodes=50,bonus=0.5",
    ],
)
@pytest.mark.parametrize("game", ["./nim.py:Nim", "tictactoe"])
def test_an_own_player_plays_and_gives_hints(spec, game):
    report = contienda("play", game, "--player", spec, "--opponent", "random", "--seed", "1", "--json").json
    assert report["player"] == spec or spec.startswith("./players.py:build")
    hint = contienda("hint", game, start_of(game), "--player", spec, "--json").json
    assert hint["best"] == hint["moves"][0]["move"]


def test_an_own_search_is_one_of_the_searches():
    game = make_game("tictactoe")
    state = game.parse("X.O/.X./...")
    own = make_player("./players.py:build_search:depth=4", game)
    wanted = make_player("minimax:depth=4", game)
    assert own.analyse(state).moves == wanted.analyse(state).moves
    assert own.analyse(state).counters.nodes == wanted.analyse(state).counters.nodes
    assert len(make_trace(own, state).nodes) == len(make_trace(wanted, state).nodes)
    told = contienda("trace", "./nim.py:Nim", "(1, 2)", "--player", "./players.py:build_search:depth=3")
    assert told.code == 0, told.err


def test_an_own_search_takes_the_evaluator_and_its_weights():
    write(
        "views.py",
        """
        from contienda import evaluator
        from contienda.games.g2048.helpers import score

        @evaluator(weights={"scale": 1.0})
        def spread(board, weights):
            return weights.scale * (score(board) + 1)
        """,
    )
    spec = "./players.py:build_search:depth=2,eval=./views.py:spread,scale=2,opponent=twos"
    said = contienda("hint", "2048", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "--player", spec).complaint
    assert "has no weight 'opponent'" in said
    found = contienda(
        "hint", "2048", "2 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0", "--json",
        "--player", "./players.py:build_search:depth=1,eval=./views.py:spread,scale=2",
    ).json  # fmt: skip
    assert found["moves"][0]["value"] == 10  # the merge makes 4 points


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("./players.py:cheat", "its move 63 is not legal at (1, 3, 5): there are 1-1"),
        (
            "./players.py:broken",
            "players.py:31: `return game.legal_actions(state)[len(state) * 100]` fails: IndexError",
        ),
        ("./players.py:lost", "./players.py has no player"),
        ("./players.py:last:colour=red", "./players.py:last has no parameter 'colour': it has from_end"),
        ("./players.py:build:levels=2,colour=red", "has no parameter 'colour'"),
        ("./players.py:last:from_end=x", "from_end=x is not a whole number"),
        ("lost", "no player 'lost': there are human"),
    ],
)
def test_what_is_wrong_with_an_own_player_is_said_in_a_line(spec, said):
    assert said in contienda("hint", "./nim.py:Nim", "(1, 3, 5)", "--player", spec).complaint


def test_a_search_that_knows_no_luck_is_refused_by_a_game_of_luck():
    said = contienda("play", "./race.py:Race", "--player", "./players.py:build_search:depth=2").complaint
    assert "./players.py:build_search does not play ./race.py:Race" in said


def test_luck_may_return_none_and_mtdf_is_not_offered():
    write("coin.py", COIN)
    game = make_game("./coin.py:Coin")
    assert contienda("check", "./coin.py:Coin").code == 0
    assert game.about.into("en") == "Toss a coin once"
    assert not PLAYERS["mtdf"].takes(make_game("./nim.py:Nim"))
    assert PLAYERS["alphabeta"].takes(make_game("./nim.py:Nim"))


COIN = """
    from contienda import PlainGame

    class Coin(PlainGame):
        '''Toss a coin once.'''
        players = 1

        def start(self):
            return "ready"

        def luck(self, state):
            if state == "tossed":
                return {"heads": 0.5, "tails": 0.5}

        def moves(self, state):
            return ["toss"] if state == "ready" else []

        def play(self, state, move):
            return "tossed" if move == "toss" else move

        def worth(self, state, mover):
            return float(state == "heads")
"""


def test_a_set_of_moves_without_a_sign_is_refused_before_a_search_loses_moves():
    text = Path("race.py").read_text(encoding="utf-8")
    old = text[text.index("def candidates(state):") :].split("\n\n\n")[0]
    Path("race.py").write_text(text.replace(old, "def candidates(state):\n    return 1 | (1 << 63)"), encoding="utf-8")
    for command in ("play", "perft", "check"):
        assert "is not a signed 64-bit integer" in contienda(command, "./race.py:Race").complaint
