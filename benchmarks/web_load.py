"""A class at work: 100 browsers play 2048 by hand with hints at depth 3, about one move a second each.

    python benchmarks/web_load.py [--browsers 100] [--seconds 25]
    python benchmarks/web_load.py --attack NAME|all [--from 127.0.0.1,127.0.0.2]
    python benchmarks/web_load.py --submit [--attack …]

With --submit the server is `contienda class` with a live league of 2048: all pupils join with its code and watch the
ladder; each writes a heuristic of its own, which is compiled and tried in a confined process while the others play, and
hands it in. Then no move may take over 1 s, and an attacker must not raise the medians of moves and hints by more than
a half: the class is measured alone first, on the same server.

A server of its own, on 127.0.0.1, in a folder that goes away. First the class alone, then beside one browser that runs
a batch of games and two searches without end. With --attack, beside each attacker in turn: from the class's own
address, then from another one. The aim: the class's moves, hints and new games have a median under 100 ms, and none
takes over 2 s. Clients, attackers and the server share this machine's cores. A real attacker has a machine of his own,
so this one steps back (nice 10): he gets the cores that neither the class's browsers nor the server want. The attack
`burn` is a control: it keeps a core busy in the same way and leaves the server alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

HINT = "expectimax:depth=3"
BATCH = "expectimax:depth=5"
CODE, PASSWORD = "LOAD24", "measured"
#: Times that a pupil tries to join.
_TRIES = 30
#: Each pupil's is another, so that none is found compiled.
HEURISTIC = "def mine(board, weights):\n    return {number} * empty(board) + score(board) + tile(board, 0, 0)\n"
ENDLESS = "expectimax:depth=100"
PLAN = 'game = "2048"\nplayers = ["expectimax:depth=3", "random"]\ngames = 1000\nseed = 1\nname = "x"\n'
#: Of the 20 steps that there are, how many the attacker steps back.
NICENESS = 10
#: Milliseconds: of the median, of the longest, and of the longest move in a class.
AIM, WORST, WORST_MOVE = 100, 2000, 1000
#: How many times the median of the class alone the median beside an attacker may be; medians below this many
#: milliseconds are not compared: what people notice begins far above.
MOST_TIMES, NOTHING = 1.5, 10


@dataclass
class Times:
    """Milliseconds until the answer, and answers that were none."""

    games: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    heuristics: list[float] = field(default_factory=list)
    """Until a heuristic is compiled, tried and kept: it waits in its own queue, and for its turn there."""
    handed_in: int = 0
    """Heuristics that the league took."""
    news: int = 0
    """Ladders that the pupils got."""
    failures: list[str] = field(default_factory=list)


async def ask(line: ClientConnection, job: str, kind: str, **asked: Any) -> dict[str, Any]:
    """A job, to its end."""
    await line.send(json.dumps({"job": job, "kind": kind} | asked))
    while True:
        message: dict[str, Any] = json.loads(await line.recv())
        if message["job"] == job and message["event"] != "progress":
            return message


def live(url: str, cookie: dict[str, str], source: str | None = None) -> connect:
    where = {} if source is None else {"local_addr": (source, 0)}
    return connect(url.replace("http", "ws") + "api/live", additional_headers=cookie, max_size=None, **where)


def browsing(url: str, source: str | None = None) -> httpx2.AsyncClient:
    """Whoever asks over HTTP, from an address of this machine."""
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    transport = httpx2.AsyncHTTPTransport(limits=limits, local_address=source)
    return httpx2.AsyncClient(base_url=url, timeout=120, transport=transport)


async def name(client: httpx2.AsyncClient) -> dict[str, str]:
    """A new browser's cookie; in a class it joins."""
    answer = await client.get("/")
    client.cookies.clear()
    cookie = {"Cookie": f"contienda={answer.cookies['contienda']}"}
    joining = {"code": CODE, "name": secrets.token_hex(6)}
    for _ in range(_TRIES):  # who is told to wait tries again
        if (await client.post("/api/class/join", json=joining, headers=cookie)).status_code != 429:
            break
        await asyncio.sleep(1.0)
    return cookie


