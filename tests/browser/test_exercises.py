"""Exercises in the browser: solved by the keyboard alone, made by marking, and as a page opened from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from driver import App
from playwright.sync_api import BrowserContext, expect

from contienda.exercises import Exercise, asked, parse_ask
from contienda.exercises.code import read_code
from contienda.exercises.page import exercise_page

DRAWN = "max[min[3 12 8] min[2 4 6] min[14 5 2]]"
ASKED = ("values", "value", "cuts", "window=2", "best")


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    exercise = Exercise("tree", DRAWN, "alphabeta", tuple(map(parse_ask, ASKED)), "Two cut-offs", language="en")
    path = tmp_path / "tree.html"
    path.write_text(exercise_page(asked(exercise)), encoding="utf-8")
    return path


def test_a_page_is_solved_by_the_keyboard_from_a_file_without_a_network(
    page_file: Path, context: BrowserContext
) -> None:
    page = context.new_page()
    requests: list[str] = []
    troubles: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.goto(page_file.as_uri())
    asked_now, heard, press = page.locator(".asked"), page.locator("#live"), page.keyboard.press
    expect(page.get_by_role("heading", name="Two cut-offs")).to_be_visible()
    # The picture gives nothing away: leaves alone have values, nothing is crossed out, and no best line is drawn.
    inner = [page.locator(f"[data-node='{node}'] .label") for node in (0, 1, 5, 9)]
    for label, text in zip(inner, ("", "?", "", ""), strict=True):
        expect(label).to_have_text(text)
    expect(page.locator(".tree-drawing .node.leaf .label")).to_have_count(9)
    expect(page.locator(".tree-drawing :is(.best, .skipped)")).to_have_count(0)
    assert page.locator(".tree-drawing .cross").evaluate_all("all => all.every(one => !one.checkVisibility())")

    # A screen reader leaves Shift and the arrows to the tree, and hears each node.
    drawing = page.get_by_role("application", name="The tree, 13 nodes. Shift and arrows walk in it")
    while not drawing.evaluate("drawing => drawing === document.activeElement"):
        press("Tab")
    press("Shift+ArrowDown")
    expect(heard).to_have_text("1/1 · leaf · value 3\xa0")
    press("Shift+ArrowUp")
    expect(heard).to_have_text("1 · MIN · value asked · 3 moves: 1, 2, 3")
    expect(page.locator(".looked")).to_have_text("1 · MIN · value asked · 3 moves: 1, 2, 3")

    while page.evaluate("document.activeElement.tagName") != "INPUT":
        press("Tab")
    page.keyboard.type("8")
    press("Enter")
    said = "You said 8; MIN would answer with 3 here, because branch 1 gives less than 8."
    expect(asked_now.locator(".verdict")).to_contain_text(said)
    expect(asked_now.locator(".verdict .help")).to_contain_text("Step 8 of the search: Back from branch 1 with 3")
    expect(heard).to_contain_text(f"Not yet. {said}")
    press("Tab")
    press("Tab")
    press("Enter")
    expect(asked_now.locator(".hint")).to_have_text("At node 1, MIN moves and wants the smallest value.")
    press("Shift+Tab")
    press("Shift+Tab")
    for value in ("3", "two", "2", "2", "3"):  # the focus goes on with the questions
        press("ControlOrMeta+a")
        page.keyboard.type(value)
        press("Enter")
        if value == "two":
            expect(asked_now.get_by_role("alert")).to_contain_text("Write a number")
    for label, text in zip(inner, ("3", "3", "2", "2"), strict=True):
        expect(label).to_have_text(text)  # what was found stands in the tree

    expect(asked_now.get_by_role("group", name="Branches")).to_be_visible()
    for _ in range(6):  # 2/2, after 1, 1/1, 1/2, 1/3, 2 and 2/1
        press("Tab")
    press("Space")
    press("Enter")
    expect(asked_now.locator(".verdict")).to_contain_text("You left out node 2/3; step 12 of the search skips it")
    press("Tab")
    press("Space")
    press("Enter")
    expect(asked_now).to_contain_text("What are α and β when the search enters node 2?")
    page.keyboard.type("3")
    press("Tab")
    page.keyboard.type("inf")
    press("Enter")
    press("Space")  # the first of the moves
    press("Enter")
    expect(page.get_by_text("7 of 7 right, mark 8.93 of 10, 9 tries")).to_be_visible()
    expect(page.get_by_role("heading", name="Done")).to_be_focused()
    press("Tab")
    page.keyboard.type("Ana")
    handed = read_code(page.get_by_label("Your code").input_value())
    assert (handed.name, handed.title, handed.right, handed.mark) == ("Ana", "Two cut-offs", 7, 8.93)
    assert [(a.tries, a.hints) for a in handed.attempts] == [(2, 1), (1, 0), (1, 0), (1, 0), (2, 0), (1, 0), (1, 0)]

    page.get_by_role("button", name="Step through the search").press("Enter")
    press("ArrowRight")
    expect(page.locator("aside .says")).to_have_text("Enter branch 1: MIN, window [−∞, +∞]")
    press("End")
    expect(page.locator(".node.skipped")).to_have_count(2)
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("button", name="Volver a las preguntas")).to_be_visible()
    assert troubles == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()


def test_an_exercise_is_made_by_marking_and_shared(app: App) -> None:
    page = app.page
    page.get_by_role("link", name="Exercises", exact=True).click()
    expect(page.get_by_role("heading", name="The course")).to_be_visible()
    expect(page.locator(".exercise-index ol li")).to_have_count(20)
    app.button("Make an exercise").click()
    expect(page.locator("[data-node='8']")).to_be_visible()
    page.get_by_role("checkbox", name="which branches are cut").check()
    page.locator("[data-node='1'] .shape").click()
    page.get_by_role("radio", name="its window").check(force=True)
    page.locator("[data-node='12'] .shape").click()
    expect(page.locator(".pills button")).to_have_text(["values=1", "window=3/3"])
    page.get_by_label("Title").fill("My own")
    app.button("Try it").click()
    expect(page.get_by_role("heading", name="My own")).to_be_visible()
    expect(page.locator(".questions .prompt")).to_have_text(
        ["Which branches does the search skip?", "What is node 1 worth (MIN)?",
         "What are α and β when the search enters node 3/3?"]
    )  # fmt: skip
    page.locator("[data-node='7'] .shape").click()
    page.locator("[data-node='8'] .shape").click()
    app.button("Answer").click()
    expect(page.locator(".questions > .right")).to_have_count(1)
    for name, file in (("File (.json)", "exercise.json"), ("Page (.html)", "exercise-page.html")):
        page.locator("summary", has_text="Export").click()
        with page.expect_download() as download:
            app.button(name).click()
        assert download.value.suggested_filename == file
        text = download.value.path().read_text(encoding="utf-8")
        if file.endswith(".json"):
            assert json.loads(text)["ask"] == ["cuts", "values=1", "window=3/3"]
        else:
            assert "<exercise-page>" in text
    page.reload()  # the address is the exercise
    expect(page.get_by_role("heading", name="My own")).to_be_visible()
    page.goto(f"{app.url}#/exercise/nothing")
    expect(page.get_by_role("alert")).to_contain_text("no exercise 'nothing' in the course")
    page.goto(f"{app.url}#/exercise")
    app.button("Draw one").click()
    expect(page.locator(".questions .prompt").first).to_contain_text("What is node 1 worth")
