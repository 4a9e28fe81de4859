"""A class at work: 100 browsers play 2048 by hand with hints at depth 3, about one move a second each.

    python benchmarks/web_load.py [--browsers 100] [--seconds 25]

A server of its own, on 127.0.0.1, in a folder that goes away. The same again while one more browser runs a batch of
games and two searches without end: nobody else should notice much. Client and server share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

HINT = "expectimax:depth=3"
BATCH = "expectimax:depth=5"
ENDLESS = "expectimax:depth=100"


@dataclass
class Times:
    """Milliseconds until the answer."""

    moves: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)


async def ask(line: ClientConnection, job: str, kind: str, **asked: Any) -> dict[str, Any]:
    """A job, to its end."""
    await line.send(json.dumps({"job": job, "kind": kind} | asked))
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["job"] == job and message["event"] != "progress":
            return message


def live(url: str, cookie: dict[str, str]) -> connect:
    return connect(url.replace("http", "ws") + "api/live", additional_headers=cookie)


async def enter(client: httpx2.AsyncClient) -> tuple[dict[str, str], dict[str, Any]]:
    """A new browser with a new game."""
    cookie = {"Cookie": f"contienda={secrets.token_hex(16)}"}
    return cookie, (await client.post("/api/games", json={}, headers=cookie)).json()


async def play(url: str, client: httpx2.AsyncClient, until: float, times: Times) -> None:
    """A person: asks for a hint, looks at it, moves."""
    cookie, game = await enter(client)
    async with live(url, cookie) as line:
        await asyncio.sleep(random.random())
        while time.monotonic() < until:
            begun = time.perf_counter()
            found = await ask(line, "h", "hint", game="2048", position=game["position"]["text"], player=HINT)
            times.hints.append(1000 * (time.perf_counter() - begun))
            best = found["result"]["best"]
            await asyncio.sleep(random.uniform(0.7, 1.3))
            begun = time.perf_counter()
            path = f"/api/games/{game['id']}/moves"
            made = await client.post(path, json={"revision": game["revision"], "move": best}, headers=cookie)
            times.moves.append(1000 * (time.perf_counter() - begun))
            game = made.json()["game"]
            if game["position"]["over"]:
                again = await client.post("/api/games", json={}, headers=cookie)
                game = again.json()


async def weigh(url: str, client: httpx2.AsyncClient, until: float) -> str:
    """The browser that asks for everything at once."""
    cookie, game = await enter(client)
    searches = 0

    async def search() -> None:
        nonlocal searches
        async with live(url, cookie) as line:
            while True:
                await ask(line, "h", "hint", game="2048", position=game["position"]["text"], player=ENDLESS)
                searches += 1

    async with live(url, cookie) as line:
        await line.send(json.dumps({"job": "b", "kind": "batch", "game": "2048", "players": [BATCH], "games": 10_000}))
        searching = [asyncio.ensure_future(search()) for _ in range(2)]
        done = 0
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(max(until - time.monotonic(), 0)):
                    done = json.loads(await line.recv()).get("done", done)
            except TimeoutError:
                break
        for each in searching:
            each.cancel()
    return f"meanwhile one browser played {done} games of {BATCH} and ran {searches} searches of 10 s to their end"


def tell(what: str, times: list[float]) -> str:
    middle, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    return f"{what}: {len(times):5}, median {middle:6.1f} ms, 95 % {late:6.1f} ms, longest {max(times):6.0f} ms"


async def warm(url: str, client: httpx2.AsyncClient) -> None:
    """Wait until the server has compiled what it compiles when it starts, and what is used here."""
    cookie, _ = await enter(client)
    games = (await client.get("/api/catalogue", headers=cookie)).json()["games"]
    players = [(name, game["default_player"]) for name, game in games.items()] + [("2048", HINT), ("2048", BATCH)]
    async with live(url, cookie) as line:
        for name, player in players:
            start = (await client.post("/api/games", json={"game": name}, headers=cookie)).json()["start"]["text"]
            await ask(line, "h", "hint", game=name, position=start, player=player)


async def measure(url: str, browsers: int, seconds: float) -> None:
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx2.AsyncClient(base_url=url, timeout=120, limits=limits) as client:
        await warm(url, client)
        for heavy in (False, True):
            times = Times()
            until = time.monotonic() + seconds
            weight = asyncio.ensure_future(weigh(url, client, until)) if heavy else None
            await asyncio.gather(*(play(url, client, until, times) for _ in range(browsers)))
            print(f"{browsers} browsers" + (" and a heavy one" if heavy else ""))
            print(" ", tell("moves", times.moves))
            print(" ", tell("hints", times.hints))
            if weight is not None:
                print(" ", await weight)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=25.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-u", "-m", "contienda", "web", "--no-browser", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))
            asyncio.run(measure(found[0], asked.browsers, asked.seconds))
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    main()
