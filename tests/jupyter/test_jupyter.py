"""Widgets in a real JupyterLab, in Chromium, as a user has them: ``make jupyter``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import socket
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Request, expect, sync_playwright

#: Milliseconds to wait for anything; a kernel takes seconds to start, and so does what it compiles.
_PATIENCE = 300_000
_CELLS = (
    "from contienda import BoardWidget, TreeWidget",
    'board = BoardWidget("tictactoe", "human", "alphabeta", seed=1)\nboard',
    'tree = TreeWidget("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "alphabeta")\ntree',
    'print(board.played.moves, "moves, at moment", tree.moment)',
)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of our own."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "source": text,
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        for number, text in enumerate(_CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": cells}
    (tmp_path / "widgets.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": tmp_path,
        "IdentityProvider.token": "",
        "LabApp.expose_app_in_browser": True,
        "LabApp.news_url": None,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    folders = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    # The address is in this test's hands only, and the process ends with it.
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, *(f"--{name}={value}" for name, value in options.items())],
            env=os.environ | folders | {"JUPYTERLAB_SETTINGS_DIR": str(tmp_path / "settings")},
            cwd=tmp_path,
            stdout=log,
            stderr=log,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            deadline = monotonic() + _PATIENCE / 1000
            while True:
                with suppress(OSError), urllib.request.urlopen(f"{url}/api", timeout=5):
                    break
                assert server.poll() is None, (tmp_path / "log").read_text(encoding="utf-8")
                assert monotonic() < deadline
                sleep(0.2)
            yield f"{url}/lab/tree/widgets.ipynb"
        finally:
            server.terminate()
            server.wait(60)


@pytest.fixture
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert chromium, "this test needs Chromium: apt install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def test_a_board_is_played_on_and_a_tree_stepped_through_and_nothing_comes_from_a_network(lab, browser):
    page = browser.new_page(locale="en-GB", viewport={"width": 1440, "height": 2600})
    page.set_default_timeout(_PATIENCE)
    expect.set_options(timeout=_PATIENCE)
    asked: list[str] = []
    home = urlsplit(lab).netloc

    def note(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "about") and address.netloc != home:
            asked.append(request.url)

    page.on("request", note)
    page.goto(lab)
    page.locator(".jp-Notebook .jp-CodeCell").nth(len(_CELLS) - 1).wait_for()
    page.get_by_role("button", name="Python 3 (ipykernel) | Idle").wait_for()
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")

    cells = page.locator(".jp-Notebook .jp-CodeCell")
    board = cells.nth(1).frame_locator("iframe")
    expect(board.get_by_role("grid", name="Tic-tac-toe")).to_be_visible()
    board.locator("[data-cell='4']").click()
    expect(board.get_by_role("status")).to_contain_text("Second: row 1, column 1.")
    board.get_by_role("button", name="Propose").click()
    expect(board.locator(".value-chip.best")).to_be_visible()

    tree = cells.nth(2).frame_locator("iframe")
    expect(tree.locator("tree-drawing svg").first).to_be_visible()
    tree.get_by_role("button", name="To the start").click()
    tree.get_by_role("button", name="One step forward").click()

    page.evaluate("jupyterapp.commands.execute('notebook:deselect-all')")
    last = cells.nth(3)
    last.locator(".cm-content").click()
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
    expect(last.locator(".jp-OutputArea-output")).to_contain_text("2 moves, at moment 1")
    assert asked == []
