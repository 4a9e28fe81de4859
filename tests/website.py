"""The app's server driven in this process: `open_site` serves it, `Site.browser` is somebody with their own cookie."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from httpx2 import Response
from starlette.testclient import TestClient, WebSocketTestSession

from contienda.web.app import make_app
from contienda.web.settings import Limits, Settings

URL = "http://localhost:2048"

#: Tests ask faster than people; those of the rates say so.
ROOMY = {"requests": 10**6, "address_requests": 10**6, "all_requests": 10**6}


class Site:
    """A server with its event loop."""

    def __init__(self, app: FastAPI, first: TestClient) -> None:
        self.app = app
        self._first = first

    def browser(self, **headers: str) -> TestClient:
        """Somebody new, on the same event loop, who has opened the page and got a cookie."""
        browser = TestClient(self.app, base_url=URL)
        browser.portal = self._first.portal
        browser.get("/")
        browser.headers.update(headers)
        return browser

    def call(self, work: Callable[[], Awaitable[Any]]) -> Any:
        """Run a coroutine on that event loop."""
        assert self._first.portal is not None
        return self._first.portal.call(work)


@contextmanager
def open_site(
    data: Path,
    host: str = "127.0.0.1",
    opened: tuple[str, ...] = (),
    players: tuple[str, ...] = (),
    whitelist_only: bool = False,
    classroom: Any = None,
    **limits: int,
) -> Iterator[Site]:
    """Serve, until the end of the block, with these games and players of a user's own opened."""
    app = make_app(Settings(host, 2048, data, Limits(**ROOMY | limits), opened, players, classroom, whitelist_only))
    with TestClient(app, base_url=URL) as first:
        yield Site(app, first)


def complaint(response: Response, status: int = 422) -> str:
    """The one line, in English, that says what was wrong; there is another in Spanish."""
    assert response.status_code == status, response.text
    body = response.json()
    return check_failure(body)


def check_failure(body: dict[str, Any]) -> str:
    texts = body["error"]
    assert set(texts) == {"en", "es"}
    for text in texts.values():
        assert text.strip()
        assert "\n" not in text
        assert "Traceback" not in text
    english: str = texts["en"]
    return english


class Line:
    """A WebSocket on which jobs run."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.seen: list[dict[str, Any]] = []

    def start(self, job: str, kind: str, **asked: Any) -> None:
        self.socket.send_json({"job": job, "kind": kind} | asked)

    def cancel(self, job: str) -> None:
        self.socket.send_json({"cancel": job})

    def end_of(self, job: str) -> dict[str, Any]:
        """The last word on a job."""
        while True:
            message = self.socket.receive_json()
            self.seen.append(message)
            if message["job"] == job and message["event"] != "progress":
                assert isinstance(message, dict)
                return message

    def result_of(self, job: str) -> dict[str, Any]:
        message = self.end_of(job)
        assert message["event"] == "done", message
        result: dict[str, Any] = message["result"]
        return result

    def run(self, kind: str, **asked: Any) -> dict[str, Any]:
        self.start(kind, kind, **asked)
        return self.result_of(kind)

    def failure(self, kind: str, status: int = 422, **asked: Any) -> str:
        self.start(kind, kind, **asked)
        message = self.end_of(kind)
        assert (message["event"], message.get("status")) == ("failed", status), message
        return check_failure(message)

    def progress_of(self, job: str) -> dict[str, Any]:
        """The next thing that is told of a job that goes on."""
        message = self.socket.receive_json()
        assert (message["job"], message["event"]) == (job, "progress"), message
        assert isinstance(message, dict)
        return message


@contextmanager
def open_line(browser: TestClient) -> Iterator[Line]:
    # On a busy machine the client may find its own task cancelled while it closes: the test has ended by then.
    with suppress(CancelledError), browser.websocket_connect("ws://localhost:2048/api/live") as socket:
        yield Line(socket)


def wait_until(condition: Callable[[], bool], seconds: float = 240) -> None:
    """For what happens in another thread; the seconds only bound a test that fails.

    To ask is work too, often a request: whoever waits longer asks less often.
    """
    patience = time.monotonic() + seconds
    pause = 0.01
    while not condition():
        assert time.monotonic() < patience
        time.sleep(pause)
        pause = min(1.5 * pause, 0.1)


def searching() -> int:
    """How many searches run in this process."""
    return sum(thread.name == "contienda-work" for thread in threading.enumerate())