async def enter(client: httpx2.AsyncClient) -> tuple[dict[str, str], dict[str, Any]]:
    """A new browser with a new game."""
    cookie = await name(client)
    return cookie, (await client.post("/api/games", json={}, headers=cookie)).json()


class Pupil:
    """A person: asks for a hint, looks at it, moves."""

    def __init__(self, url: str, client: httpx2.AsyncClient, times: Times, submits: bool) -> None:
        self._url, self._client, self._times, self._submits = url, client, times, submits
        self._cookie: dict[str, str] = {}

    async def play(self, until: float) -> None:
        try:
            self._cookie = await name(self._client)
            await asyncio.sleep(2 * random.random())
            game = await self._new_game()
            aside = [self._submit(until), self._watch(until)] if self._submits else []
            beside = [asyncio.ensure_future(each) for each in aside]
            async with live(self._url, self._cookie) as line:
                while time.monotonic() < until:
                    game = await self._turn(line, game)
            for each in beside:
                each.cancel()
        except Exception as error:
            self._times.failures.append(f"{type(error).__name__}: {error}"[:100])

    async def _new_game(self) -> dict[str, Any]:
        return await self._post(self._times.games, "/api/games", {}, 201)

    async def _submit(self, until: float) -> None:
        await asyncio.sleep(random.uniform(0, max(until - time.monotonic(), 0) / 2))
        begun = time.perf_counter()
        asked = {"game": "2048", "source": HEURISTIC.format(number=random.randint(1, 10**9))}
        answer = await self._client.put("/api/heuristics/mine", json=asked, headers=self._cookie)
        if answer.status_code == 200:
            self._times.heuristics.append(1000 * (time.perf_counter() - begun))
            handed = await self._client.post(
                "/api/class/league/submission", json={"heuristic": "mine"}, headers=self._cookie
            )
            self._times.handed_in += handed.status_code == 204
            answer = answer if handed.status_code == 204 else handed
        if answer.status_code not in (200, 204):
            self._times.failures.append(f"heuristic: {answer.status_code} {answer.text}"[:100])

    async def _watch(self, until: float) -> None:
        """Look at the ladder as the league's page does: the server answers as soon as there are news."""
        after = -1
        while time.monotonic() < until:
            answer = await self._client.get(f"/api/class/league?after={after}", headers=self._cookie)
            if answer.status_code != 200:
                self._times.failures.append(f"league: {answer.status_code} {answer.text}"[:100])
                return
            after = answer.json()["number"]
            self._times.news += 1

    async def _turn(self, line: ClientConnection, game: dict[str, Any]) -> dict[str, Any]:
        begun = time.perf_counter()
        found = await ask(line, "h", "hint", game="2048", position=game["position"]["text"], player=HINT)
        self._times.hints.append(1000 * (time.perf_counter() - begun))
        if found["event"] != "done":
            self._times.failures.append(str(found)[:100])
            return game
        await asyncio.sleep(random.uniform(0.7, 1.3))
        asked = {"revision": game["revision"], "move": found["result"]["best"]}
        made = await self._post(self._times.moves, f"/api/games/{game['id']}/moves", asked, 200)
        if made["game"]["position"]["over"] or random.random() < 0.05:
            return await self._new_game()
        after: dict[str, Any] = made["game"]
        return after

    async def _post(self, times: list[float], path: str, asked: dict[str, Any], status: int) -> dict[str, Any]:
        begun = time.perf_counter()
        answer = await self._client.post(path, json=asked, headers=self._cookie)
        times.append(1000 * (time.perf_counter() - begun))
        if answer.status_code != status:
            raise RuntimeError(f"{answer.status_code} {answer.text}")
        found: dict[str, Any] = answer.json()
        return found


@cache
def long_game() -> str:
    """A game of some thousand moves, as a file."""
    from contienda.games import make_game
    from contienda.match import Match
    from contienda.players import make_player
    from contienda.record import game_as_text

    game = make_game("2048")
    match = Match(game, [make_player("expectimax:depth=3", game)])
    return max((game_as_text(match.play(seed)) for seed in range(4)), key=len)


# --- Attackers, in a process of their own ----------------------------------------------------------------------------


