"""Kill real processes again and again, and check that nothing is lost: ``python tests/attack/kill.py all``.

- server: every move that was answered is there after ``kill -9`` and a new start
- lab: a run that was killed and resumed many times has the table of a run that was not
- training: the weights after as many kills are, bit for bit, those of a run that was never interrupted
- book: the file is, byte for byte, that of a run that was never interrupted

The moments are drawn by lot from ``--seed``. Training and books save far more often here than they usually do, so that
kills fall into the saving too.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

#: Seconds between two savings, while processes are killed.
_SAVE_EVERY = 0.3

_COMMAND = """
import sys
from contienda.learning import training
from contienda.perfect import generate
training._SAVE_EVERY = generate._SAVE_EVERY = {save_every}
training._SAVING_SHARE = 1
from contienda.cli import main
main(sys.argv[1:])
"""


def start(*arguments: object) -> subprocess.Popen[str]:
    """The command line in a process of its own that saves often."""
    code = _COMMAND.format(save_every=_SAVE_EVERY)
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "200", "LC_ALL": "C.UTF-8"},
    )


def finish(*arguments: object) -> None:
    """The same, to its end."""
    child = start(*arguments)
    said, _ = child.communicate()
    assert child.returncode == 0, said


def kill_after(child: subprocess.Popen[str], begun: Callable[[], bool], seconds: float) -> bool:
    """Kill it some seconds after it has begun; False if it ended before."""
    while not begun():
        if child.poll() is not None:
            break
        time.sleep(0.01)
    time.sleep(seconds)
    ended = child.poll()
    child.kill()
    said, _ = child.communicate()
    assert ended in (None, 0), said
    return ended is None


# --- The server ------------------------------------------------------------------------------------------------------


class Browser:
    """Somebody who moves in a game of their own and notes every answer."""

    def __init__(self, url: str) -> None:
        self.client = httpx2.Client(base_url=url, timeout=60)
        self.game = self.client.post("/api/games", json={}).json()

    def play(self) -> None:
        """Until the server is gone."""
        try:
            while True:
                legal = self.game["position"]["legal"]
                what, asked = ("moves", {"move": legal[0]}) if legal else ("cursor", {"to": 0})
                asked["revision"] = self.game["revision"]
                answer = self.client.post(f"/api/games/{self.game['id']}/{what}", json=asked)
                assert answer.status_code == 200, answer.text
                self.game = answer.json()["game"] if legal else answer.json()
        except httpx2.TransportError:
            pass

    def check(self, url: str) -> None:
        """One move more than was answered may be there: its answer was lost with the server."""
        self.client.base_url = url
        found = self.client.get(f"/api/games/{self.game['id']}").json()
        assert found["revision"] - self.game["revision"] in (0, 1), (found, self.game)
        self.game = found


def kill_server(folder: Path, times: int, lots: random.Random) -> str:
    def serve() -> tuple[subprocess.Popen[str], str]:
        child = start("web", "--no-browser", "--port", 0, "--data", folder, "--limits", "requests=1000000")
        assert child.stdout is not None
        for line in child.stdout:
            if found := re.search(r"http://\S+", line):
                return child, found[0]
        raise AssertionError("the server did not start")

    child, url = serve()
    browsers = [Browser(url) for _ in range(8)]
    with ThreadPoolExecutor(len(browsers)) as pool:
        for _ in range(times):
            playing = [pool.submit(browser.play) for browser in browsers]
            kill_after(child, lambda: True, lots.uniform(0.05, 1.0))
            for each in playing:
                each.result()
            child, url = serve()
            for browser in browsers:
                browser.check(url)
    child.kill()
    child.communicate()
    return f"{sum(browser.game['revision'] for browser in browsers):,} moves answered, none lost"


# --- The lab ---------------------------------------------------------------------------------------------------------

_PLAN = """
game = "2048"
games = {games}
players = ["greedy:eval=uma1", "random"]
"""


def kill_lab(folder: Path, times: int, lots: random.Random) -> str:
    killed, games = 0, 4000
    while killed < times:
        for name in ("whole", "part"):
            folder.joinpath(f"{name}.toml").write_text(_PLAN.format(games=games))
            folder.joinpath(f"{name}.sqlite").unlink(missing_ok=True)
        finish("lab", "run", folder / "whole.toml")
        results = folder / "part.sqlite"
        command = ("run", folder / "part.toml")
        while killed < times and kill_after(start("lab", *command), results.exists, lots.uniform(0.0, 1.5)):
            killed += 1
            command = ("resume", results) if results.exists() else command
        finish("lab", *command)
        assert _games(folder / "whole.sqlite") == _games(results)
    return f"{2 * games:,} games, the same as without a kill"


def _games(results: Path) -> list[dict[str, str]]:
    """Every game, without what depends on the clock."""
    out = results.with_suffix(".csv")
    finish("lab", "export", results, "-o", out)
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    return [{name: value for name, value in row.items() if name not in ("seconds", "host")} for row in rows]


# --- Training and books ----------------------------------------------------------------------------------------------


def kill_training(folder: Path, times: int, lots: random.Random) -> str:
    from contienda.evaluation.g2048.network_file import load_network

    killed, games = 0, 30_000
    train = ("train", "2048", "--network", "2x4", "--method", "tc", "--threads", 1, "--games", games)
    finish(*train, "--out", folder / "whole.net")
    out = folder / "part.net"
    while killed < times:
        out.unlink(missing_ok=True)
        while killed < times:
            resume = ("--resume", out) if out.exists() else ()
            begun = out.stat().st_mtime_ns if out.exists() else 0
            child = start(*train, "--out", out, *resume)
            saved = lambda begun=begun: out.exists() and out.stat().st_mtime_ns > begun  # noqa: E731
            if not kill_after(child, saved, lots.uniform(0.0, 1.0)):
                break
            killed += 1
            load_network(out)  # whole, whenever it was killed
    finish(*train, "--out", out, *(("--resume", out) if out.exists() else ()))
    whole, part = (load_network(folder / name)[1] for name in ("whole.net", "part.net"))
    assert whole.tobytes() == part.tobytes()
    return f"{games:,} games, the weights of a run without a kill"


def kill_book(folder: Path, times: int, lots: random.Random) -> str:
    killed = 0
    make = ("book", "--game", "connect4:rows=5,columns=6", "--plies", 6, "--threads", 1, "--memory", 64)
    finish(*make, "--out", folder / "whole.book")
    out = folder / "part.book"
    while killed < times:
        out.unlink(missing_ok=True)
        while killed < times and kill_after(start(*make, "--out", out), out.exists, lots.uniform(0.0, 2.0)):
            killed += 1
    finish(*make, "--out", out)
    assert (folder / "whole.book").read_bytes() == out.read_bytes()
    return f"{out.stat().st_size:,} bytes, those of a run without a kill"


KINDS = {"server": kill_server, "lab": kill_lab, "training": kill_training, "book": kill_book}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="+", choices=[*KINDS, "all"])
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    # A shell that starts this in the background lets children ignore Ctrl-C: nothing here depends on it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for kind in KINDS if "all" in asked.kinds else asked.kinds:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            told = KINDS[kind](Path(folder), asked.times, random.Random(asked.seed))
        print(f"{kind}: {asked.times} kills, {told} ({time.monotonic() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
