"""``contienda web`` as a process: killed during work, sent nonsense, ended with Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import forked
import httpx2
import pytest
from drive import command, contienda, process, unwarmed
from websockets.sync.client import connect

from contienda.compiled.stopping import Stop
from contienda.games import make_game
from contienda.match import Match
from contienda.players import make_player
from contienda.record import result_of, states_of

DOCS = Path(__file__).parents[2] / "docs"


class Server:
    """A server that has been started; it does not outlive the test."""

    def __init__(self, *arguments, started_by=None):
        self.process = forked.Popen(
            [*(started_by or unwarmed()), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "200"},
        )

    def address(self):
        """Where it says that it is; and what it said before."""
        said = []
        for line in self.process.stdout:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                return found[0], "".join(said)
        raise AssertionError(self.process.communicate())

    def end(self, with_signal=signal.SIGKILL):
        self.process.send_signal(with_signal)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def serve(tmp_path):
    running = []

    def start(*arguments, data=tmp_path / "data", **how):
        data.mkdir(exist_ok=True)
        running.append(Server("--data", data, *arguments, **how))
        return running[-1]

    yield start
    for server in running:
        server.process.kill()
        server.process.communicate()


class Player:
    """A browser that moves in a game of its own and notes every answer."""

    def __init__(self, client):
        self.client = client
        first = client.post("/api/games", json={})
        self.cookie = {"cookie": f"contienda={first.cookies['contienda']}"}
        self.game = first.json()
        client.cookies.clear()

    def play(self):
        """Until the server is gone."""
        try:
            while True:
                legal = self.game["position"]["legal"]
                what, asked = ("moves", {"move": legal[0]}) if legal else ("cursor", {"to": 0})
                asked["revision"] = self.game["revision"]
                answer = self.client.post(f"/api/games/{self.game['id']}/{what}", json=asked, headers=self.cookie)
                assert answer.status_code == 200
                self.game = answer.json()["game"] if legal else answer.json()
        except httpx2.TransportError:
            pass


def test_killed_in_the_midst_of_fifty_games_it_has_every_move_that_was_answered(serve):
    server = serve("--port", 0)
    url, _ = server.address()
    with httpx2.Client(base_url=url, timeout=60, limits=httpx2.Limits(max_connections=50)) as client:
        players = [Player(client) for _ in range(50)]
        with ThreadPoolExecutor(50) as pool:
            playing = [pool.submit(player.play) for player in players]
            patience = time.monotonic() + 100
            while sum(player.game["revision"] for player in players) < 500:
                assert time.monotonic() < patience
                time.sleep(0.01)
            server.end()
    for each in playing:
        each.result()
    url, _ = serve("--port", 0).address()
    with httpx2.Client(base_url=url, timeout=60) as client:
        for player in players:
            game = player.game
            found = client.get(f"/api/games/{game['id']}", headers=player.cookie).json()
            # A move may have been made whose answer was lost with the server, and never more than one.
            assert game["revision"] <= found["revision"] <= game["revision"] + 1
            assert found == game or found["revision"] > game["revision"]


def check_documents(address):
    """The examples of the page on the app, in both languages, do what it says of them."""
    game = make_game("2048")
    player = make_player("expectimax:depth=3", game)
    played = Match(game, [player]).play(
        7, stop=(stop := Stop()), watch=lambda so_far: so_far.moves == 10 and stop.stop()
    )
    after_ten = next(islice(states_of(played), 20, None))
    match = Match(game, [make_player("random", game)])
    scores = [result_of(match.play(seed))["score"] for seed in range(1, 51)]
    for page in ("en/app.md", "es/app.md"):
        blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
        by_hand, batch = (dict(run_block(block.replace("127.0.0.1:2048", address))) for block in blocks)
        assert by_hand["game"]["position"]["text"] == game.format(after_ten)
        assert batch["told"]["result"]["mean_score"] == pytest.approx(sum(scores) / 50)


def run_block(block):
    names = {}
    exec(block, names)
    return names


#: The command with another port to begin with than 2048, which anybody on this machine may take or leave.
_FROM_PORT = """
import sys
from contienda.cli import main
from contienda.web.settings import Settings

