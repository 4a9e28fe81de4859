"""A class of 100 for an hour, beside attackers, while the server is killed and its disk is full.

    python tests/attack/soak.py [--minutes 60] [--browsers 100] [--phase 30]

Pupils play 2048 with hints and keep what was acknowledged. Phase after phase an attacker comes; now and then the server
is killed (SIGKILL) and started again on the same folder, or started so that its files cannot grow (RLIMIT_FSIZE: a full
disk). After each start every pupil's game is compared with what was acknowledged. It ends with 1 when a move was lost,
an answer was 500 or more (but for 507 on the full disk), the log has a traceback, or memory or open files grow.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from web_load import ATTACKS, HINT, attack, browsing, long_game, name, warm

#: Bytes that the file of games may still grow by when the disk is "full", and seconds that it is.
ROOM, FULL = 0, 10.0
#: Phases between two kills, and between two full disks.
KILL_EVERY, FULL_EVERY = 2, 5


class Held(NamedTuple):
    """What a server takes."""

    megabytes: int
    files: int


@dataclass
class Tally:
    """What happened."""

    answers: Counter[str] = field(default_factory=Counter)
    slow: int = 0
    longest: float = 0.0
    kills: int = 0
    checked: int = 0
    wrong: list[str] = field(default_factory=list)


class Server:
    """A server on one port and folder, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self._port = listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}/"
        self._log = (folder / "log").open("a")
        self.up = asyncio.Event()
        self.full = False
        self._process: subprocess.Popen[str] | None = None

    async def start(self, *, full: bool = False) -> None:
        games = self.folder / "data" / "games.sqlite"
        largest = games.stat().st_size if full else 0

        def lower() -> None:
            if full:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest + ROOM, largest + ROOM))

        where = ["--no-browser", "--port", str(self._port), "--data", str(self.folder / "data")]
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-m", "contienda", "web", *where],
            stdout=subprocess.PIPE, stderr=self._log, encoding="utf-8", preexec_fn=lower,
        )  # fmt: skip
        self.full = full
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                writer.close()
                break
            if self._process.poll() is not None:
                raise SystemExit(f"the server ended: {(self.folder / 'log').read_text()[-1000:]}")
            await asyncio.sleep(0.1)
        self.up.set()

    def kill(self) -> None:
        assert self._process is not None
        self.up.clear()
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def held(self) -> Held:
        assert self._process is not None
        process = Path(f"/proc/{self._process.pid}")
        memory = re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())
        return Held(int(memory[1]) >> 10 if memory else 0, len(os.listdir(process / "fd")))

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


class Pupil:
    """Plays, and remembers what the server said that it had kept."""

    def __init__(self, server: Server, client: httpx2.AsyncClient, tally: Tally) -> None:
        self._server, self._client, self._tally = server, client, tally
        self._cookie: dict[str, str] = {}
        self.game: dict[str, Any] | None = None
        self.asking = asyncio.Lock()

    async def play(self) -> None:
        while True:
            await self._server.up.wait()
            try:
                async with self.asking:
                    await self._turn()
            except httpx2.TransportError:
                self._tally.answers["no connection"] += 1
                if self._server.up.is_set():
                    await asyncio.sleep(0.2)
            await asyncio.sleep(random.uniform(0.7, 1.3))

    async def _turn(self) -> None:
        if not self._cookie:
            self._cookie = await name(self._client)
        if self.game is None or not self.game["position"]["legal"]:
            made = await self._ask("POST", "/api/games", {})
            self.game = made if made is not None else self.game
            return
        hint = {"game": "2048", "position": self.game["position"]["text"], "player": HINT}
        found = await self._ask("POST", "/api/hint", hint)
        if found is None:
            return
        asked = {"revision": self.game["revision"], "move": found["best"]}
        made = await self._ask("POST", f"/api/games/{self.game['id']}/moves", asked)
        if made is not None:
            self.game = made.get("game", made)

    async def _ask(self, method: str, path: str, asked: Any = None) -> dict[str, Any] | None:
        begun = time.perf_counter()
        answer = await self._client.request(method, path, json=asked, headers=self._cookie)
        seconds = time.perf_counter() - begun
        self._tally.slow += seconds > 2
        self._tally.longest = max(self._tally.longest, seconds)
        status = answer.status_code
        self._tally.answers[str(status)] += 1
        if status >= 500 and not (status == 507 and self._server.full):
            self._tally.wrong.append(f"{status} {path}: {answer.text[:200]}")
        if status == 409:  # the answer to a move was lost with a server
            self.game = answer.json()["game"]
        if status == 404 and self.game is not None and self.game["id"] in path:
            self._tally.wrong.append(f"lost: {path} with {self.game['revision']} moves")
            self.game = None
        found: dict[str, Any] | None = answer.json() if status in (200, 201) else None
        return found

    async def check(self) -> None:
        """Whether all that was acknowledged is there."""
        async with self.asking:
            if self.game is None:
                return
            for _ in range(10):
                with suppress(httpx2.TransportError):
                    found = await self._ask("GET", f"/api/games/{self.game['id']}")
                    if found is not None:
                        break
                await asyncio.sleep(1)
            else:
                self._tally.wrong.append("a game could not be read after a kill")
                return
            self._tally.checked += 1
            known = self.game["revision"]
            if not known <= found["revision"] <= known + 1 or (found["revision"] == known and found != self.game):
                self._tally.wrong.append(f"lost: acknowledged revision {known}, found {found['revision']}")
            self.game = found


