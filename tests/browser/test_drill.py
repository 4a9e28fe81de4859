"""Endgames to practise: with no table on the machine, and with one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driver import App
from playwright.sync_api import expect
from server import Server

from contienda.tables.making import TableLimits, make_table
from contienda.tables.pattern import parse_patterns

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
TINY = "goal: 16\nspare: 12\n####\n###.\n##..\n#..."


def test_the_drill(app: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    page = app.page
    page.get_by_role("link", name="Practise endgames of 2048").click()
    expect(page.get_by_text("There are no endgame tables on this machine yet")).to_be_visible()
    expect(page.get_by_text("contienda tables make")).to_be_visible()
    assert page.evaluate(CHECK) == []

    monkeypatch.setenv("XDG_DATA_HOME", str(server.data / "share"))
    (pattern,) = parse_patterns(TINY, "tiny")
    assert make_table(pattern, TableLimits(500, 500, 2))
    app.open("#/")
    app.open("#/drill")
    expect(page.locator(".task")).to_contain_text("Make a second 16 without moving the large tiles.")
    expect(app.grid).to_be_visible()
    assert page.evaluate(CHECK) == []
    told = page.locator(".drill-moves li, .drill-end")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        app.press(key)
    expect(told.first).to_be_visible()
    expect(told.first).to_have_text(re.compile("best move|good|inaccurate|mistake|over|Made it|No move"))
    app.press("n")
    expect(page.locator(".drill-end")).to_have_count(0)
    app.open("#/")
