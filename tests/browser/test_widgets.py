"""Widgets in a browser, as a notebook shows them: the module that anywidget loads, with a model of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from contienda.core.language import use_language
from contienda.lab.plan import Plan
from contienda.widgets import BoardWidget, RunWidget, TreeWidget
from contienda.widgets.page import FrameWidget

#: What anywidget gives a module: a model with the traits. What the page tells the kernel is kept in `sent`.
_MODEL = """async ([source, traits]) => {
  const heard = {};
  window.sent = [];
  window.model = {
    get: (name) => traits[name],
    set(name, value) { traits[name] = value; for (const hear of heard[`change:${name}`] ?? []) hear(); },
    on: (name, hear) => (heard[name] ??= []).push(hear),
    off: (name, hear) => (heard[name] = heard[name].filter((each) => each !== hear)),
    send: (message) => window.sent.push(message),
  };
  const module = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const el = document.createElement("div");
  document.body.append(el);
  window.leave = module.default.render({ model: window.model, el });
}"""


class Cell:
    """A widget in a page of its own, and its kernel."""

    def __init__(self, page: Page, widget: FrameWidget) -> None:
        self.page, self.widget = page, widget
        self.loaded: list[str] = []
        page.on("request", lambda request: self.loaded.append(request.url))
        page.set_content("<!doctype html><html lang='en'><title>notebook</title><body></body></html>")
        traits = {name: getattr(widget, name) for name in ("shown", "label", "height")}
        page.evaluate(_MODEL, [widget._esm, json.loads(json.dumps(traits))])
        self._shown: list[Any] = []
        widget.observe(lambda change: self._shown.append(change["new"]), "shown")
        self.frame = page.frame_locator("iframe")

    def hear(self) -> list[dict[str, Any]]:
        """Let the kernel do what the page has asked for, and the page show it."""
        self.page.wait_for_function("sent.length")
        wishes = self.page.evaluate("sent.splice(0)")
        for wish in wishes:
            self.widget._heard(wish)
        for shown in (*self._shown,):
            self.page.evaluate("shown => model.set('shown', shown)", json.loads(json.dumps(shown)))
        self._shown.clear()
        return wishes

    def check(self) -> None:
        """Nothing came from a network."""
        assert all(url.startswith(("blob:", "about:", "data:")) for url in self.loaded), self.loaded


def test_a_board_to_play_on(page: Page) -> None:
    use_language("en")
    cell = Cell(page, BoardWidget("tictactoe", "human", "alphabeta", seed=1))
    frame = cell.frame
    expect(frame.get_by_role("grid", name="Tic-tac-toe")).to_be_visible()
    frame.locator("[data-cell='4']").click()
    cell.hear()
    expect(frame.get_by_role("status")).to_contain_text("Second: row 1, column 1.")
    assert cell.widget.played.moves == 2
    frame.get_by_role("button", name="Propose").click()
    cell.hear()
    expect(frame.locator(".value-chip.best")).to_be_visible()
    expect(frame.get_by_text("node")).to_be_visible()
    frame.locator("body").press("u")
    cell.hear()
    assert cell.widget.played.game.format(cell.widget.state) == ".../.../..."
    expect(frame.get_by_role("button", name="Redo")).to_be_enabled()
    box = page.locator("iframe").bounding_box()
    assert box is not None
    assert box["height"] > 300, "as high as what is in it"
    assert page.evaluate("leave() ?? 'left'") == "left"
    cell.check()


@pytest.mark.parametrize(("game", "drawing"), [("2048", "board-2048"), ("connect4", "board-connect4")])
def test_boards_have_the_drawings_of_the_app(page: Page, game: str, drawing: str) -> None:
    use_language("es")
    try:
        cell = Cell(page, BoardWidget(game, "human", "random", seed=7))
        expect(cell.frame.locator(drawing)).to_be_visible()
        cell.frame.get_by_role("grid").press("ArrowLeft")
        if game == "connect4":
            cell.frame.get_by_role("grid").press("Enter")
        cell.hear()
        expect(cell.frame.get_by_role("button", name="Proponer")).to_be_visible()
    finally:
        use_language("en")
    assert cell.widget.played.moves == (1 if game == "2048" else 2)


def test_a_tree_tells_which_node_is_looked_at(page: Page) -> None:
    widget = TreeWidget("tree", "max[min[3 12 8] min[2 4 6] min[14 5 2]]", "alphabeta")
    cell = Cell(page, widget)
    expect(cell.frame.locator("tree-drawing svg").first).to_be_visible()
    cell.frame.get_by_role("button", name="To the start").click()
    cell.frame.get_by_role("button", name="One step forward").click()
    page.wait_for_function("sent.at(-1)?.moment === 1")
    cell.hear()
    assert widget.moment == 1
    cell.check()


def test_a_run_can_be_stopped_and_resumed(page: Page, tmp_path: Path) -> None:
    plan = Plan("race", "tictactoe", ("random", "greedy"), ("random",), games=12)
    widget = RunWidget(plan, tmp_path / "race.sqlite", workers=1)
    widget.stop()
    widget.wait(60)
    cell = Cell(page, widget)
    expect(cell.frame.get_by_role("heading", name="race")).to_be_visible()
    if widget.shown["run"]["status"] != "done":
        cell.frame.get_by_role("button", name="Resume").click()
        cell.hear()
    assert len(list(widget.wait(120).rows())) == 24
    page.evaluate("shown => model.set('shown', shown)", json.loads(json.dumps(widget.shown)))
    expect(cell.frame.get_by_role("table")).to_contain_text("greedy – random")
    expect(cell.frame.locator(".pill")).to_have_text("Finished")
    cell.check()
