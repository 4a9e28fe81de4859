"""The WebSocket on which searches run: clients that send without end, or do not read, cost others little."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace

from contienda.web.access import sockets
from contienda.web.access.identity import Browser
from contienda.web.access.rates import Rates
from contienda.web.access.sockets import Sockets
from contienda.web.searches import live
from contienda.web.searches.live import Live
from contienda.web.settings import Limits
from contienda.web.work.turns import Turns

HINT = {"kind": "hint", "game": "2048", "position": "2 0/0 0", "player": "random"}


class Line:
    """A WebSocket with messages that have come; what is sent is noted, if the client reads."""

    def __init__(self, name, messages, log, *, reads=True):
        self.name, self._messages, self._log, self._reads = name, list(messages), log, reads
        self.scope = {"state": {"client": Browser(name, "school")}}
        self.app = SimpleNamespace(state=SimpleNamespace(folder=Path("/")))
        self.closed = False

    async def accept(self): ...

    async def close(self, code):
        self.closed = True

    async def receive(self):
        if not self._messages:
            await asyncio.Event().wait()
        return {"type": "websocket.receive", "text": json.dumps(self._messages.pop(0))}

    async def send_text(self, text):
        if not self._reads:
            await asyncio.Event().wait()
        self._log.append((self.name, json.loads(text)["event"]))


async def serve(*lines, rounds=300):
    async def hint(client, asked, report):
        return json.dumps(asked.position * 100)

    analyst = SimpleNamespace(hint=hint, move=None, trace=None, exercise=None, solution=None, batch=None, review=None)
    limits = Limits(requests=10**6, address_requests=10**6, all_requests=10**6)
    all_sockets, rates, turns = Sockets(limits), Rates(limits), Turns(1)
    tasks = [asyncio.ensure_future(Live(line, analyst, 1000, all_sockets, rates, turns).run()) for line in lines]
    for _ in range(rounds):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_messages_are_read_in_turn():
    log = []
    greedy = Line("greedy", [HINT | {"job": str(i)} for i in range(100)], log)
    asyncio.run(serve(greedy, Line("pupil", [HINT | {"job": "h"}], log)))
    assert log.index(("pupil", "done")) <= 2
    assert len(log) > 50, "and then the others"


def test_after_a_message_that_is_none_the_next_is_not_read_at_once():
    log = []
    asyncio.run(serve(Line("deaf", [{"job": "a", "kind": "nonsense"}, 7] * 50, log)))
    assert log == [("deaf", "failed")]


def test_answers_that_nobody_reads_are_limited_in_total(monkeypatch):
    monkeypatch.setattr(sockets, "_ALL_UNREAD", 32_000)
    monkeypatch.setattr(live, "_MUCH", 100)
    log = []
    deaf = [Line(str(i), [HINT | {"job": str(i)} for i in range(i)], log, reads=False) for i in (5, 8, 60)]
    pupil = Line("pupil", [HINT | {"job": "h"}], log)
    asyncio.run(serve(*deaf, pupil))
    assert [line.closed for line in deaf] == [False, False, True]
    assert not pupil.closed
    assert log == [("pupil", "done")]
