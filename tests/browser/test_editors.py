"""The board editor and the heuristic editor."""

from __future__ import annotations

from driver import App
from playwright.sync_api import expect


def test_a_board_is_painted_checked_and_played(app: App) -> None:
    app.open_position("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2")
    app.button("Edit board").click()
    page = app.page
    cells = app.grid.get_by_role("gridcell")
    page.get_by_role("button", name="131072").click()
    cells.nth(0).click()
    cells.nth(1).click()
    expect(page.get_by_text("no game reaches this board")).to_be_visible()
    expect(app.button("Play this board")).to_be_disabled()
    page.get_by_role("button", name="empty", exact=True).click()
    cells.nth(1).click()
    expect(app.button("Play this board")).to_be_enabled()
    cells.nth(1).focus()
    app.press("ArrowDown", "+", "+", "+")  # by keyboard: the cell below becomes 2, 4, 8
    page.get_by_label("Score").fill("777")
    app.button("Play this board").click()
    app.expect_moves(0)
    expect(page.locator("[data-figure=score]")).to_have_text("777")
    assert app.cells() == ["131072", *["empty"] * 4, "8", *["empty"] * 9, "2"]
    assert app.tiles() == app.cells()


def test_editing_is_left_without_a_trace(app: App) -> None:
    app.open_position("2 0 0 0/0 0 0 0/0 0 0 0/0 0 0 2")
    before = app.cells()
    app.button("Edit board").click()
    app.grid.get_by_role("gridcell").nth(7).click()
    app.button("Cancel").click()
    assert app.cells() == app.tiles() == before


def test_a_heuristic_of_ones_own(app: App) -> None:
    app.start_2048()
    panel = app.tab("Heuristic")
    code = panel.get_by_role("textbox", name="Python code")
    code.fill("def mine(board, weights):\n    return 1 +\n")
    panel.get_by_role("button", name="Compile and use").click()
    expect(panel.get_by_role("alert")).to_contain_text("Line 2")
    expect(panel.locator(".lines .wrong")).to_have_text("2")
    code.fill("def mine(board, weights):\n    if board.cells == 0:\n        return 5.0\n    return 1.0\n")
    panel.get_by_role("button", name="Check").click()
    found = panel.get_by_role("status")
    expect(found).to_contain_text("No faults on 1,000 positions")
    expect(found.get_by_role("listitem")).to_have_text("mine.py:3 is never reached: `return 5.0`")
    code.fill("def mine(board, weights):\n    return 1 // (board.cells & 1)\n")
    expect(found).to_be_empty()
    panel.get_by_role("button", name="Check").click()
    expect(panel.get_by_role("alert")).to_contain_text("ZeroDivisionError")
    expect(panel.locator(".lines .wrong")).to_have_text("2")
    panel.get_by_role("button", name="Example").click()
    panel.get_by_role("button", name="Compile and use").click()
    expect(panel.get_by_text("eval=mine/mine")).to_be_visible()
    app.tab("Machine")
    expect(panel.get_by_role("combobox", name="Evaluator")).to_have_value("mine/mine")
    app.press("h")
    expect(app.page.get_by_role("list", name="Value of each move")).to_be_visible()
    app.tab("Heuristic").get_by_role("button", name="Compare").click()
    app.page.wait_for_url("**/#/lab/*")
    expect(app.page.get_by_text("expectimax:depth=1,eval=mine/mine").first).to_be_visible()
    app.button("Stop").click()
    expect(app.page.get_by_text("Stopped", exact=True).first).to_be_visible()


def test_tab_indents_and_escape_lets_go(app: App) -> None:
    app.start_2048()
    code = app.tab("Heuristic").get_by_role("textbox", name="Python code")
    code.fill("")
    code.press_sequentially("def f(board, weights):")
    code.press("Enter")
    code.press_sequentially("return 1")
    expect(code).to_have_value("def f(board, weights):\n    return 1")
    code.press("Tab")
    expect(code).to_have_value("def f(board, weights):\n    return 1    ")
    code.press("Escape")
    code.press("Tab")
    expect(code).not_to_be_focused()