class Attacker:
    """Somebody who wants the server for themselves."""

    def __init__(self, url: str, source: str, until: float) -> None:
        self.url, self.source, self._until = url, source, until
        self.told: dict[str, int] = {}
        host, port = re.fullmatch(r"http://(.*):(\d+)/", url).groups()  # type: ignore[union-attr]
        self._where = host, int(port)

    @property
    def going(self) -> bool:
        return time.monotonic() < self._until

    def tell(self, what: object) -> None:
        self.told[str(what)] = self.told.get(str(what), 0) + 1

    async def repeat(self, client: httpx2.AsyncClient, method: str, path: str, **named: Any) -> None:
        """The same request, again and again."""
        while self.going:
            try:
                self.tell((await client.request(method, path, **named)).status_code)
            except httpx2.HTTPError as error:
                self.tell(type(error).__name__)
                await asyncio.sleep(0.1)

    async def names(self, client: httpx2.AsyncClient, count: int) -> list[dict[str, str]]:
        found: list[dict[str, str]] = []
        while len(found) < count and self.going:
            with suppress(httpx2.HTTPError, KeyError):
                found.append(await name(client))
        return found

    async def jobs(self, cookie: dict[str, str], kind: str, *, read: bool = True, **asked: Any) -> None:
        """The same job on a socket, again and again."""
        while self.going:
            try:
                async with live(self.url, cookie, self.source) as line:
                    while self.going:
                        if read:
                            self.tell((await ask(line, "j", kind, **asked))["event"])
                        else:
                            await line.send(json.dumps({"job": os.urandom(4).hex(), "kind": kind} | asked))
            except Exception as error:
                self.tell(type(error).__name__)
                await asyncio.sleep(0.2)

    async def connections(self, count: int, send: bytes, then: bytes = b"") -> None:
        """So many connections that send something, and then a little now and then; closed ones are opened again."""

        async def one() -> None:
            while self.going:
                try:
                    _, writer = await asyncio.open_connection(*self._where, local_addr=(self.source, 0))
                    self.tell("opened")
                    writer.write(send)
                    while self.going and not writer.transport.is_closing():
                        await asyncio.sleep(1)
                        writer.write(then)
                        await writer.drain()
                    writer.close()
                except OSError as error:
                    self.tell(type(error).__name__)
                    await asyncio.sleep(1)

        await asyncio.gather(*(one() for _ in range(count)))

    async def long_game(self, client: httpx2.AsyncClient) -> tuple[dict[str, str], str]:
        """A game of some thousand moves, made from a file."""
        cookie = await name(client)
        answer = await client.post("/api/games/file", content=long_game(), headers=cookie)
        return cookie, answer.json()["id"]


async def chart(a: Attacker) -> None:
    """The chart of a long game, 60 times at once, each a little different."""
    async with browsing(a.url, a.source) as client:
        cookie, game = await a.long_game(client)
        paths = [f"/api/games/{game}/chart?points={2000 - i}" for i in range(60)]
        await asyncio.gather(*(a.repeat(client, "GET", path, headers=cookie) for path in paths))


async def hints(a: Attacker) -> None:
    """64 browsers that just came, with endless searches."""
    position = "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16"
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 64)
        asked = {"game": "2048", "position": position, "player": ENDLESS}
        await asyncio.gather(*(a.jobs(cookie, "hint", **asked) for cookie in cookies))


async def traces(a: Attacker) -> None:
    """12 sockets of traces, as large as can be."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 4)
    asked = {"game": "2048", "position": "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16", "player": "expectimax:depth=5"}
    await asyncio.gather(*(a.jobs(cookies[i % len(cookies)], "trace", events=50_000, **asked) for i in range(12)))


async def saves(a: Attacker) -> None:
    """Copies of a long game, without end."""
    async with browsing(a.url, a.source) as client:
        cookie, game = await a.long_game(client)
        path = f"/api/games/{game}/save"
        await asyncio.gather(*(a.repeat(client, "POST", path, json={}, headers=cookie) for _ in range(8)))


async def idle(a: Attacker) -> None:
    """1,200 connections that say nothing, and as many sockets on which nothing is asked."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 100)

    async def socket(cookie: dict[str, str]) -> None:
        while a.going:
            try:
                async with live(a.url, cookie, a.source) as line:
                    a.tell("opened")
                    await line.wait_closed()
            except Exception as error:
                a.tell(type(error).__name__)
            await asyncio.sleep(1)

    sockets = (socket(cookies[i % len(cookies)]) for i in range(1200))
    await asyncio.gather(a.connections(1200, b""), *sockets)


