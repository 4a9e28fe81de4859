"""The pictures of the app in the READMEs, in both languages: ``make screenshots`` writes docs/screens/."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "browser"))
sys.path.insert(1, str(ROOT / "tests"))
from chromium import find_chromium  # noqa: E402
from server import Server  # noqa: E402

SCREENS = ROOT / "docs" / "screens"
LOCALES = {"en": "en-GB", "es": "es-ES"}
WIDE = {"width": 1120, "height": 720}
PHONE = {"width": 390, "height": 844}
#: In the middle of a game, with something to think about.
BOARD_2048 = "0+0+4+2/2+8+16+4/8+64+128+32/4+128+512+1024"
BOARD_CONNECT4 = "44454355332621"


def main() -> None:
    SCREENS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        try:
            for language in LOCALES:
                shoot(browser, server.url, language)
                shoot_lab(browser, server.url, language)
        finally:
            browser.close()
            server.kill()


def open_page(browser: Browser, language: str, size: dict[str, int] = WIDE, *, dark: bool = False) -> Page:
    page = browser.new_page(
        viewport=size,  # type: ignore[arg-type]
        locale=LOCALES[language],
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.set_default_timeout(300_000)  # the first search of a kind is compiled first, on a busy machine for minutes
    return page


def keep_as(page: Page, name: str, language: str) -> None:
    page.screenshot(path=SCREENS / f"{name}.{language}.png")
    print(f"{name}.{language}.png")


def shoot_lab(browser: Browser, url: str, language: str) -> None:
    """An experiment that has been played, and a document's tables beside ours."""
    lab = open_page(browser, language)
    lab.goto(f"{url}#/lab")
    lab.locator(".preset").nth(1).click()
    lab.locator("lab-plan button.primary").click()
    lab.locator(".run-head .pill.done").wait_for(timeout=300_000)
    lab.locator(".data tbody tr").nth(3).wait_for()
    keep_as(lab, "lab", language)

    documents = open_page(browser, language, dark=True)
    documents.goto(f"{url}#/lab/documents?name=uja")
    documents.locator(".documents button.primary").click()
    documents.locator(".documents .pill.done").wait_for(timeout=300_000)
    documents.locator(".verdict").first.wait_for()
    documents.locator("td.inside").nth(5).wait_for()
    documents.locator(".verdict").first.evaluate("verdict => verdict.closest('section').scrollIntoView()")
    keep_as(documents, "documents", language)


def shoot(browser: Browser, url: str, language: str) -> None:
    """Every screen in one language, some in the dark."""

    def page(size: dict[str, int] = WIDE, *, dark: bool = False) -> Page:
        return open_page(browser, language, size, dark=dark)

    def keep(page: Page, name: str) -> None:
        keep_as(page, name, language)

    start = page()
    start.goto(url)
    start.locator("start-screen h1").wait_for()
    keep(start, "start")

    for name, size, dark in (("2048", WIDE, False), ("2048-phone", PHONE, True)):
        board = page(size, dark=dark)
        board.goto(f"{url}#/at?game=2048&score=17000&position={BOARD_2048}")
        board.locator("board-2048 .tile").first.wait_for()
        board.keyboard.press("h")
        board.locator(".way.best").wait_for()
        keep(board, name)

    connect4 = page(dark=True)
    connect4.goto(f"{url}#/at?game=connect4&position={BOARD_CONNECT4}")
    connect4.locator("board-connect4 .stone").first.wait_for()
    connect4.keyboard.press("h")
    connect4.locator(".rise.best").wait_for()
    keep(connect4, "connect4")

    watched = page()
    watched.goto(url)
    watched.locator("input[value=auto]").check()
    watched.locator("start-screen details:has(input[inputmode=numeric]) > summary").click()
    watched.locator("input[inputmode=numeric]").fill("7")
    watched.locator("start-screen button.primary").click()
    watched.get_by_role("slider").fill("7")
    watched.locator(".chart").wait_for()
    watched.wait_for_timeout(8000)
    watched.keyboard.press(" ")
    watched.mouse.click(1, 400)
    keep(watched, "solve")
    identifier = watched.url.rpartition("/")[2]
    watched.goto(f"{url}#/replay/{identifier}")
    watched.locator(".chart .second").wait_for()
    for _ in range(9):
        watched.keyboard.press("PageDown")
    watched.wait_for_timeout(500)
    keep(watched, "replay")

    batch = page()
    batch.goto(f"{url}#/at?game=2048&score=17000&position={BOARD_2048}")
    batch.locator("#tab-batch").click()
    batch.locator("batch-panel select").filter(has_text="montecarlo").first.select_option("montecarlo")
    batch.locator("batch-panel input[type=number]").last.fill("10")
    batch.locator("batch-panel form button.primary").click()
    batch.locator("batch-panel .bars").wait_for(timeout=120_000)
    batch.evaluate("document.querySelector('batch-panel .run').scrollIntoView({block: 'center'})")
    keep(batch, "batch")


if __name__ == "__main__":
    main()
