"""The process that compiles for the server: what it leaves behind, what it refuses, and how it ends."""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import forked
import httpx2
import pytest
from drive import unwarmed
from starlette.testclient import TestClient
from website import URL, Site, complaint, open_line, wait_until
from websockets.sync.client import connect

from contienda.compiled import jit
from contienda.compiled.jit import njit
from contienda.players import PLAYERS
from contienda.web.app import make_app
from contienda.web.settings import Settings
from contienda.web.work import compiler
from contienda.web.work.compiler import compiled_here

BOARD = "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")


@contextmanager
def open_apart(data):
    """A site whose compiling is done by another process."""
    app = make_app(Settings("127.0.0.1", 2048, data), apart=True)
    with TestClient(app, base_url=URL) as first:
        yield Site(app, first)


@pytest.fixture(scope="module")
def apart(tmp_path_factory):
    with open_apart(tmp_path_factory.mktemp("data")) as site:
        yield site


def heuristic(browser, source, name="mine"):
    return browser.put(f"/api/heuristics/{name}", json={"game": "2048", "source": source})


def hint(browser, player, game="2048", position=BOARD):
    return browser.post("/api/hint", json={"game": game, "position": position, "player": player})


def of_weight(number):
    """A heuristic that no other test has compiled."""
    return f"def value(board, weights):\n    return {number} + {os.getpid()}.0\n"


# --- What the server itself compiles: nothing ------------------------------------------------------------------------

# In a process of its own, for this one has compiled whatever tests ran before.
HINTS = """
import json, sys
from pathlib import Path
from starlette.testclient import TestClient
from contienda.web.app import make_app
from contienda.web.work.compiler import compiled_here
from contienda.web.settings import Settings

data, game, *players = sys.argv[1:]
app = make_app(Settings("127.0.0.1", 2048, Path(data)), apart=True)
answers = {}
with TestClient(app, base_url="http://localhost:2048") as browser:
    start = browser.post("/api/games", json={"game": game}).json()["start"]["text"]
    for player in players:
        asked = {"game": game, "position": start, "player": player}
        answers[player] = browser.post("/api/hint", json=asked).status_code
print(json.dumps({"answers": answers, "compiled": compiled_here()}))
"""


