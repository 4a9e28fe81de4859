"""A real server with its own data folder, and Debian's Chromium as its client."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import find_chromium
from driver import App
from playwright.sync_api import Browser, BrowserContext, Page
from server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server that the tests share; each browser context has its own games there."""
    data = tmp_path_factory.mktemp("data")
    server = Server(data, environment={"XDG_DATA_HOME": str(data / "share")})
    yield server
    server.kill()


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may kill."""
    server = Server(tmp_path)
    yield server
    server.kill()


#: Games from files outside the package: buttons alone, a board to click on, luck for one, luck for two (compiled).
TOYS = ("nim.py:Nim", "three.py:Three", "pig.py:Pig", "race.py:Race")


@pytest.fixture(scope="session")
def toy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where a package has brought the games of `toys`, and where files with games were opened."""
    package = tmp_path_factory.mktemp("packages")
    (package / "toys-1.dist-info").mkdir()
    (package / "toys-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1\n")
    names = {"crossing": "Crossing", "heap": "Heap", "columns": "Columns", "slides": "Slides"}
    lines = [f"{name} = toys:{game}" for name, game in names.items()]
    (package / "toys-1.dist-info" / "entry_points.txt").write_text("\n".join(["[contienda.games]", *lines, ""]))
    paths = [str(package), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    folder = Path(__file__).parents[1] / "toys"
    opened = [option for toy in TOYS for option in ("--game", f"{folder / toy}")]
    pids = tmp_path_factory.mktemp("engines") / "pids"
    opened += ["--player", f"engine:cmd={sys.executable} -I -S {folder / 'engine.py'} {pids} dies,timeout=20"]
    server = Server(tmp_path_factory.mktemp("toys"), *opened, environment=environment)
    yield server
    server.kill()


@pytest.fixture
def toys(page: Page, toy_server: Server) -> Iterator[App]:
    """The app where the games of `toys` are."""
    app = App(page, toy_server.url)
    app.open()
    yield app
    assert app.troubles == []


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """--no-sandbox because tests also run as root in containers."""
    return {
        "executable_path": find_chromium(),
        "args": ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--renderer-process-limit=1", "--process-per-site"],
    }  # fmt: skip


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """An English browser without animations, so that no test waits for one."""
    return {"locale": "en-GB", "viewport": {"width": 1440, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def window(browser: Browser, browser_context_args: dict[str, Any]) -> Page:
    """An empty page that keeps a window of the browser open: a new one for each test takes more than many a test."""
    return browser.new_context(**browser_context_args).new_page()


@pytest.fixture
def context(request: pytest.FixtureRequest, new_context: Any) -> Iterator[BrowserContext]:
    """A browser of somebody new. Tests that want a usual one share a window, and leave nothing in it."""
    if request.node.get_closest_marker("browser_context_args"):
        yield new_context()
        return
    window: Page = request.getfixturevalue("window")
    context = window.context
    yield context
    origins = set()
    for page in context.pages:
        if page is not window:
            origins.add("/".join(page.url.split("/")[:3]))
            page.close()
    storage = context.new_cdp_session(window)
    for origin in origins:
        storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    storage.detach()
    context.clear_cookies()


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
    app = item.funcargs.get("app") or item.funcargs.get("toys")
    if report.failed and report.when == "call" and isinstance(app, App):
        report.sections.append(("The page", app.situation()))
    return report
