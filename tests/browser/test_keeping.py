"""Nothing is lost: saving, reloading, replaying, files, links, a server that is killed, two tabs."""

from __future__ import annotations

from pathlib import Path

from driver import App
from playwright.sync_api import BrowserContext, Page, expect
from server import Server


def test_a_reload_loses_nothing(app: App) -> None:
    app.start_2048()
    app.make_moves(4)
    app.press("u")
    app.expect_moves(3)
    before = app.cells()
    app.page.reload()
    app.expect_moves(3)
    assert app.cells() == before
    app.press("r")
    app.expect_moves(4)
    app.open()
    app.page.get_by_role("link", name="Continue your last game").click()
    app.expect_moves(4)


def test_save_replay_and_play_on(app: App) -> None:
    app.start_2048()
    app.make_moves(8)
    panel = app.tab("Saved")
    panel.get_by_label("Save this game as").fill("Before lunch")
    panel.get_by_role("button", name="Save").click()
    with app.page.expect_download() as download:
        panel.get_by_role("link", name="Download: Before lunch").click()
    assert download.value.suggested_filename == "Before lunch.json"
    panel.get_by_role("link", name="Before lunch", exact=True).click()
    page = app.page
    expect(page.get_by_role("heading", name="Before lunch")).to_be_visible()
    expect(page.get_by_role("img", name="How the game went")).to_be_visible()
    app.expect_moves(0)
    app.press("ArrowRight", "ArrowRight")
    app.expect_moves(2)
    app.press("ArrowLeft")
    app.expect_moves(1)
    page.get_by_label("Place in the game").fill("6")
    app.expect_moves(6)
    sixth = app.cells()
    page.get_by_role("button", name="To the end").click()
    app.expect_moves(8)
    page.get_by_role("button", name="To the start").click()
    app.expect_moves(0)
    page.get_by_label("Speed").select_option("40")
    page.get_by_role("button", name="Run").click()
    app.expect_moves(8)
    page.get_by_label("Place in the game").fill("6")
    app.expect_moves(6)
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/#/play/*")
    app.expect_moves(6)
    assert app.cells() == sixth
    app.make_moves(1)


def test_download_upload_and_a_file_that_is_no_game(app: App, tmp_path: Path) -> None:
    app.start_2048()
    app.make_moves(3)
    board = app.cells()
    panel = app.tab("Saved")
    with app.page.expect_download() as download:
        panel.get_by_role("link", name="Download").first.click()
    file = tmp_path / "mine.json"
    download.value.save_as(file)
    panel.locator("input[type=file]").set_input_files(file)
    panel.get_by_role("link", name="mine", exact=True).click()
    expect(app.page.get_by_label("Place in the game")).to_be_visible()
    app.press("End")
    app.expect_moves(3)
    assert app.cells() == board
    app.page.go_back()
    wrong = tmp_path / "wrong.json"
    wrong.write_text(file.read_text().replace('"left', '"sideways').replace('"down', '"sideways'))
    app.page.locator("input[type=file]").set_input_files(wrong)
    expect(app.page.get_by_role("alert")).to_be_visible()
    app.page.on("dialog", lambda dialog: dialog.accept())
    panel.get_by_role("button", name="Delete: mine").click()
    expect(panel.get_by_text("Nothing saved yet.")).to_be_visible()


def test_a_link_holds_a_position(app: App) -> None:
    app.open_position("64 32 16 8/0 0 0 4/0 0 0 0/2 0 0 0", score=500)
    link = app.tab("Game").get_by_label("Link to this position").input_value()
    app.page.goto(link)
    app.page.reload()
    expect(app.grid).to_be_visible()
    assert app.cells()[:4] == ["64", "32", "16", "8"]
    assert app.figure("score") == 500


def test_a_link_with_a_wrong_position_says_so(app: App) -> None:
    app.page.goto(f"{app.url}#/at?game=2048&position=3+0+0+0/0+0+0+0/0+0+0+0/0+0+0+0")
    expect(app.page.get_by_role("alert")).to_contain_text("not a tile")
    expect(app.page.get_by_role("heading", name="Which game?")).to_be_visible()


def test_two_tabs_on_one_game(app: App, context: BrowserContext) -> None:
    app.start_2048()
    other = App(context.new_page(), app.url)
    other.page.goto(app.page.url)
    other.expect_moves(0)
    other.make_moves(2)
    legal = next(name for name in ("Down", "Left", "Right", "Up") if app.button(name).is_enabled())
    app.press(f"Arrow{legal}")  # the first tab does not know of them
    expect(app.page.get_by_role("alert")).to_be_visible()
    app.expect_moves(2)
    assert app.cells() == other.cells()
    app.make_moves(1)


def test_a_killed_server_loses_nothing(page: Page, own_server: Server) -> None:
    app = App(page, own_server.url)
    app.open()
    app.start_2048()
    app.make_moves(5)
    board = app.cells()
    own_server.kill()
    legal = next(name for name in ("Down", "Left", "Right", "Up") if app.button(name).is_enabled())
    app.press(f"Arrow{legal}")
    page.mouse.wheel(0, 2000)
    expect(page.get_by_text("The server does not answer")).to_be_in_viewport()
    assert app.cells() == board
    own_server.start()
    app.expect_moves(6)  # the move that was made meanwhile
    expect(page.get_by_text("The server does not answer")).to_be_hidden()
    page.reload()
    app.expect_moves(6)
