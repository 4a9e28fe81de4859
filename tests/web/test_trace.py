"""Traces on the socket: the search of a position, of a drawn tree and of the 8-puzzle, bounded and cancellable."""

from __future__ import annotations

import asyncio
import threading

import pytest
from website import check_failure, open_line, open_site, searching, wait_until

from contienda.core.language import BadInput
from contienda.games import make_game
from contienda.players import make_player
from contienda.trace.making import make_trace
from contienda.web.work.compiler import Compiler
from contienda.web.work.processes import GaveWay, Workshop
from contienda.web.work.rehearsals import BoardRehearsal, TraceRehearsal
from contienda.web.work.warming import Task, Warming, usual_traces

BOARD = "2 4 16 2/8 32 64 4/0 4 128 16/0 0 2 256"
DRAWN = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with open_site(tmp_path_factory.mktemp("data"), events=2000) as site:
        yield site


@pytest.fixture
def line(site):
    with open_line(site.browser()) as line:
        yield line


def test_a_drawn_tree_is_cut_where_the_document_says(line):
    found = line.run("trace", game="tree", position=DRAWN, player="alphabeta")
    assert (found["value"], found["best"], found["counters"]["nodes"]) == (3.0, "1", 11)
    cut = [node for node in found["nodes"] if "cut" in node]
    assert [(node["move"], node["cut"]["value"], node["cut"]["skipped"]) for node in cut] == [("2", 2.0, 2)]
    assert set(cut[0]["cut"]["reason"]) == {"en", "es"}


def test_every_drawn_tree_has_a_player_of_its_own(line):
    """All of them are the game "tree": one must not answer for another."""
    values = [line.run("trace", game="tree", position=f"max[{n} 1]", player="minimax")["value"] for n in (5, 7)]
    assert values == [5.0, 7.0]


def test_a_position_is_traced_as_in_python(line):
    game = make_game("connect4")
    told = make_trace(make_player("alphabeta:depth=2", game), "4453").as_data()
    assert line.run("trace", game="connect4", position="4453", player="alphabeta:depth=2") == told


def test_the_8_puzzle_is_solved_with_its_frontier(line):
    found = line.run("trace", game="puzzle8", position="1 2 3/4 5 6/0 7 8", player="astar:h=manhattan")
    assert (found["family"], found["best"]) == ("path", "right right")
    assert {step["do"] for step in found["steps"]} >= {"make", "expand", "goal"}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "tree", "position": "max[3"}, "] is missing"),
        ({"game": "tree", "position": "chance[0.5:1 0.4:2]"}, "sum to 0.9, not 1"),
        ({"game": "go"}, "no game 'go'"),
        ({"player": "random"}, "nothing to trace"),
        ({"player": "human"}, "must be an algorithm"),
        ({"player": "alphabeta:eval=/etc/passwd:f"}, "file names are not allowed here"),
        ({"events": 2001}, "events=2001 exceeds the limit of 2000"),
        ({"events": 0}, "events is too small"),
        ({"position": "2 4"}, ""),
    ],
)
def test_what_cannot_be_traced_is_refused_in_one_line(line, changes, says):
    asked = {"game": "2048", "position": BOARD, "player": "expectimax:depth=1"} | changes
    assert says in line.failure("trace", **asked)


def test_a_trace_too_large_says_what_would_fit(line):
    asked = {"game": "2048", "position": BOARD, "player": "expectimax:depth=7", "events": 50}
    line.start("t", "trace", **asked)
    message = line.end_of("t")
    assert f"{message['fits']} fits" in check_failure(message)
    fitting = line.run("trace", **asked | {"player": f"expectimax:{message['fits']}"})
    assert fitting["truncated"] is None


#: Takes about 20 µs a board, so that the search lasts.
SLOW = """
def slow(board, weights):
    total = 0
    for i in range(20_000):
        total += i & board.cells
    return float(total)
"""


def test_a_trace_can_be_cancelled(site):
    visitor = site.browser()
    assert visitor.put("/api/heuristics/slow", json={"game": "2048", "source": SLOW}).status_code == 200
    with open_line(visitor) as line:
        asked = {"game": "2048", "position": BOARD, "player": "expectimax:depth=9,eval=mine/slow", "events": 2000}
        line.start("t", "trace", **asked)
        wait_until(lambda: searching() > 0)
        line.cancel("t")
        assert line.end_of("t")["event"] == "cancelled"
    wait_until(lambda: searching() == 0)


def test_what_is_warmed_waits_while_somebody_searches_and_ends_with_the_server():
    searching, done = threading.Event(), []
    searching.set()
    giving_way = {"first trace", "third trace"}

    def task(name):
        def load():
            if name in giving_way:
                giving_way.remove(name)
                raise GaveWay
            done.append(name)

        return Task(name, BoardRehearsal("tictactoe"), load)

    async def serve():
        in_peace = iter([task("first trace"), task("second trace"), task("third trace")])
        warming = Warming(Compiler(apart=False), iter([task("player")]), in_peace, searching.is_set, calm=0.3)
        warming.start()
        async with asyncio.timeout(30):
            while not done:
                await asyncio.sleep(0.01)
        await asyncio.sleep(1)
        assert done == ["player"]
        searching.clear()
        async with asyncio.timeout(30):
            while len(done) < 3:
                await asyncio.sleep(0.01)
        warming.stop()
        await asyncio.sleep(1)
        assert done == ["player", "second trace", "first trace"]

    asyncio.run(serve())


def test_what_could_not_be_warmed_is_logged_in_one_readable_line(caplog):
    def fail():
        raise BadInput("depth={depth} exceeds the limit of {most}", depth=5, most=2)

    tasks = [
        Task(what, BoardRehearsal("tictactoe"), fail) for what in ("expectimax for 2048", "alphabeta for connect4")
    ]
    asyncio.run(Warming(Compiler(apart=False), iter(tasks), iter([]), lambda: False).run())
    assert [record.getMessage() for record in caplog.records] == [
        "not prepared in advance: expectimax for 2048 (depth=5 exceeds the limit of 2), "
        "alphabeta for connect4 (depth=5 exceeds the limit of 2)"
    ]


def test_traces_are_loaded_where_they_are_recorded():
    """In the workshop's process: loaded in the server's, they would be of no use."""
    done = []

    class Noting(Workshop):
        def do_aside(self, work, *asked):
            done.append(asked)

    first = next(usual_traces(Noting(apart=False)))
    first = first._replace(rehearsal=BoardRehearsal("tictactoe"))
    asyncio.run(Warming(Compiler(apart=False), iter([first]), iter([]), lambda: False).run())
    assert done == [(TraceRehearsal("2048", "minimax:depth=3"),)]
