"""Any game on the board that is drawn from its picture: by mouse, keyboard and touch, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from driver import App
from playwright.sync_api import Locator, expect

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
TOYS = Path(__file__).parents[1] / "toys"
JS = Path(__file__).parents[2] / "src" / "contienda" / "web" / "static" / "js"

#: A game of Othello whose next player has no disc to turn.
NO_MOVE = "c4c3c2f4f6d6d7g7f3b2a2a1e6b4b3c1d1c5b1f5a3b5g4f2c6h4a6d3g2e2e3e7h8g6f1a5f7a4g5h5b6g3h2h3h6c8c7f8e8h7d2g8"


def faults(app: App) -> list[str]:
    return app.page.evaluate(CHECK)


def cell(app: App, number: int) -> Locator:
    return app.grid.get_by_role("gridcell").nth(number)


def expect_pieces(app: App, count: int) -> None:
    expect(app.grid.locator(".spot:not(.ghost, .vanishes, .merges)")).to_have_count(count)


# --- Tic-tac-toe ---


def test_tic_tac_toe_by_mouse(app: App) -> None:
    app.start("Tic-tac-toe", "Two people")
    expect(app.grid).to_have_attribute("aria-label", "Tic-tac-toe board, 3 rows, 3 columns")
    for number, place in enumerate([4, 0, 2, 6, 3, 5], 1):
        cell(app, place).click()
        expect_pieces(app, number)
    assert app.cells()[4] == "first player"
    assert app.cells()[1] == "empty"
    cell(app, 0).click()  # taken: nothing happens
    expect(app.heard).to_contain_text("No move at row 1, column 1.")
    app.press("u")
    expect_pieces(app, 5)
    cell(app, 7).click()
    expect_pieces(app, 6)
    expect(app.heard).to_contain_text("Second: row 3, column 2.")
    for number, place in enumerate([5], 7):
        cell(app, place).click()
        expect_pieces(app, number)
    expect(app.page.get_by_text("First wins", exact=True)).to_be_visible()
    expect(app.heard).to_contain_text("First: row 2, column 3. First wins")
    expect(app.grid.locator(".won")).to_have_count(3)
    assert app.cells()[3] == "first player, in the winning line"


@pytest.mark.browser_context_args(locale="es-ES")
def test_tic_tac_toe_by_keyboard(app: App) -> None:
    app.start("Tres en raya", "Dos personas")
    app.press("ArrowUp")  # the first arrow is at the middle
    expect(app.heard).to_contain_text("fila 2, columna 2: vacía")
    app.press("Enter")
    expect_pieces(app, 1)
    expect(app.heard).to_contain_text("Primero: fila 2, columna 2.")
    app.press("ArrowLeft", "ArrowUp", "Enter")
    expect_pieces(app, 2)
    assert app.cells()[0] == "segundo jugador"
    app.press("3")  # the move of that number
    expect_pieces(app, 3)
    app.press("Tab")
    app.grid.focus()
    app.press("ArrowRight", " ")  # at the board, the space bar plays too
    expect_pieces(app, 4)
    expect(app.grid).to_have_attribute("aria-activedescendant", re.compile(r"^board\d+-1$"))
    app.press("7")
    expect(app.page.get_by_text("Gana: Primero", exact=True)).to_be_visible()
    app.press("Escape")  # leaves the board
    expect(app.grid.locator(".at")).to_have_count(0)
    app.press("n")
    expect_pieces(app, 0)


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844})
def test_tic_tac_toe_by_touch_against_the_perfect_machine(app: App) -> None:
    app.start("Tic-tac-toe", "I against the machine", "I start", "Perfect")
    for pieces in (2, 4, 6, 8):
        app.grid.locator(".can").first.tap()
        expect(app.grid.locator(".spot:not(.ghost)")).to_have_count(pieces)
        if app.page.locator(".outcome").count():
            break
    else:
        app.grid.locator(".can").first.tap()
    expect(app.page.locator(".outcome")).to_contain_text(re.compile("The machine wins|A draw"))
    assert not app.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_values_stand_where_the_moves_are_made(app: App) -> None:
    app.open_position("XX./OO./...", game="tictactoe")
    app.press("h")
    best = app.page.locator(".bp-value .value-chip.best")
    expect(best).to_be_visible()
    expect(app.page.locator(".bp-value")).to_have_count(5)
    chip, third = best.bounding_box(), cell(app, 2).bounding_box()
    assert chip
    assert third
    assert third["x"] < chip["x"] < third["x"] + third["width"]
    assert third["y"] < chip["y"] < third["y"] + third["height"]
    expect(app.page.get_by_role("list", name="Value of each move")).to_contain_text("Cell 3")
    app.press("j")
    expect(app.page.get_by_text("First wins", exact=True)).to_be_visible()


def test_machines_play_it_and_it_is_shown_again(app: App) -> None:
    app.start("Tic-tac-toe", "Machine against machine")
    app.page.get_by_label("Speed").fill("7")
    expect(app.page.get_by_text("A draw", exact=True).first).to_be_visible()
    app.page.get_by_role("link", name="Replay").click()
    expect(app.page.get_by_label("Place in the game")).to_be_visible()
    app.press("End")
    expect_pieces(app, 9)
    app.press("ArrowLeft")
    expect_pieces(app, 8)


def test_othello_tells_what_is_turned_and_passes_by_a_button(app: App) -> None:
    app.start("Othello", "Two people")
    expect(app.grid.locator(".told")).to_have_count(4)
    cell(app, 19).click()
    expect(app.heard).to_contain_text("First: d3. 1 piece turned.")
    assert app.cells()[27] == "black"
    app.open_position(NO_MOVE, game="othello")
    side = app.page.locator(".to-move").get_attribute("data-side")
    app.page.get_by_role("group", name="Moves").get_by_role("button", name="pass").click()
    expect(app.page.locator(f".to-move[data-side='{side}']")).to_have_count(0)
    expect(app.heard).to_contain_text(": pass.")


# --- Games from a package, that nothing knows by name ---


def test_a_game_of_drags_by_mouse(toys: App) -> None:
    toys.start("Crossing", "Two people")
    expect(toys.page.locator(".bp-caption")).to_have_text("Die: 1")
    assert toys.cells()[11] == "first player, 1, can move"
    cell(toys, 11).click()  # tap, tap
    expect(cell(toys, 11)).to_have_attribute("aria-selected", "true")
    expect(toys.grid.locator(".told")).to_have_count(2)
    cell(toys, 8).click()
    expect(cell(toys, 8)).to_have_attribute("aria-label", re.compile("first player, 1"))
    expect(toys.heard).to_contain_text("First: c1 to c2.")
    expect(toys.page.locator(".bp-caption")).to_have_text(re.compile("Die: [12]"))
    start = toys.grid.locator(".begins").first
    place = int(start.get_attribute("data-cell") or "")
    start.drag_to(cell(toys, place + 3))  # or a drag
    expect(cell(toys, place + 3)).to_have_attribute("aria-label", re.compile("second player"))
    expect(toys.heard).to_contain_text("Second: ")


def test_a_game_of_drags_by_keyboard(toys: App) -> None:
    toys.start("Crossing", "Two people")
    toys.press("ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    expect(toys.heard).to_contain_text("first player, 1, c1: picked up, 2 ways to go.")
    toys.press("Escape")
    expect(toys.heard).to_contain_text("Let go.")
    expect(toys.grid.locator(".picked")).to_have_count(0)
    toys.press("Enter", "ArrowUp", "Enter")
    expect(toys.heard).to_contain_text("First: c1 to c2.")
    expect(toys.heard).to_contain_text(re.compile("Die: [12]"))


@pytest.mark.browser_context_args(has_touch=True, viewport={"width": 390, "height": 844}, locale="es-ES")
def test_a_game_of_drags_by_touch_to_its_end(toys: App) -> None:
    toys.start("Travesía", "Dos personas")
    for _ in range(8):
        if toys.page.locator(".outcome").count():
            break
        side = toys.page.locator(".to-move").get_attribute("data-side")
        toys.grid.locator(".begins").first.tap()
        toys.grid.locator(".told").first.tap()
        expect(toys.page.locator(f".to-move[data-side='{side}']")).to_have_count(0)
    expect(toys.page.locator(".outcome")).to_contain_text("Gana:")


def test_hints_of_drags_are_ways_on_the_board(toys: App) -> None:
    toys.start("Crossing", "Two people")
    toys.press("h")
    expect(toys.page.locator(".bp-over line.way")).to_have_count(2)
    expect(toys.page.locator(".bp-value .value-chip.best")).to_have_count(1)


def test_a_game_of_buttons_only(toys: App) -> None:
    toys.start("Heap", "Two people")
    buttons = toys.page.get_by_role("group", name="Moves").get_by_role("button")
    expect(toys.page.locator(".bp-text")).to_have_text("4 left")
    expect(toys.grid).to_have_count(0)
    assert faults(toys) == []
    toys.press("h")
    expect(buttons.locator(".value-chip.best")).to_have_count(1)
    toys.press("1")
    expect(toys.page.locator(".bp-text")).to_have_text("3 left")
    buttons.nth(1).click()
    expect(buttons).to_have_count(1)
    buttons.nth(0).click()
    expect(toys.page.get_by_text("First wins", exact=True)).to_be_visible()


def test_a_game_from_a_file_is_played_against_a_search(toys: App) -> None:
    """A plain game outside the package: a board to click on, an opponent, a hint, an end."""
    toys.start("Three", "Two people")
    for number, place in enumerate([4, 0, 2, 6, 3], 1):
        cell(toys, place).click()
        expect_pieces(toys, number)
    toys.press("h")
    expect(toys.page.locator(".bp-value .value-chip.best").first).to_be_visible()
    for number, place in enumerate([1, 5], 6):
        cell(toys, place).click()
        expect_pieces(toys, number)
    expect(toys.page.get_by_text("First wins", exact=True)).to_be_visible()
    assert faults(toys) == []


def test_columns_and_directions_need_no_drawing_of_their_own(toys: App) -> None:
    toys.page.locator("input[value=columns]").check()
    toys.choose("Two people")
    toys.button("Start").click()
    expect(toys.grid).to_be_visible()
    for number, column in enumerate("4152637", 1):
        toys.press(column)
        expect_pieces(toys, number)
    expect(toys.heard).to_contain_text("First: column 7. First wins")
    toys.open()
    toys.page.locator("input[value=slides]").check()
    toys.choose("I play")
    toys.button("Start").click()
    expect(toys.page.locator("board-picture")).to_be_visible()
    toys.make_moves(3)
    assert any(tile != "empty" for tile in toys.cells())
    toys.press("h")
    expect(toys.page.locator("board-picture .way.best")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_roles_and_contrast_of_any_board(toys: App, scheme: str) -> None:
    toys.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert faults(toys) == []
    toys.start("Crossing", "Two people")
    toys.press("h")
    expect(toys.page.locator(".value-chip.best")).to_be_visible()
    cell(toys, 11).click()
    assert faults(toys) == []
    toys.open_position("XX./OO./...", game="tictactoe")
    toys.press("h")
    expect(toys.page.locator(".value-chip.best")).to_be_visible()
    for name in ("Machine", "Game", "Saved", "Batch", "Heuristic"):
        toys.tab(name)
        assert faults(toys) == [], name
    toys.press("3")
    expect(toys.page.locator(".outcome")).to_be_visible()
    assert faults(toys) == []


# --- The code ---


def test_no_module_knows_a_game_by_its_name() -> None:
    """But for the drawings of their own."""
    own = {"elements/board-2048.js", "elements/board-connect4.js", "drawings.js"}
    named = re.compile("2048|connect4|tictactoe|othello|einstein")
    found = [
        f"{path.relative_to(JS)}: {line.strip()}"
        for path in sorted(JS.rglob("*.js"))
        if path.relative_to(JS).as_posix() not in own
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    assert found == []


# --- A game of one's own, opened in the app ---


def test_open_a_game_file(app: App, tmp_path: Path) -> None:
    """By keyboard alone; what does not fit is told in one sentence, and can be mended."""
    file = tmp_path / "heaps.py"
    file.write_text((TOYS / "nim.py").read_text(encoding="utf-8").replace("range(1, left + 1)]", "nowhere]"))
    app.page.get_by_text("Open a game file").press("Enter")
    place = app.page.get_by_label("File and class")
    for typed, told in [("nim", "FILE.py:NAME"), (f"{file}:Nim", "NameError: name 'nowhere' is not defined")]:
        place.fill(typed)
        place.press("Enter")
        expect(app.page.get_by_role("alert").filter(has_text=told)).to_be_visible()
        expect(place).to_have_attribute("aria-invalid", "true")
    assert faults(app) == []
    file.write_text((TOYS / "nim.py").read_text(encoding="utf-8"))
    place.press("Enter")
    expect(app.heard).to_contain_text("Nim is open and chosen.")
    expect(app.page.get_by_role("radio", name=re.compile("^Nim"))).to_be_focused()
    app.start("Nim", "Two people")
    expect(app.page.get_by_label("any depth")).to_have_value("4")  # the game's own, where the spec sets none
    app.page.get_by_role("group", name="Moves").get_by_role("button", name="2-3", exact=True).click()
    expect(app.heard).to_contain_text("First: 2-3.")


@pytest.mark.browser_context_args(locale="es-ES")
def test_undo_skips_the_moves_of_a_machine_that_moves_twice(app: App) -> None:
    app.page.get_by_text("Abrir un archivo de juego").click()
    app.page.get_by_label("Archivo y clase").fill(f"{TOYS / 'twice.py'}:Twice")
    app.page.get_by_role("button", name="Abrir", exact=True).click()
    app.start("Twice", "Yo contra la máquina")
    moves = app.page.get_by_role("group", name="Jugadas")
    for count in (1, 4):  # after the second move the machine answers with two
        moves.get_by_role("button", name="1", exact=True).click()
        expect(app.page.get_by_text(re.compile(rf"^\(\d+, {count}\)$"))).to_be_visible()  # stones left, moves made
    place = app.page.locator(".under")
    for key, told in [("u", "jugada 1 de 4"), ("u", "jugada 0 de 4"), ("r", "jugada 1 de 4")]:
        app.press(key)
        expect(place).to_contain_text(told)
    app.press("u")
    expect(app.button("Deshacer")).to_be_disabled()
    app.press("r")
    expect(place).to_contain_text("jugada 1 de 4")
    app.press("r")
    expect(app.button("Rehacer")).to_be_disabled()


def test_an_engine_that_dies_loses_in_words(toys: App) -> None:
    """Under the board and for a screen reader; another player may play on."""
    toys.start("Tic-tac-toe", "Two people")
    page = toys.page
    page.evaluate(
        """async () => {
          const id = location.hash.split("/").pop();
          const { revision } = await (await fetch(`/api/games/${id}`)).json();
          const body = JSON.stringify({ revision, players: ["human", "engine-1"] });
          await fetch(`/api/games/${id}`, { method: "PATCH", headers: { "Content-Type": "application/json" }, body });
        }"""
    )
    page.reload()
    page.locator("[data-cell='4']").click()
    why = "engine-1 loses by forfeit: it ended with code 7."
    expect(page.locator(".outcome")).to_contain_text(why)
    expect(toys.heard).to_contain_text(why)
    toys.tab("Game").get_by_label("Second").select_option("human")
    expect(page.locator(".outcome")).to_have_count(0)
    page.locator("[data-cell='0']").click()
    expect(toys.heard).to_contain_text("Second: row 1, column 1.")
