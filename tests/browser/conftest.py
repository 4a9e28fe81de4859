"""A real server with a data folder of its own, and Debian's Chromium before it."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from driver import App
from playwright.sync_api import Page
from server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that the tests share; each browser context has its own games there."""
    server = Server(tmp_path_factory.mktemp("data"))
    yield server
    server.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(tmp_path)
    yield server
    server.kill()


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium; --no-sandbox because tests also run as root in containers."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "the browser tests need Chromium: apt install chromium"
    return {
        "executable_path": chromium,
        "args": ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync"],
    }  # fmt: skip


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """An English browser without animations, so that no test waits for one."""
    return {"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture
def app(page: Page, server: Server) -> Iterator[App]:
    """The app at its first screen; a test fails if anything went wrong in the browser unseen."""
    app = App(page, server.url)
    app.open()
    yield app
    assert app.troubles == []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails tells what the browser showed then."""
    report = yield
    app = item.funcargs.get("app")
    if report.failed and report.when == "call" and isinstance(app, App):
        report.sections.append(("The page", app.situation()))
    return report