def hints_in_a_new_process(data, game, players, **environment):
    done = forked.run(
        [sys.executable, "-c", HINTS, str(data), game, *players],
        capture_output=True, encoding="utf-8", env=os.environ | environment, timeout=550, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def short(name):
    """The player's own code, in little time."""
    return f"{name}:ms=20" if name in ("champion", "solver") else name


@pytest.mark.parametrize(
    "game",
    ["tictactoe", pytest.param("2048", marks=pytest.mark.slow), pytest.param("connect4", marks=pytest.mark.slow)],
)
def test_for_a_hint_of_any_player_the_server_compiles_nothing(tmp_path, game):
    players = [short(name) for name in PLAYERS if name != "human"]
    found = hints_in_a_new_process(tmp_path, game, players)
    assert found["compiled"] == 0
    assert set(found["answers"].values()) == {200, 422}  # some do not play every game


def test_nor_where_nothing_was_ever_compiled(tmp_path):
    cache = tmp_path / "cache"
    found = hints_in_a_new_process(tmp_path, "tictactoe", ["minimax"], XDG_CACHE_HOME=str(cache))
    assert found == {"answers": {"minimax": 200}, "compiled": 0}
    assert [file for file in cache.rglob("*") if file.is_file()]


def test_whatever_else_a_browser_asks_for_is_compiled_apart(apart, monkeypatch):
    monkeypatch.setattr(jit, "OFTEN", math.inf)  # rules that earlier tests have called many times
    browser = apart.browser()
    before = compiled_here()
    game = browser.post("/api/games", json={"game": "connect4:rows=4,columns=4,connect=3"}).json()
    for column in "12":
        made = browser.post(f"/api/games/{game['id']}/moves", json={"revision": game["revision"], "move": column})
        game = made.json()["game"]
    assert browser.get(f"/api/games/{game['id']}/chart").status_code == 200
    saved = browser.get(f"/api/games/{game['id']}/file").text
    assert browser.post("/api/games/file", content=saved.replace("rows=4", "rows=5")).status_code == 201
    with open_line(browser) as line:
        line.run("trace", game="2048", position=BOARD, player="expectimax:depth=1")
        line.run("batch", game="2048", players=["greedy"], games=2, target=16)
        line.run("solution", game="2048", player="backtracking", target=16, seed="1")
    plan = 'game = "2048"\nplayers = ["greedy"]\ngames = 2\ntarget = 16\n'
    run = browser.post("/api/lab/runs", json={"plan": plan}).json()
    wait_until(lambda: browser.get(f"/api/lab/runs/{run['id']}").json()["status"] == "done")
    assert browser.put("/api/training/net", json={"network": "2x4", "games": 100}).status_code == 201
    wait_until(lambda: browser.get("/api/training/net").json()["status"] == "finished")
    assert compiled_here() == before


def test_who_waits_on_the_socket_is_told(apart):
    browser = apart.browser()
    assert heuristic(browser, of_weight(0.5)).status_code == 200
    with open_line(browser) as line:
        for _ in range(2):
            line.run("hint", game="2048", position=BOARD, player="greedy:eval=mine/mine")
    told = [message for message in line.seen if message["event"] == "progress"]
    assert told == [{"job": "hint", "event": "progress", "compiling": True}]  # the second time it is loaded already


def test_work_that_breaks_off_can_begin_again(apart):
    """Nothing of Numba's is left half done in the thread where it would have compiled."""

    lot = secrets.randbits(40)  # another function every time: a kept one would not be compiled

    @njit
    def times(number):
        return lot * number

    with pytest.raises(compiler._Missing):
        compiler._ban(times)(1)
    assert times(4) == 4 * lot


def test_where_no_code_can_be_kept_the_server_compiles(tmp_path, monkeypatch, caplog):
    with open_apart(tmp_path) as site:
        check_that_the_server_compiles(site.browser(), monkeypatch, caplog)


def check_that_the_server_compiles(browser, monkeypatch, caplog):
    monkeypatch.setattr(compiler._Process, "_ask", lambda *_: compiler._Answer(compiled=9, unkept=True))
    assert heuristic(browser, of_weight(0.75)).status_code == 200
    assert "no compiled code can be kept" in caplog.text
    before = compiled_here()
    monkeypatch.setattr(compiler._Process, "_ask", lambda *_: pytest.fail("asked in vain"))
    assert hint(browser, "greedy:eval=mine/mine").status_code == 200
    assert compiled_here() > before


# --- Heuristics ------------------------------------------------------------------------------------------------------


def test_a_heuristic_that_does_not_compile_is_told_with_its_line(apart):
    answer = heuristic(apart.browser(), "def value(board, weights):\n    n = 1\n    return n + unknown\n")
    assert complaint(answer) == (
        "`return n + unknown` does not compile: the name 'unknown' is not defined; use numbers, if, for, while and "
        "contienda.games.g2048.helpers"
    )
    assert answer.json()["line"] == 3


def test_an_edited_heuristic_is_another(apart):
    browser = apart.browser()
    values = []
    for number in (1.5, 2.5):
        assert heuristic(browser, of_weight(number)).status_code == 200
        found = hint(browser, "greedy:eval=mine/mine").json()
        values.append(found["moves"][0]["value"])
    assert values[1] - values[0] == 1.0


def test_a_heuristic_that_never_ends_keeps_nobody_waiting_but_those_who_bring_their_own(tmp_path, monkeypatch):
    monkeypatch.setattr(compiler, "_PATIENCE_OWN", 15.0)
    with open_apart(tmp_path) as site:
        endless, other = site.browser(), site.browser()
        begun, answers = tmp_path / "begun", []
        loop = f"import time\nopen({str(begun)!r}, 'w')\nwhile True:\n    time.sleep(1)\n"
        waiting = threading.Thread(target=lambda: answers.append(heuristic(endless, loop + of_weight(1))))
        waiting.start()
        wait_until(begun.exists)
        assert other.post("/api/games", json={"game": "connect4:rows=4,columns=6,connect=3"}).status_code == 201
        assert not answers
        assert heuristic(other, of_weight(3.5)).status_code == 200  # after the other was given up
        waiting.join()
        assert "not compiled within 15 s" in complaint(answers[0])
        assert endless.get("/api/heuristics").json() == []


def test_a_heuristic_that_crashes_takes_no_server_with_it(apart):
    browser = apart.browser()
    crash = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
    assert "crashed the compiler (SIGSEGV)" in complaint(heuristic(browser, crash + of_weight(1)))
    assert heuristic(browser, of_weight(4.5)).status_code == 200


# --- Processes -------------------------------------------------------------------------------------------------------


def descendants(pid):
    """All processes that a process has started, and those that they have."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, rest = status.parent.name, status.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(number)] = int(rest[1])
    found, new = set(), {pid}
    while new:
        new = {child for child, parent in parents.items() if parent in new}
        found |= new
    return found


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@LINUX
def test_a_compiler_that_was_killed_is_started_again(apart):
    browser = apart.browser()
    others = descendants(os.getpid())
    assert heuristic(browser, of_weight(5.5)).status_code == 200
    for pid in descendants(os.getpid()) - others:
        if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)
    assert heuristic(browser, of_weight(6.5)).status_code == 200


@LINUX
def test_a_server_answers_while_another_process_compiles_and_both_end_together(tmp_path):
    environment = {
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "200",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "NUMBA_CACHE_DIR": "",
    }
    server = forked.Popen(
        unwarmed("--port", 0, "--data", tmp_path / "data"),
        stdout=subprocess.PIPE, encoding="utf-8", env=os.environ | environment,
    )  # fmt: skip
    started = set()
    try:
        url = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
        with httpx2.Client(base_url=url, timeout=60) as browser:
            browser.get("/")
            cookie = {"Cookie": "; ".join(f"{name}={value}" for name, value in browser.cookies.items())}
            with connect(url.replace("http", "ws") + "api/live", additional_headers=cookie) as socket:
                # Nothing was ever compiled in this cache: neither the rules nor the search.
                asked = {"game": "connect4", "position": "", "player": "mtdf:depth=2"}
                socket.send(json.dumps({"job": "h", "kind": "hint"} | asked))
                told = json.loads(socket.recv(timeout=60))
                assert told == {"job": "h", "event": "progress", "compiling": True}
                wait_until(lambda: len(descendants(server.pid)) > 1)
                started = descendants(server.pid)
                for _ in range(20):
                    assert browser.get("/api/games").json() == []
                with pytest.raises(TimeoutError):  # it was answered in the midst of compiling
                    socket.recv(timeout=0)
                server.kill()
                server.wait()
        wait_until(lambda: not any(map(alive, started)))
    finally:
        server.kill()
        server.communicate()
        for pid in filter(alive, started):
            os.kill(pid, signal.SIGKILL)
