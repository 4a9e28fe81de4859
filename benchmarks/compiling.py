"""What the others notice while searches that nobody has compiled yet are asked for.

    python benchmarks/compiling.py [--browsers 10] [--searches 8]

A server of its own, on 127.0.0.1, with an empty cache and an empty data folder, both of which go away. So many browsers
list their games and move; first in peace, then while so many others ask for a hint each of a search never compiled.
Meanwhile one more asks, one by one, for hints that another run of the server has compiled: this one has only to load
them. Client, server and compiler share this machine's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from typing import Any

import httpx2

#: One after the other is asked for: by the number of functions that they compile, from many to few.
SEARCHES = [
    ("2048", "astar"),
    ("connect4", "solver:ms=100"),
    ("connect4", "mcts:sims=50"),
    ("2048", "mtdf:depth=2"),
    ("2048", "mcts:sims=20"),
    ("connect4:rows=5,columns=6", "negamax:depth=3"),
    ("2048", "backtracking"),
    ("tictactoe", "mtdf:depth=3"),
    ("connect4", "montecarlo:rollouts=5"),
    ("2048", "alphabeta:depth=2"),
    ("connect4", "minimax:depth=2"),
    ("2048", "expectimax:depth=2,eval=uma1"),
]
#: Compiled by a server that has ended.
KNOWN = [
    ("connect4", "greedy"),
    ("2048", "minimax:depth=1"),
    ("tictactoe", "negamax:depth=2"),
    ("connect4", "alphabeta:depth=2"),
    ("2048", "expectimax:depth=1"),
    ("tictactoe", "mcts:sims=5"),
]
#: Seconds in peace, for comparison, and between two requests of a browser.
PEACE, PAUSE = 8.0, (0.05, 0.15)


def browser() -> dict[str, str]:
    return {"Cookie": f"contienda={secrets.token_hex(16)}"}


async def play(client: httpx2.AsyncClient, over: asyncio.Event, times: list[float]) -> None:
    """Somebody who moves, and looks at the list of games, again and again."""
    who = browser()

    async def ask(method: str, path: str, **body: Any) -> Any:
        begun = time.perf_counter()
        answer = await client.request(method, path, headers=who, json=body or None)
        times.append(1000 * (time.perf_counter() - begun))
        return answer.json()

    game = await ask("POST", "/api/games", game="2048")
    while not over.is_set():
        await asyncio.sleep(random.uniform(*PAUSE))
        await ask("GET", "/api/games")
        path = f"/api/games/{game['id']}/moves"
        made = await ask("POST", path, revision=game["revision"], move=random.choice(game["position"]["legal"]))
        game = made["game"]
        if game["position"]["over"]:
            game = await ask("POST", "/api/games", game="2048")


async def hint(client: httpx2.AsyncClient, game: str, player: str) -> str:
    """A browser that asks for one search; what became of it."""
    who = browser()
    begun = time.perf_counter()
    new = (await client.post("/api/games", json={"game": game}, headers=who)).json()
    asked = {"game": game, "position": new["start"]["text"], "player": player}
    answer = await client.post("/api/hint", json=asked, headers=who)
    return f"{game} {player}: {answer.status_code} after {time.perf_counter() - begun:.2f} s"


async def hints(client: httpx2.AsyncClient, asked: list[tuple[str, str]]) -> list[str]:
    """One after the other."""
    return [await hint(client, *each) for each in asked]


async def watched(client: httpx2.AsyncClient, browsers: int, work: Any) -> tuple[list[float], Any]:
    """What the others' requests took while the work was done."""
    over, times = asyncio.Event(), list[float]()
    playing = [asyncio.ensure_future(play(client, over, times)) for _ in range(browsers)]
    found = await work
    over.set()
    await asyncio.gather(*playing)
    return times, found


def tell(what: str, times: list[float]) -> None:
    late = statistics.quantiles(times, n=100)[-1]
    print(
        f"{what}: {len(times)} requests, median {statistics.median(times):.1f} ms, 99 % {late:.0f} ms, "
        f"worst {max(times):.0f} ms, over 2 s: {sum(t > 2000 for t in times)}"
    )


async def prepare(url: str) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=600) as client:
        await hints(client, KNOWN)


async def measure(url: str, browsers: int, searches: int) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=600) as client:
        games = (await client.get("/api/catalogue", headers=browser())).json()["games"]
        usual = [(name, game["default_player"]) for name, game in games.items() if name != "tree"]
        await hints(client, [(name, "random") for name, _ in usual] + usual)  # what it compiles as it starts
        times, _ = await watched(client, browsers, asyncio.sleep(PEACE))
        tell("in peace        ", times)
        asked = asyncio.gather(hints(client, KNOWN), *(hint(client, *each) for each in SEARCHES[:searches]))
        times, (known, *found) = await watched(client, browsers, asked)
        tell("while compiling ", times)
        print(" loaded:", *known, sep="\n  ")
        print(" compiled:", *found, sep="\n  ")


def serve(folder: str, work: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    """A server, for as long as something is done with it."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "contienda",
        "web",
        "--no-browser",
        "--port",
        "0",
        "--data",
        f"{folder}/data",
    ]
    environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=environment)
    try:
        assert server.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))
        asyncio.run(work(found[0]))
    finally:
        server.kill()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=10)
    parser.add_argument("--searches", type=int, default=8, help=f"at most {len(SEARCHES)}")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        serve(folder, prepare)
        serve(folder, lambda url: measure(url, asked.browsers, asked.searches))


if __name__ == "__main__":
    main()
