"""Send nonsensical requests to a real server: ``python tests/attack/fuzz_requests.py --requests 1000000``.

Requests are made from the API's own description, then bent: values of another type, too large, too deep, missing or
twice; bytes that are no JSON, no UTF-8, no HTTP. Frames go to the WebSocket in the same way. Whatever comes, the server
answers with a 4xx at worst and one sentence in each language, writes no traceback into its log, and lives.

All lots come from ``--seed``; a request that breaks the rule is printed whole.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

#: Small limits: a request that happens to be a real search must not take the time of thousands of others. And large
#: ones for how often one may ask, or most requests would only be told to wait.
_LIMITS = (
    "ms=20,path_ms=50,depth=2,batch_games=5,lab_games=20,lab_runs=5,upload_bytes=100000,games=50,memory=8,"
    "requests=1000000,address_requests=1000000,all_requests=1000000,writes=1000000,address_writes=1000000"
)
_PATIENCE = 60.0
#: Routes that draw, report or train take a hundred times as long as others: they are asked for less often.
_SLOW, _SELDOM = re.compile("/figure|/report|/documents|/export|/training/"), 0.1

_TEXTS = [
    "", " ", "0", "-1", "1e999", "nan", "null", "2048", "connect4", "tictactoe", "tree", "puzzle8", "random", "human",
    "expectimax:depth=1", "alphabeta:depth=2,table=on", "minimax:reuse=on", "mcts:sims=3", "champion:depth=1", "solver",
    "montecarlo:rollouts=2", "greedy:eval=uma1", "expectimax:depth=1,eval=mine/x", "eval=/etc/passwd",
    "../../etc/passwd",
    "2 4 8 16/0 0 2 4/0 0 0 2/0 0 0 0", "2 2 2 2/2 2 2 2/2 2 2 2/2 2 2 2", "131072 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0",
    "4453",
    "max[min[3 12 8] min[2 4 6]]", "max[" * 50, "max[chance[0.5:1 0.5:2]]", "up", "left", "4", "8 6 7/2 5 4/3 0 1",
    "game = \"2048\"\ngames = 1\nplayers = [\"random\"]", "game = \"2048\"\ngames = 1e9", "a" * 5000, "ñ🎲\u202e\x00",
    "%00",
    "csv", "sqlite", "html", "uma", "ort", "def f(board, weights):\n    return 1.0", "astar", "backtracking",
]  # fmt: skip
_NUMBERS = [0, 1, -1, 2, 3, 7, 63, 64, 255, 2**31, 2**63, 2**64, -(2**63), 10**30, 0.5, -0.0, 1e308]
_ODD = [None, True, False, [], {}, [[]], [None], {"": {}}, {"__proto__": 1}]


class Fuzzer:
    """Requests at random, made for this API."""

    def __init__(self, api: dict[str, Any], lots: random.Random) -> None:
        self.lots = lots
        self._schemas = api.get("components", {}).get("schemas", {})
        self.operations = [
            (method.upper(), path, operation)
            for path, methods in api["paths"].items()
            for method, operation in methods.items()
        ]
        self._weights = [_SELDOM if _SLOW.search(path) else 1.0 for _, path, _ in self.operations]
        self.ids: list[str] = []

    def request(self, host: str, cookies: list[str]) -> bytes:
        """The bytes of one request, sound HTTP for the most part."""
        lots = self.lots
        ((method, path, operation),) = lots.choices(self.operations, self._weights)
        query = []
        for parameter in operation.get("parameters", []):
            value = self._text(parameter.get("schema", {}))
            if parameter["in"] == "path":
                if parameter["name"].endswith("_id") and self.ids and lots.random() < 0.7:
                    value = lots.choice(self.ids)
                path = path.replace("{" + parameter["name"] + "}", quote(value, safe="") or "x")
            elif lots.random() < 0.7:
                query.append(f"{quote(parameter['name'])}={quote(value)}")
        path += "?" + "&".join(query) if query else ""
        body = b""
        content = operation.get("requestBody", {}).get("content", {})
        if content and lots.random() < 0.97:
            about = next(iter(content.values()))
            body = self._bent(json.dumps(self._value(about.get("schema", {}), 0)).encode())
        elif lots.random() < 0.05:
            body = b"{}"
        if lots.random() < 0.02:
            method = lots.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW"])
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
        if lots.random() < 0.95:
            lines.append(
                "Content-Type: "
                + lots.choices(["application/json", "text/plain", "multipart/form-data", "ñ"], [97, 1, 1, 1])[0]
            )
        lines.append(f"Cookie: contienda={self._cookie(cookies)}")
        if lots.random() < 0.02:
            lines.append(
                lots.choice(["Origin: http://evil.example", "X: " + "y" * 9000, "Range: bytes=0-1", "Accept: nothing"])
            )
        return "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n" + body

    def garbage(self) -> bytes:
        """Bytes that are no HTTP."""
        lots = self.lots
        start = lots.choice(
            [
                b"",
                b"GET / HTTP/1.1\r\n",
                b"POST /api/games HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                b"\x16\x03\x01",
            ]
        )
        return start + lots.randbytes(lots.randrange(1, 200)) + lots.choice([b"", b"\r\n\r\n"])

    def frame(self, kinds: dict[str, dict[str, Any]]) -> str | bytes:
        """A message to the WebSocket."""
        lots = self.lots
        kind = lots.choice([*kinds, "no-kind"])
        message: dict[str, Any] = {"job": lots.choice(["a", "b", "c", "", "x" * 100]), "kind": kind}
        asked = self._value(kinds.get(kind, {}), 0)
        message |= asked if isinstance(asked, dict) else {}
        if lots.random() < 0.2:
            message = {"cancel": lots.choice(["a", "b", 7, None])}
        if lots.random() < 0.05:
            return lots.randbytes(50)
        return self._bent(json.dumps(message).encode()).decode("utf-8", "replace")

    def _cookie(self, cookies: list[str]) -> str:
        return self.lots.choice(cookies) if self.lots.random() < 0.98 else self.lots.randbytes(16).hex()

    def _bent(self, body: bytes) -> bytes:
        lots = self.lots
        if lots.random() > 0.1 or not body:
            return body
        place = lots.randrange(len(body))
        return lots.choice(
            [
                body[:place],
                body[:place] + lots.randbytes(3) + body[place:],
                body[:place] + bytes([body[place] ^ (1 << lots.randrange(8))]) + body[place + 1 :],
                body + body,
                b"[" * 5000,
                b'{"a":' * 3000,
                body.replace(b"0", b"NaN", 1),
                b"\xff\xfe" + body,
            ]
        )

    def _text(self, schema: dict[str, Any]) -> str:
        value = self._value(schema, 0)
        return value if isinstance(value, str) else json.dumps(value)

    def _value(self, schema: dict[str, Any], depth: int) -> Any:
        """A value that fits, or one that does not."""
        lots = self.lots
        if lots.random() < 0.04 or depth > 6:
            return lots.choice([*_TEXTS, *_NUMBERS, *_ODD])
        if "$ref" in schema:
            return self._value(self._schemas[schema["$ref"].rsplit("/", 1)[1]], depth + 1)
        if "anyOf" in schema:
            return self._value(lots.choice(schema["anyOf"]), depth + 1)
        if "enum" in schema:
            return lots.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        if kind == "object":
            wanted = schema.get("properties", {})
            needed = set(schema.get("required", []))
            made = {
                n: self._value(s, depth + 1)
                for n, s in wanted.items()
                if lots.random() < (0.98 if n in needed else 0.4)
            }
            return made | ({"extra": 1} if lots.random() < 0.02 else {})
        if kind == "array":
            return [self._value(schema.get("items", {}), depth + 1) for _ in range(lots.choice([0, 1, 1, 2, 2, 3, 20]))]
        if kind in ("integer", "number"):
            return lots.choice(_NUMBERS) if lots.random() < 0.3 else lots.randrange(0, 12)
        if kind == "boolean":
            return lots.random() < 0.5
        if kind == "null":
            return None
        return lots.choice(_TEXTS)


class Tally:
    """What was seen."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.sent = 0
        self.frames = 0
        self.statuses: Counter[int] = Counter()
        self.slow: list[tuple[float, str]] = []
        self.broken: list[str] = []

    def note(self, asked: bytes, status: int, body: bytes, seconds: float) -> None:
        self.statuses[status] += 1
        line = asked[:120].decode("utf-8", "replace").replace("\r\n", " | ")
        if seconds > 2:
            self.slow.append((seconds, line))
        if status >= 500 and status not in (503, 507):  # too busy and disk full are told, not broken
            self.broken.append(f"{status} for {asked!r}: {body[:300]!r}")
        elif status >= 400 and b"BREW" not in asked[:10] and asked[:4] != b"HEAD":
            try:
                texts = json.loads(body)["error"]
                assert set(texts) == {"en", "es"}
                assert all(text.strip() and text.isprintable() for text in texts.values())
            except (ValueError, KeyError, TypeError, AssertionError, AttributeError):
                self.broken.append(f"{status} without a sentence for {asked!r}: {body[:300]!r}")


