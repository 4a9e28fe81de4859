"""For everybody: both languages, light and dark, phone to projector, keyboard and screen reader, contrast."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import App
from playwright.sync_api import Page, expect

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
#: Every tile once, and the largest beside the smallest.
ALL_TILES = "131072 65536 32768 16384/8192 4096 2048 1024/512 256 128 64/32 16 8 4"
TABS = ["Machine", "Game", "Saved", "Batch", "Path", "Heuristic"]


def faults(app: App) -> list[str]:
    return app.page.evaluate(CHECK)


@pytest.mark.browser_context_args(locale="es-ES")
def test_the_browsers_language_and_another_that_is_remembered(app: App) -> None:
    page = app.page
    expect(page.get_by_role("heading", name="¿A qué jugamos?")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "es"
    page.get_by_role("button", name="Empezar").click()
    page.get_by_role("button", name="Proponer").click()
    expect(page.get_by_role("list", name="Valor de cada jugada")).to_be_visible()
    page.get_by_role("button", name="English").click()
    expect(app.button("Propose")).to_be_visible()
    page.reload()
    expect(app.button("Propose")).to_be_visible()


def test_the_theme_is_switched_and_remembered(app: App) -> None:
    def paper() -> str:
        return app.page.evaluate("getComputedStyle(document.body).backgroundColor")

    light = paper()
    app.page.get_by_role("button", name="Theme: system").click()
    app.page.get_by_role("button", name="Theme: light").click()
    expect(app.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    dark = paper()
    assert dark != light
    app.page.reload()
    expect(app.page.get_by_role("button", name="Theme: dark")).to_be_visible()
    assert paper() == dark


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900), (1920, 1080)], ids=lambda s: f"{s[0]}x{s[1]}")
def test_the_board_is_the_largest_thing_and_nothing_sticks_out(app: App, size: tuple[int, int]) -> None:
    page = app.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(wide)
    app.open_position(ALL_TILES)
    for name in TABS:
        app.tab(name)
        assert not page.evaluate(wide), name
    board = page.locator("board-2048").bounding_box()
    panel = page.get_by_role("tablist").bounding_box()
    assert board
    assert panel
    assert board["width"] >= min(0.85 * size[0], 0.6 * size[1])
    assert board["width"] > panel["width"] or size[0] < 900
    too_wide = "tiles => tiles.filter(t => t.scrollWidth > t.clientWidth).map(t => t.innerText)"
    assert page.locator(".tile b").evaluate_all(too_wide) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_roles_and_contrast(app: App, page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert faults(app) == []
    app.open_position(ALL_TILES)
    app.press("h")
    for name in TABS:
        app.tab(name)
        assert faults(app) == [], name
    app.tab("Machine")
    app.button("Edit board").click()
    assert faults(app) == []
    app.button("Cancel").click()
    app.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(app) == []
    page.get_by_role("button", name="Close").click()
    app.open_position("112233", game="connect4")
    app.press("h")
    expect(page.locator(".rise.best")).to_be_visible()
    assert faults(app) == []
    app.press("4")
    expect(page.get_by_text("First wins", exact=True)).to_be_visible()
    assert faults(app) == []
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_label("Place in the game")).to_be_visible()
    app.press("End")
    expect(page.get_by_text("1. 4")).to_be_visible()
    assert faults(app) == []


def test_all_by_keyboard(app: App) -> None:
    page = app.page
    app.press("Tab")
    expect(page.get_by_role("link", name="Skip to the game")).to_be_focused()
    app.press("Enter")
    app.press("Tab")
    reached: list[str] = []
    for _ in range(60):
        reached.append(page.evaluate("document.activeElement.innerText.trim()"))
        if reached[-1] == "Start":
            break
        app.press("Tab")
    assert "Start" in reached
    app.press("Enter")
    expect(app.grid).to_be_visible()
    app.press("Tab")
    expect(app.grid).to_be_focused()
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.get_by_role("tab", name="Machine").focus()
    app.press("ArrowRight")
    expect(page.get_by_role("tab", name="Game")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Game")).to_be_visible()
    app.expect_moves(0)  # the arrow was for the tabs


def test_motion_only_for_those_who_want_it(app: App, page: Page) -> None:
    app.start_2048()
    slide = "getComputedStyle(document.querySelector('.tile')).transitionDuration"
    assert page.evaluate(slide) == "0s"
    page.emulate_media(reduced_motion="no-preference")
    app.make_moves(3)
    times = "tiles => tiles.map(tile => getComputedStyle(tile).transitionDuration)"
    assert "0.11s" in page.locator(".tile:not(.still)").evaluate_all(times)
    assert app.tiles() == app.cells()