async def memory(a: Attacker) -> None:
    """Searches with the largest tables that there are, and paths."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 16)
    hog = {"game": "connect4", "position": "4", "player": "alphabeta:depth=42,table=on,memory=512"}
    path = {"player": "astar:memory=512", "target": 131072, "seed": "1"}
    await asyncio.gather(
        *(a.jobs(cookie, "hint", **hog) for cookie in cookies),
        *(a.jobs(cookie, "solution", **path) for cookie in cookies),
    )


async def slow(a: Attacker) -> None:
    """1,000 requests whose heads and bodies come a byte at a time."""
    host = f"Host: {a._where[0]}:{a._where[1]}\r\n".encode()
    body = b"POST /api/games HTTP/1.1\r\n" + host + b"Content-Length: 5000\r\n\r\n"
    await asyncio.gather(
        a.connections(500, b"GET / HTTP/1.1\r\n" + host, b"X-A: b\r\n"),
        a.connections(500, body, b"x"),
    )


async def bodies(a: Attacker) -> None:
    """Bodies of 4 MB that are no game, and of 8 MB that are too large."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 8)
        nonsense = b"[" + b"0," * 1_900_000 + b"0]"
        await asyncio.gather(
            *(a.repeat(client, "POST", "/api/games/file", content=nonsense, headers=cookie) for cookie in cookies),
            *(a.repeat(client, "POST", "/api/games/file", content=nonsense * 2, headers=c) for c in cookies),
        )


async def cookies(a: Attacker) -> None:
    """A new browser with every request, which makes a game."""

    async def flood(client: httpx2.AsyncClient, method: str, path: str, **named: Any) -> None:
        while a.going:
            with suppress(httpx2.HTTPError):
                a.tell((await client.request(method, path, **named)).status_code)
            client.cookies.clear()

    async with browsing(a.url, a.source) as client:
        await asyncio.gather(
            *(flood(client, "POST", "/api/games", json={}) for _ in range(16)),
            *(flood(client, "GET", "/api/catalogue") for _ in range(16)),
        )


async def lab(a: Attacker) -> None:
    """Experiments, trainings and batches, as many as can be started."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 24)
        batch = {"game": "2048", "players": [BATCH], "games": 10_000}
        quick = {"game": "tictactoe", "players": ["random", "random"], "games": 10_000}
        training = {"network": "2x4", "games": 1_000_000}
        await asyncio.gather(
            *(a.repeat(client, "POST", "/api/lab/runs", json={"plan": PLAN}, headers=c) for c in cookies),
            *(a.repeat(client, "PUT", "/api/training/x", json=training, headers=c) for c in cookies),
            *(a.jobs(cookie, "batch", **batch) for cookie in cookies),
            *(a.jobs(cookie, "batch", **quick) for cookie in cookies),
        )


async def reports(a: Attacker) -> None:
    """The report of a document, with all its figures, in each language and form."""
    async with browsing(a.url, a.source) as client:
        forms = [f"?quick={quick}&language={language}" for quick in ("true", "false") for language in ("en", "es")]
        cookies = await a.names(client, 8)
        paths = [f"/api/lab/documents/ort/report{form}" for form in forms]
        each = zip(cookies, 2 * paths, strict=False)
        await asyncio.gather(*(a.repeat(client, "GET", path, headers=cookie) for cookie, path in each))


async def deaf(a: Attacker) -> None:
    """Sockets that ask and do not read, messages that are none."""
    async with browsing(a.url, a.source) as client:
        cookies = await a.names(client, 8)
    asked = {"game": "2048", "position": "0 0 0 0/0 0 0 0/0 0 2 4/2 4 8 16", "player": HINT}
    await asyncio.gather(
        *(a.jobs(cookie, "hint", read=False, **asked) for cookie in cookies),
        *(a.jobs(cookie, "nonsense", read=False) for cookie in cookies),
    )


async def burn(a: Attacker) -> None:
    """None: it only keeps a core busy, to compare the others with."""
    while a.going:
        sum(range(100_000))


ATTACKS = {
    each.__name__: each
    for each in (chart, hints, traces, saves, idle, memory, slow, bodies, cookies, lab, reports, deaf)
}  # fmt: skip
KINDS = ATTACKS | {"burn": burn}


def attack(kind: str, url: str, source: str, seconds: float, told: Any) -> None:
    """The attacker's process."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(ImportError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    attacker = Attacker(url, source, time.monotonic() + seconds)

    async def go() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(KINDS[kind](attacker), seconds)

    try:
        asyncio.run(go())
    except Exception as error:
        attacker.tell(f"{type(error).__name__}: {error}"[:100])
    told.put(attacker.told)