async def read_answer(reader: asyncio.StreamReader, head_only: bool) -> tuple[int, bytes, bool]:
    """The status, the body, and whether the connection goes on."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    fields = {n.strip().lower(): v.strip() for n, _, v in (line.partition(b":") for line in head.split(b"\r\n")[1:])}
    if head_only or status in (204, 304):
        body = b""
    elif fields.get(b"transfer-encoding") == b"chunked":
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readline()
        await reader.readline()
    else:
        body = await reader.readexactly(int(fields.get(b"content-length", b"0")))
    return status, body, fields.get(b"connection", b"").lower() != b"close"


async def talk(port: int, fuzzer: Fuzzer, cookies: list[str], tally: Tally) -> None:
    """One connection after the other, until enough was sent."""
    host = f"127.0.0.1:{port}"
    while tally.sent < tally.total:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
        try:
            for _ in range(500):
                if tally.sent >= tally.total:
                    break
                tally.sent += 1
                if fuzzer.lots.random() < 0.002:
                    writer.write(fuzzer.garbage())
                    writer.write_eof()
                    await asyncio.wait_for(reader.read(), _PATIENCE)
                    break
                asked = fuzzer.request(host, cookies)
                begun = time.monotonic()
                writer.write(asked)
                status, body, goes_on = await asyncio.wait_for(read_answer(reader, asked[:4] == b"HEAD"), _PATIENCE)
                tally.note(asked, status, body, time.monotonic() - begun)
                if status == 201 and (made := re.search(rb'"id":\s*"([^"]+)"', body)):
                    fuzzer.ids = [*fuzzer.ids[-50:], made[1].decode()]
                if not goes_on:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # closed on somebody who does not speak HTTP; whether the server lives is seen below
        except TimeoutError:
            tally.broken.append(f"no answer in {_PATIENCE:g} s to {asked!r}")
        finally:
            writer.close()


async def shout(port: int, fuzzer: Fuzzer, cookies: list[str], tally: Tally, kinds: dict[str, dict[str, Any]]) -> None:
    """Frames into one socket after the other."""
    while tally.sent < tally.total:
        try:
            async with connect(
                f"ws://127.0.0.1:{port}/api/live", additional_headers={"Cookie": f"contienda={fuzzer._cookie(cookies)}"}
            ) as line:
                for _ in range(200):
                    await line.send(fuzzer.frame(kinds))
                    tally.frames += 1
                    if tally.frames % 10 == 0:
                        await asyncio.sleep(0.01)
                        while True:
                            try:
                                told = await asyncio.wait_for(line.recv(), 0.001)
                            except TimeoutError:
                                break
                            if "something went wrong" in str(told):
                                tally.broken.append(f"frame: {told!r}")
        except (OSError, WebSocketException):
            await asyncio.sleep(0.1)


def serve(data: Path, log: Path, limits: str) -> tuple[subprocess.Popen[str], int]:
    child = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "contienda",
            "web",
            "--no-browser",
            "--port",
            "0",
            "--data",
            str(data),
            "--limits",
            limits,
        ],
        stdout=subprocess.PIPE,
        stderr=log.open("w"),
        encoding="utf-8",
        env=os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "200", "LC_ALL": "C.UTF-8"},
    )
    assert child.stdout is not None
    for line in child.stdout:
        if found := re.search(r"http://[^:]+:(\d+)/", line):
            return child, int(found[1])
    raise AssertionError(log.read_text())


async def attack(port: int, asked: argparse.Namespace, tally: Tally, child: subprocess.Popen[str]) -> None:
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        api = (await client.get("/api/openapi.json")).json()
        cookies = []
        for _ in range(20):
            client.cookies.clear()
            cookies.append((await client.post("/api/games", json={})).cookies["contienda"])
    from contienda.web.games import shapes as games
    from contienda.web.searches import shapes as searches

    kinds = {
        "hint": searches.HintRequest, "move": games.MachineMove, "trace": searches.TraceRequest,
        "solution": searches.SolutionRequest, "batch": games.BatchRequest, "review": searches.ReviewRequest,
    }  # fmt: skip
    described = {name: shape.model_json_schema(ref_template="{model}") for name, shape in kinds.items()}
    lots = random.Random(asked.seed)
    talking = [
        asyncio.ensure_future(talk(port, Fuzzer(api, random.Random(lots.random())), cookies, tally))
        for _ in range(asked.connections)
    ]
    for _ in range(2):
        fuzzer = Fuzzer({"paths": {}}, random.Random(lots.random()))
        talking.append(asyncio.ensure_future(shout(port, fuzzer, cookies, tally, described)))
    begun = told = time.monotonic()
    while not all(each.done() for each in talking):
        await asyncio.wait(talking, timeout=1, return_when=asyncio.FIRST_EXCEPTION)
        if child.poll() is not None:
            tally.broken.append(f"the server ended with {child.returncode}")
            for each in talking:
                each.cancel()
            break
        for each in talking:
            if each.done():
                each.result()
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{tally.sent:,} requests, {tally.frames:,} frames, {tally.sent / (told - begun):,.0f}/s, "
                  f"{len(tally.broken)} broken, {len(tally.slow)} over 2 s", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limits", default=_LIMITS)
    asked = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    tally = Tally(asked.requests)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        child, port = serve(Path(folder) / "data", log, asked.limits)
        begun = time.monotonic()
        try:
            asyncio.run(attack(port, asked, tally, child))
            lives = child.poll() is None
        finally:
            child.kill()
            child.communicate()
        logged = log.read_text(errors="replace")
    if "Traceback" in logged:
        tally.broken.append("a traceback in the log: " + logged[logged.index("Traceback") :][:3000])
    print(f"{tally.sent:,} requests and {tally.frames:,} frames in {time.monotonic() - begun:.0f} s")
    print("answers:", ", ".join(f"{status}: {count:,}" for status, count in sorted(tally.statuses.items())))
    print(f"over 2 s: {len(tally.slow)}", *sorted(tally.slow, reverse=True)[:5], sep="\n  ")
    print(f"log: {len(logged):,} bytes; the server {'lives' if lives else 'is dead'}; broken: {len(tally.broken)}")
    for each in tally.broken[:20]:
        print(" ", each[:2000])
    sys.exit(1 if tally.broken or not lives else 0)


if __name__ == "__main__":
    main()
