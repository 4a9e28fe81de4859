"""The app as a user sees it: by the names of its buttons and boards."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, Request, expect

#: Milliseconds to wait for anything. The first search of a kind is compiled, after whatever an earlier test left to the
#: compiler; on a busy machine that takes its time.
_PATIENCE = 300_000


class App:
    """One browser at the app."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.troubles: list[str] = []
        self.unanswered: set[Request] = set()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda message: self._listen(message.type, message.text))
        page.on("request", lambda request: self.unanswered.add(request))
        page.on("requestfinished", lambda request: self.unanswered.discard(request))
        page.on("requestfailed", lambda request: self.unanswered.discard(request))
        page.set_default_timeout(_PATIENCE)
        expect.set_options(timeout=_PATIENCE)

    def _listen(self, kind: str, text: str) -> None:
        # A refused request is shown to the user, and the browser notes it too: that is no trouble.
        if kind == "error" and "Failed to load resource" not in text and "ERR_CONNECTION_REFUSED" not in text:
            self.troubles.append(text)

    def situation(self) -> str:
        """For whoever reads of a failure: the page in words, and what the server has not answered yet."""
        waiting = [f"{request.method} {request.url}" for request in self.unanswered]
        return "\n".join([self.page.inner_text("body", timeout=5000), "", "not answered yet:", *waiting])

    # --- Going places ---

    def open(self, hash: str = "") -> None:
        self.page.goto(f"{self.url}{hash}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()

    def start_2048(self, seed: int = 7, by: str = "I play") -> None:
        self.choose("2048")
        self.choose(by)
        self.page.get_by_text("Seed and target").click()
        self.page.get_by_label("Seed", exact=True).fill(str(seed))
        self.page.get_by_role("button", name="Start").click()
        expect(self.grid).to_be_visible()

    def start_connect4(self, versus: str, *choices: str) -> None:
        self.start("Connect 4", versus, *choices)
        expect(self.grid).to_be_visible()

    def start(self, game: str, *choices: str) -> None:
        """Any game, in either language."""
        for choice in (game, *choices):
            self.choose(choice)
        self.page.get_by_role("button", name=re.compile("^(Start|Empezar)$")).click()
        self.page.wait_for_url("**/#/play/*")

    def choose(self, choice: str) -> None:
        """One of some radio buttons."""
        self.page.get_by_role("radio", name=re.compile(f"^{re.escape(choice)}( |$)")).check()

    def open_position(self, position: str, game: str = "2048", score: int = 0) -> None:
        """A shared position, as its link opens it."""
        self.page.goto(f"{self.url}#/at?{urlencode({'game': game, 'position': position, 'score': score})}")
        self.page.wait_for_url("**/#/play/*")
        expect(self.grid).to_be_visible()

    def tab(self, name: str) -> Locator:
        """A tool beside the board."""
        self.page.get_by_role("tab", name=name).click()
        return self.page.get_by_role("tabpanel")

    # --- Looking ---

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("grid")

    def cells(self) -> list[str]:
        """What a screen reader reads in the cells, in reading order."""
        labels = self.grid.get_by_role("gridcell").evaluate_all("cells => cells.map(c => c.getAttribute('aria-label'))")
        return [label.partition(": ")[2] for label in labels]

    def tiles(self) -> list[str]:
        """What the eye sees of a 2048 board: the tiles that stand, in reading order."""
        return self.page.locator("board-2048").evaluate(
            """board => {
                const cells = Array(16).fill("empty");
                const at = (tile, name) => Number(tile.style.getPropertyValue(name));
                for (const tile of board.querySelectorAll(".tile:not(.leaving)"))
                    cells[4 * at(tile, "--r") + at(tile, "--c")] = tile.innerText.trim();
                return cells;
            }"""
        )

    def figure(self, name: str) -> int:
        return int(self.page.locator(f"[data-figure={name}]").inner_text().replace(",", "").replace(".", ""))

    def expect_moves(self, count: int) -> None:
        expect(self.page.locator("[data-figure=moves]")).to_have_text(str(count))

    def expect_more_moves_than(self, count: int) -> None:
        more = "|".join(str(number) for number in range(count + 1, count + 200))
        expect(self.page.locator("[data-figure=moves]")).to_have_text(re.compile(f"^({more})$"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def heard(self) -> Locator:
        """The live region."""
        return self.page.locator("#live")

    # --- Doing ---

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def make_moves(self, count: int) -> None:
        """Legal moves by the keyboard, each seen on the screen before the next."""
        for number in range(self.figure("moves") + 1, self.figure("moves") + count + 1):
            names = ("Down", "Left", "Right", "Up")
            move = next(name for name in names if self.button(name).is_enabled())
            self.press(f"Arrow{move}")
            self.expect_moves(number)
