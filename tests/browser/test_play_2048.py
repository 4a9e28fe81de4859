"""2048 by keyboard, by touch, by buttons."""

from __future__ import annotations

import re

import pytest
from driver import App
from playwright.sync_api import Page, expect


def test_a_whole_game_by_keyboard(app: App) -> None:
    app.start_2048(seed=3)
    overlay = app.page.get_by_role("group", name="Game over")
    for _ in range(400):
        app.press("ArrowDown", "d", "ArrowLeft", "w")  # arrows and letters alike
        if overlay.is_visible():
            break
    expect(overlay).to_contain_text("No move left")
    assert app.figure("score") == app.figure("best") > 0
    assert app.figure("moves") > 50
    assert app.tiles() == app.cells()
    assert "empty" not in app.cells()
    expect(app.heard).to_contain_text("Game over")
    app.button("Play again").click()
    app.expect_moves(0)
    assert app.figure("best") > app.figure("score") == 0
    assert app.cells().count("empty") == 14


def test_the_eye_and_the_ear_get_the_same_board(app: App) -> None:
    app.open_position("2 2 4 0/0 0 0 0/0 0 0 0/0 0 0 8")
    app.press("ArrowLeft")
    expect(app.heard).to_contain_text("Left. Merged into 4. New")
    assert app.tiles() == app.cells()
    assert app.cells()[:2] == ["4", "4"]
    assert app.figure("score") == 4
    app.press("ArrowLeft")
    app.expect_moves(2)
    assert app.tiles() == app.cells()


def test_undo_and_redo_without_end(app: App) -> None:
    app.start_2048()
    start = app.cells()
    app.make_moves(5)
    end = app.cells()
    app.press("Control+z", "u")
    app.expect_moves(3)
    for _ in range(3):
        app.button("Undo").click()
    app.expect_moves(0)
    assert app.cells() == start
    expect(app.button("Undo")).to_be_disabled()
    app.press("Control+y", "r", "r")
    app.expect_moves(3)
    app.button("Redo").click()
    app.button("Redo").click()
    app.expect_moves(5)
    assert app.cells() == end
    expect(app.button("Redo")).to_be_disabled()


@pytest.mark.parametrize("key", ["Escape", "n"])
def test_a_key_starts_again(app: App, key: str) -> None:
    app.start_2048()
    app.make_moves(2)
    app.press(key)
    app.expect_moves(0)


def test_the_same_seed_brings_the_same_game(app: App) -> None:
    app.start_2048(seed=11)
    app.make_moves(6)
    first = app.cells()
    panel = app.tab("Game")
    expect(panel.get_by_label("Seed")).to_have_value("11")
    panel.get_by_role("button", name="New game with this seed").click()
    app.expect_moves(0)
    app.make_moves(6)
    assert app.cells() == first


def test_won_and_keep_going(app: App) -> None:
    app.open_position("1024 1024 0 0/0 0 0 0/0 0 0 0/0 0 0 0", score=20000)
    app.button("Left").click()
    overlay = app.page.get_by_role("group", name="2048!")
    expect(overlay).to_contain_text("You reached the target")
    overlay.get_by_role("button", name="Keep going").click()
    expect(overlay).to_be_hidden()
    app.make_moves(1)
    app.page.reload()
    expect(app.grid).to_be_visible()
    expect(overlay).to_be_hidden()


def test_another_target(app: App) -> None:
    app.open_position("256 256 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    app.tab("Game").get_by_label("Target").select_option("512")
    app.press("Home")  # nothing: the select has the focus
    app.page.get_by_role("tab", name="Game").focus()
    app.press("a")
    expect(app.page.get_by_role("group", name="512!")).to_be_visible()


def test_a_move_that_moves_nothing_is_said_and_not_made(app: App) -> None:
    app.open_position("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    app.press("ArrowUp")
    expect(app.heard).to_contain_text("Up moves nothing")
    app.expect_moves(0)


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_by_touch_on_a_phone(app: App, page: Page) -> None:
    app.open_position("0 2 0 0/0 0 0 0/0 0 0 0/0 0 0 0")
    box = app.grid.bounding_box()
    assert box
    assert box["width"] > 340
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    touch = page.context.new_cdp_session(page)
    swipes = [(1, 0, (3, 7, 11, 15)), (-1, 0, (0, 4, 8, 12)), (0, 1, (12, 13, 14, 15))]
    for number, (x, y, edge) in enumerate(swipes, 1):
        swipe(touch, middle, x, y)
        app.expect_moves(number)
        assert any(app.cells()[cell] != "empty" for cell in edge)
    assert page.evaluate("scrollY") == 0  # a swipe on the board does not scroll the page


def swipe(touch, middle: tuple[float, float], x: int, y: int) -> None:
    def send(kind: str, far: int) -> None:
        points = [] if kind == "touchEnd" else [{"x": middle[0] + far * x, "y": middle[1] + far * y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", 0)
    for far in (15, 30, 60, 90):
        send("touchMove", far)
    send("touchEnd", 0)


def test_a_review_shows_what_each_move_lost(app: App) -> None:
    app.open_position("4 2/2 0", game="2048:rows=2,columns=2")
    moves = 0
    for name in ("Up", "Down", "Right", "Left", "Up", "Down"):
        if app.button(name).is_enabled():  # each move is on the server before the review begins
            app.press(f"Arrow{name}")
            app.expect_more_moves_than(moves)
            moves += 1
    app.page.goto(app.page.url.replace("/play/", "/replay/"))
    app.button("Review the game").click()
    review = app.page.get_by_role("region", name="Review")
    expect(review.get_by_text(re.compile(r"moves were the best; together they lost"))).to_be_visible()
    expect(review.get_by_role("img", name="Points lost by each move")).to_be_visible()
    worst = review.get_by_role("listitem")
    if worst.count():  # luck decides how bad the moves were
        expect(worst.first.get_by_role("link")).to_have_attribute("href", re.compile("^#/tree.*player=perfect"))
        worst.first.get_by_role("button").click()
        expect(worst.first.get_by_role("button")).to_have_attribute("aria-current", "true")