# --- Measuring -------------------------------------------------------------------------------------------------------


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


def tell(what: str, times: list[float], worst: float = WORST, alone: list[float] | None = None) -> str:
    if len(times) < 2:
        return f"{what}: {len(times):5}, MISSED"
    middle, late, longest = statistics.median(times), statistics.quantiles(times, n=20)[-1], max(times)
    times_alone = middle / max(statistics.median(alone), NOTHING) if alone else 0.0
    missed = "" if middle < AIM and longest < worst and times_alone <= MOST_TIMES else "  MISSED"
    return (
        f"{what}: {len(times):5}, median {middle:6.1f} ms, 95 % {late:6.1f} ms, longest {longest:6.0f} ms, "
        f"over {worst / 1000:g} s: {sum(each > worst for each in times)}"
        f"{f', {times_alone:.2f} x alone' if alone else ''}{missed}"
    )


def tell_all(title: str, times: Times, submits: bool, alone: Times | None = None) -> None:
    print(title)
    print("  ", tell("new games", times.games))
    print("  ", tell("moves    ", times.moves, WORST_MOVE if submits else WORST, alone and alone.moves))
    print("  ", tell("hints    ", times.hints, WORST, alone and alone.hints))
    if times.news:
        print(f"   the league: {times.handed_in} handed in, {times.news} ladders read")
    if times.heuristics:
        middle, longest = statistics.median(times.heuristics) / 1000, max(times.heuristics) / 1000
        print(f"   heuristics: {len(times.heuristics)} kept, median {middle:.1f} s, longest {longest:.1f} s")
    if times.failures:
        print(f"   {len(times.failures)} pupils were cut off, MISSED: {times.failures[0]}")


async def warm(url: str, client: httpx2.AsyncClient) -> None:
    """Wait until the server has compiled what it compiles when it starts, and what is used here."""
    cookie, _ = await enter(client)
    games = (await client.get("/api/catalogue", headers=cookie)).json()["games"]
    players = [(name, game["default_player"]) for name, game in games.items()] + [("2048", HINT), ("2048", BATCH)]
    players.append(("connect4", "alphabeta:depth=2,table=on"))
    async with live(url, cookie) as line:
        for name, player in players:
            start = (await client.post("/api/games", json={"game": name}, headers=cookie)).json()["start"]["text"]
            await ask(line, "h", "hint", game=name, position=start, player=player)
        batch = {"game": "tictactoe", "players": ["random", "random"], "games": 1}
        await ask(line, "b", "batch", **batch)
        await ask(line, "t", "trace", game="2048", position="2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2", player=HINT)
    await client.put("/api/training/warm", json={"network": "2x4", "games": 100}, headers=cookie)
    await client.post("/api/lab/runs", json={"plan": PLAN.replace("1000", "2")}, headers=cookie)
    for _ in range(600):
        training = (await client.get("/api/training/warm", headers=cookie)).json()
        runs = (await client.get("/api/lab/runs", headers=cookie)).json()
        if training["status"] in ("finished", "failed") and all(run["status"] != "running" for run in runs):
            break
        await asyncio.sleep(0.2)


async def teach(url: str, client: httpx2.AsyncClient) -> None:
    """Begin the class's league."""
    cookie = await name(client)
    await client.post("/api/class/teach", json={"password": PASSWORD}, headers=cookie)
    asked = {"game": "2048", "depth": 1, "games": 5, "staff": ["random"]}
    answer = await client.put("/api/class/league", json=asked, headers=cookie)
    assert answer.status_code == 204, answer.text