async def soak(asked: argparse.Namespace, folder: Path) -> Tally:
    tally, server = Tally(), Server(folder)
    await server.start()
    lives: list[list[Held]] = [[]]
    async with browsing(server.url) as client:
        await warm(server.url, client)
        until = time.monotonic() + 60 * asked.minutes
        pupils = [Pupil(server, client, tally) for _ in range(asked.browsers)]
        playing = [asyncio.ensure_future(pupil.play()) for pupil in pupils]

        async def restart(*, full: bool = False) -> None:
            server.kill()
            tally.kills += 1
            lives.append([])
            await server.start(full=full)
            await asyncio.gather(*(pupil.check() for pupil in pupils))

        for phase in range(10**6):
            if time.monotonic() >= until:
                break
            kind = list(ATTACKS)[phase % len(ATTACKS)]
            source = random.choice(["127.0.0.1", "127.0.0.2"])
            told: Any = multiprocessing.Queue()
            attacker = multiprocessing.Process(
                target=attack, args=(kind, server.url, source, asked.phase, told), daemon=True
            )
            attacker.start()
            if phase % KILL_EVERY == 1:  # in the midst of it
                await asyncio.sleep(asked.phase / 2)
                await restart()
                await asyncio.sleep(asked.phase / 2)
            else:
                await asyncio.sleep(asked.phase)
            attacker.kill()
            attacker.join()
            await asyncio.sleep(min(10, asked.phase / 2))
            lives[-1].append(server.held())
            print(f"{kind} from {source}: {dict(tally.answers)}, {lives[-1][-1]}, {len(tally.wrong)} wrong", flush=True)
            if phase % FULL_EVERY == FULL_EVERY - 1:
                await restart(full=True)
                await asyncio.sleep(FULL)
                await restart()
        for each in playing:
            each.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await restart()
        final = server.held()
        server.kill()
    if not tally.checked:
        tally.wrong.append(
            "no game was compared with what had been acknowledged: longer, or on a machine that is less busy"
        )
    if "Traceback" in server.log():
        tally.wrong.append(f"a traceback in the log: {server.log()[-1500:]}")
    for life in lives:
        if len(life) > 1 and life[-1].megabytes > 1.5 * life[0].megabytes + 200:
            tally.wrong.append(f"memory grows: {life}")
    files = max((held.files for life in lives for held in life), default=0)
    if files > 2 * asked.browsers + 200:
        tally.wrong.append(f"{files} open files at rest")
    memory = [held.megabytes for life in lives for held in life]
    print(
        f"{asked.minutes} minutes: {sum(tally.answers.values())} answers {dict(tally.answers)}, {tally.slow} over 2 s, "
        f"the longest {tally.longest:.1f} s; {tally.kills} kills, {tally.checked} games compared; memory at rest "
        f"{min(memory, default=0)} to {max(memory, default=0)} MB, after the last start {final.megabytes} MB; "
        f"{files} open files at most; log {len(server.log())} bytes"
    )
    for wrong in tally.wrong[:20]:
        print("WRONG:", wrong)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--browsers", type=int, default=100)
    parser.add_argument("--phase", type=float, default=30.0, help="seconds of each attack")
    asked = parser.parse_args()
    long_game()
    with tempfile.TemporaryDirectory() as folder:
        tally = asyncio.run(soak(asked, Path(folder)))
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