Settings.port = int(sys.argv.pop(1))
main(sys.argv[1:])
"""


def test_a_port_that_is_taken(serve, tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        server = serve(started_by=[sys.executable, "-c", _FROM_PORT, str(taken), "web", "--no-browser"])
        url, said = server.address()
        chosen = int(re.search(r":(\d+)/", url)[1])
        assert chosen > taken
        assert f"port {taken} is in use; using {chosen}" in said
        # A port that the user chose is not changed for another.
        (tmp_path / "other").mkdir()
        refused = process("web", "--no-browser", "--port", chosen, "--data", tmp_path / "other")
        assert f"cannot listen on 127.0.0.1, port {chosen}" in refused.complaint
        check_documents(f"127.0.0.1:{chosen}")
    code, _, err = server.end(signal.SIGINT)
    assert code in (0, 130)
    assert err in ("", "contienda: stopped\n")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--port", "70000"], "port 70000"),
        (["--port", "-1"], "port -1"),
        (["--host", "no.such.host.invalid"], "no.such.host.invalid"),
        (["--limits", "ms=fast"], "ms=fast is not a number"),
        (["--limits", "ms=0"], "ms=0 must be a whole number of at least 1"),
        (["--limits", "ms=1.5"], "ms=1.5 must be a whole number of at least 1"),
        (["--limits", "patience=3"], "no limit 'patience'"),
        (["--limits", "ms"], "'ms' in 'limits:ms' is not KEY=VALUE"),
        (["--limits", "ms=1e400"], "ms=1e400 is not a number"),
    ],
)
def test_told_nonsense_it_says_so(tmp_path, arguments, names, monkeypatch):
    monkeypatch.setattr("contienda.web.serve.uvicorn.Server", None)  # it must not come so far
    arguments = arguments if "--port" in arguments else [*arguments, "--port", "0"]
    assert names in contienda("web", "--no-browser", "--data", tmp_path, *arguments).complaint


def test_a_database_that_is_none(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"no database" * 1000)
    told = contienda("web", "--no-browser", "--port", 0, "--data", tmp_path).complaint
    assert "games.sqlite: file is not a database; move it away" in told


def test_ctrl_c_ends_it_in_the_midst_of_searches_and_batches(serve):
    server = serve("--port", 0, started_by=command("web", "--no-browser"))
    url, _ = server.address()
    endless = {"game": "2048", "position": "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16", "player": "expectimax:depth=100"}
    with connect(f"{url.replace('http', 'ws')}api/live") as line:
        batch = {"game": "2048", "players": ["expectimax:depth=3"], "games": 1000}
        line.send(json.dumps({"job": "b", "kind": "batch"} | batch))
        assert json.loads(line.recv(timeout=60))["event"] == "progress"  # on a busy machine that takes a while
        line.send(json.dumps({"job": "h", "kind": "hint"} | endless))
        assert json.loads(line.recv(timeout=60))["event"] == "progress"
        code, _, err = server.end(signal.SIGINT)
    assert code in (0, 130)
    assert "Traceback" not in err
    assert "Error" not in err


def test_an_edited_module_that_a_heuristic_imports_is_played_with_at_once(serve, tmp_path, monkeypatch):
    """The heuristic itself is not saved again: its hints, its games and its traces go by the new text all the same."""
    helpers = tmp_path / "helpers.py"
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    url, _ = serve("--port", 0).address()
    source = "def corner(board, weights):\n    return {} * float(tile(board, 0, 0))\n"
    imports = "from contienda.games.g2048.helpers import tile\n"
    start = "4 2 2 0/0 0 0 0/0 0 0 0/0 0 0 0"
    with httpx2.Client(base_url=url, timeout=120) as client:
        cookie = {"cookie": f"contienda={client.get('/').cookies['contienda']}"}
        client.cookies.clear()

        def put(name, text):
            assert (
                client.put(f"/api/heuristics/{name}", json={"game": "2048", "source": text}, headers=cookie).status_code
                == 200
            )

        def played_by(name):
            asked = {"game": "2048", "position": start, "player": f"greedy:eval=mine/{name}"}
            batch = {"game": "2048", "players": [asked["player"]], "games": 3, "seed": "1"}
            with connect(f"{url.replace('http', 'ws')}api/live", additional_headers=cookie) as line:
                hint, trace = run_job(line, "hint", **asked), run_job(line, "trace", **asked)
                games = run_job(line, "batch", **batch)
            return [move["value"] for move in hint["moves"]], trace["value"], games["mean_score"]

        helpers.write_text("SCALE = 1.0\n", encoding="utf-8")
        put("mine", f"import helpers\n{imports}{source.format('helpers.SCALE')}")
        before = played_by("mine")
        helpers.write_text("SCALE = -1.0\n", encoding="utf-8")
        put("plain", imports + source.format("-1.0"))
        assert played_by("mine") == played_by("plain") != before


def run_job(line, kind, **asked):
    line.send(json.dumps({"job": kind, "kind": kind} | asked))
    while (told := json.loads(line.recv(timeout=120)))["event"] == "progress":
        pass
    assert told["event"] == "done", told
    return told["result"]