async def class_of(url: str, browsers: int, seconds: float, submits: bool) -> Times:
    times = Times()
    async with browsing(url) as client:
        until = time.monotonic() + seconds
        await asyncio.gather(*(Pupil(url, client, times, submits).play(until) for _ in range(browsers)))
    return times


async def measure(url: str, browsers: int, seconds: float, submits: bool) -> None:
    async with browsing(url) as client:
        await warm(url, client)
        if submits:
            await teach(url, client)
        for heavy in (False, True):
            weight = asyncio.ensure_future(weigh(url, client, time.monotonic() + seconds)) if heavy else None
            tell_all(
                f"{browsers} browsers" + (" and a heavy one" if heavy else ""),
                await class_of(url, browsers, seconds, submits),
                submits,
            )
            if weight is not None:
                print("  ", await weight)


async def measure_attack(url: str, kind: str, source: str, browsers: int, seconds: float, submits: bool) -> None:
    async with browsing(url) as client:
        await warm(url, client)
        if submits:
            await teach(url, client)
    alone = None
    if submits:
        alone = await class_of(url, browsers, seconds, submits)
        tell_all(f"{browsers} browsers", alone, submits)
    told = multiprocessing.Queue()
    attacker = multiprocessing.Process(target=attack, args=(kind, url, source, seconds + 2, told), daemon=True)
    attacker.start()
    try:
        await asyncio.sleep(2)
        times = await class_of(url, browsers, seconds, submits)
        tell_all(f"{kind}, from {source}: {KINDS[kind].__doc__}", times, submits, alone)
        with suppress(Exception):
            print("   the attacker saw", await asyncio.to_thread(told.get, True, 10))
    finally:
        attacker.kill()
        attacker.join()


def describe(pid: int, folder: Path) -> str:
    """What a server takes, where the system tells (Linux)."""
    kept = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
    process = Path(f"/proc/{pid}")
    if not process.exists():
        return f"the server: {kept:.1f} MB on disk,"
    memory = re.search(r"VmRSS:\s+(\d+)", (process / "status").read_text())
    ticks = (process / "stat").read_text().rpartition(")")[2].split()[11:13]
    seconds = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    megabytes, files = int(memory[1]) >> 10 if memory else 0, len(os.listdir(process / "fd"))
    return (
        f"the server: {megabytes} MB of memory, {files} open files, "
        f"{seconds:.1f} s of processor, {kept:.1f} MB on disk,"
    )


def serve(work: Any, submits: bool) -> None:
    """Do something with a server of its own."""
    what = ["class", "--host", "127.0.0.1", "--code", CODE, "--password", PASSWORD] if submits else ["web"]
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as log:
        command = [sys.executable, "-u", "-m", "contienda", *what, "--no-browser", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, encoding="utf-8")
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))
            asyncio.run(work(found[0]))
            log.seek(0)
            lines = log.read()
            print("  ", describe(server.pid, Path(folder)), f"{len(lines)} bytes of log", flush=True)
            if b"Traceback" in lines:
                print("   a traceback in the log, MISSED:", lines.decode()[-600:])
        finally:
            server.kill()
            server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--attack", help=f"all, or some of {', '.join(KINDS)}")
    parser.add_argument("--from", dest="sources", default="127.0.0.1,127.0.0.2", help="the attackers' addresses")
    parser.add_argument("--submit", action="store_true", help="a class whose pupils hand in heuristics")
    asked = parser.parse_args()
    submits = asked.submit
    if asked.attack is None:
        serve(lambda url: measure(url, asked.browsers, asked.seconds, submits), submits)
        return
    long_game()  # before anybody is timed
    kinds = list(ATTACKS) if asked.attack == "all" else asked.attack.split(",")
    for unknown in set(kinds) - set(KINDS):
        parser.error(f"no attack {unknown!r}: there are {', '.join(KINDS)}")
    for kind in kinds:
        for source in asked.sources.split(","):
            serve(
                lambda url, kind=kind, source=source: measure_attack(
                    url, kind, source, asked.browsers, asked.seconds, submits
                ),
                submits,
            )


if __name__ == "__main__":
    main()
