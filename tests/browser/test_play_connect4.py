"""Connect 4 against a machine, between machines, between persons."""

from __future__ import annotations

import re

from driver import App
from playwright.sync_api import expect


def stones(app: App) -> int:
    return sum(cell != "empty" for cell in app.cells())


def expect_stones(app: App, count: int) -> None:
    expect(app.grid.locator(".stone")).to_have_count(count)


def test_two_persons_and_the_winning_line(app: App) -> None:
    app.start_connect4("Two people")
    for number, column in enumerate("4152637", 1):
        app.press(column)
        expect_stones(app, number)
    expect(app.page.get_by_text("First wins", exact=True)).to_be_visible()
    expect(app.page.locator("svg.wins circle")).to_have_count(4)
    expect(app.heard).to_contain_text("First: column 7. First wins")
    app.press("1")
    assert stones(app) == 7  # nothing follows a finished game
    app.press("u")
    expect_stones(app, 6)
    expect(app.page.locator("svg.wins")).to_have_count(0)


def test_arrows_and_enter_choose_and_a_click_too(app: App) -> None:
    app.start_connect4("Two people")
    app.page.mouse.move(0, 0)  # a pointer over the board also chooses
    app.press("ArrowRight", "ArrowRight")
    expect(app.heard).to_contain_text("Column 5, 6 cells free")
    app.press("Enter")
    expect_stones(app, 1)
    assert app.cells()[5 * 7 + 4].startswith("First, red cross")
    app.page.get_by_role("button", name="Drop in column 2").click()
    expect_stones(app, 2)
    assert app.cells()[5 * 7 + 1].startswith("Second, yellow ring")


def test_against_each_level(app: App) -> None:
    for level in ("Beginner", "Level 4", "Strong, with slips"):
        app.open("#/")
        app.start_connect4("I against the machine", "I start", level)
        app.press("4")
        expect_stones(app, 2)


def test_the_machine_starts_and_undo_leads_to_ones_own_turn(app: App) -> None:
    app.start_connect4("I against the machine", "The machine starts", "Beginner")
    expect_stones(app, 1)
    before = app.cells()
    app.press("1")
    expect_stones(app, 3)
    app.press("Control+z")
    expect_stones(app, 1)
    assert app.cells() == before
    expect(app.button("Undo")).to_be_disabled()
    app.press("2")
    expect_stones(app, 3)


def test_an_opponent_who_cannot_play_says_so_once(app: App) -> None:
    app.choose("Connect 4")
    app.choose("I against the machine")
    app.choose("The machine starts")
    app.choose("Custom")
    app.page.get_by_text("As text").click()
    app.page.get_by_role("textbox", name="As text").fill("alphabeta:depth=none")
    app.press("Tab")
    app.button("Start").click()
    expect(app.page.get_by_role("alert")).to_contain_text("depth")
    app.button("Close").click()
    app.page.wait_for_timeout(1000)
    expect(app.page.get_by_role("alert")).to_have_count(0)
    app.tab("Game").get_by_label("First player").select_option("alphabeta:depth=1")
    expect_stones(app, 1)


def test_a_proposal_stands_over_the_columns(app: App) -> None:
    app.open_position("112233", game="connect4")
    app.press("h")
    best = app.page.locator(".rise.best")
    expect(best).to_have_text("+1")  # wins with the next stone
    expect(app.button("Play 4")).to_be_enabled()
    expect(app.page.get_by_role("listitem").filter(has_text="Column 4")).to_contain_text("wins in 1")
    app.press("j")
    expect(app.page.get_by_text("First wins", exact=True)).to_be_visible()


def test_machine_against_machine_to_the_end(app: App) -> None:
    app.start_connect4("Machine against machine")
    app.page.get_by_label("Speed").fill("7")
    expect(app.page.get_by_text(re.compile("^((First|Second) wins|A draw)$"))).to_be_visible()


def test_another_board(app: App) -> None:
    app.choose("Connect 4")
    app.choose("Two people")
    app.page.get_by_text("Board and rules").click()
    app.page.get_by_label("Rows of the board").fill("4")
    app.page.get_by_label("Columns of the board").fill("5")
    app.page.get_by_label("How many in a line win").fill("3")
    app.page.get_by_role("button", name="Start").click()
    expect(app.grid.get_by_role("gridcell")).to_have_count(20)
    for number, column in enumerate("11223", 1):
        app.press(column)
        expect_stones(app, number)
    expect(app.page.get_by_text("First wins", exact=True)).to_be_visible()


def test_values_of_perfect_play_stay_over_the_columns(app: App) -> None:
    app.open_position("2532415147131117532445633", game="connect4")
    app.page.get_by_label("Values of perfect play").check()
    values = app.page.locator(".rise-value")
    expect(values.first).to_be_visible()
    expect(app.page.get_by_role("list", name="Value of each move")).to_contain_text(re.compile("loses in|wins in|draw"))
    app.press("6")
    expect_stones(app, 26)
    expect(values.first).to_be_visible()  # without asking again
    app.page.get_by_label("Values of perfect play").uncheck()
    expect(values).to_have_count(0)


def test_a_review_leads_to_each_mistake(app: App) -> None:
    # The first player wins in 2, but not by column 4: column 7 then completes a line.
    app.open_position("2532415147131117532445633637", game="connect4")
    for number, column in enumerate("47", 29):
        app.press(column)
        expect_stones(app, number)
    expect(app.page.get_by_text("Second wins", exact=True)).to_be_visible()
    app.page.goto(app.page.url.replace("/play/", "/replay/"))
    app.button("Review the game").click()
    mistake = app.page.get_by_role("button", name=re.compile(r"^Move 1: column 4 \(loses in 1\)"))
    expect(mistake).to_be_visible()
    app.press("End")
    expect_stones(app, 30)
    mistake.click()
    expect_stones(app, 28)
    expect(mistake).to_have_attribute("aria-current", "true")
