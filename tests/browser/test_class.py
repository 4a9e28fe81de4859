"""A class in one browser: a teacher, and pupils who join with the code; nobody sees another's data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from server import Server

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
SAFE = "def mine(board, weights):\n    return score(board) + 100 * empty(board)\n"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--code", "PLAY24", "--password", "open sesame")
    server = Server(tmp_path_factory.mktemp("school"), *options, command="class")
    yield server
    server.kill()


class People:
    """Everybody in a browser context of their own."""

    def __init__(self, browser: Browser, url: str, usual: dict) -> None:
        self.browser, self.url, self.usual = browser, url, usual
        self.troubles: list[str] = []

    def come(self, address: str = "", **context: object) -> Page:
        page = self.browser.new_context(**{**self.usual, **context}).new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(self.url + address)
        return page

    def pupil(self, name: str, **context: object) -> Page:
        page = self.come(**context)
        fields = page.locator("dialog.door input")
        fields.nth(0).fill("play-24")
        fields.nth(1).fill(name)
        page.keyboard.press("Enter")
        expect(page.locator("start-screen")).to_be_visible(timeout=60_000)
        return page


def test_a_class_with_a_teacher_and_five_pupils(browser: Browser, school: Server, browser_context_args: dict) -> None:
    people = People(browser, school.url, browser_context_args)
    teacher = people.come("#/class")
    teacher.get_by_label("Password").fill("wrong password")
    teacher.get_by_role("button", name="Enter").click()
    expect(teacher.get_by_text("this is not the teacher's password")).to_be_visible()
    assert teacher.evaluate(CHECK) == []
    teacher.get_by_label("Password").fill("open sesame")
    teacher.keyboard.press("Enter")
    expect(teacher.get_by_text("PLAY24")).to_be_visible(timeout=60_000)
    expect(teacher.get_by_text("Nobody has joined yet.")).to_be_visible()

    # A wrong code is told, a taken name too; a phone in Spanish, in the dark.
    ana = people.come()
    ana.get_by_label("Code").fill("AAAAAA")
    ana.get_by_label("Your name").fill("Ana")
    ana.get_by_role("button", name="Enter").click()
    expect(ana.get_by_text("this is not the code of the class")).to_be_visible()
    assert ana.evaluate(CHECK) == []
    ana.keyboard.press("Escape")
    expect(ana.get_by_label("Code")).to_be_visible()  # there is no way around the door
    ana.get_by_label("Code").fill("play24")
    ana.get_by_role("button", name="Enter").click()
    expect(ana.locator("start-screen")).to_be_visible(timeout=60_000)
    phone = {"locale": "es-ES", "viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    others = [people.pupil("Bea", **phone), *(people.pupil(name) for name in ("Carl", "Dora", "Eli"))]
    expect(teacher.get_by_role("heading", name="Pupils: 5")).to_be_visible()
    assert teacher.evaluate(CHECK) == []

    # A page for everybody, and one who reloads is not sent there again.
    teacher.get_by_label("Address to send").fill(f"{school.url}#/at?game=tictactoe&position=XOX/.O./...")
    teacher.get_by_role("button", name="Send to everybody").click()
    for page in (ana, *others):
        expect(page.locator("play-screen")).to_be_visible(timeout=60_000)
    ana.goto(f"{school.url}#/")
    ana.reload()
    expect(ana.locator("start-screen")).to_be_visible(timeout=60_000)

    # A heuristic in the safe subset is taken, another is refused at its line.
    refused = ana.evaluate(_put("import os\n" + SAFE))
    assert (refused["status"], refused["line"]) == (422, 1)
    assert ana.evaluate(_put(SAFE))["status"] == 200
    expect(teacher.get_by_text("writing a heuristic")).to_be_visible()

    # A pause stops everybody, and ends where it began.
    teacher.get_by_role("button", name="Pause").click()
    expect(ana.get_by_role("heading", name="Your teacher has paused the class")).to_be_visible()
    expect(others[0].get_by_role("heading", name="Tu docente ha pausado la clase")).to_be_visible()
    assert others[0].evaluate(CHECK) == []
    teacher.get_by_role("button", name="Go on").click()
    expect(ana.locator("dialog.door[open]")).to_have_count(0)

    # One leaves, and has to join again; large for the wall; the end.
    teacher.get_by_role("button", name="Send Eli out").click()
    expect(others[-1].get_by_label("Code")).to_be_visible()
    teacher.get_by_role("link", name="Show this large").click()
    expect(teacher.get_by_role("img", name="QR code of http")).to_be_visible()
    teacher.get_by_role("link", name="Back").click()
    teacher.get_by_role("button", name="Español").click()
    expect(teacher.get_by_role("heading", name="Alumnos: 4")).to_be_visible()
    assert teacher.evaluate(CHECK) == []
    teacher.get_by_role("button", name="Terminar la clase").click()
    teacher.get_by_role("button", name="Terminarla de verdad").click()
    expect(ana.get_by_role("heading", name="The class has ended")).to_be_visible()
    assert people.troubles == []
    for page in (teacher, ana, *others):
        page.context.close()


def _put(source: str) -> str:
    return f"""async () => {{
      const body = JSON.stringify({{ game: "2048", source: {source!r} }});
      const headers = {{ "Content-Type": "application/json" }};
      const answer = await fetch("/api/heuristics/mine", {{ method: "PUT", headers, body }});
      return {{ status: answer.status, ...(await answer.json()) }};
    }}"""
