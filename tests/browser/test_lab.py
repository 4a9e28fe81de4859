"""The lab: plan, start, watch, stop, resume, compare, draw, export; the documents; for everybody."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest
from driver import App
from playwright.sync_api import Page, TimeoutError, expect
from server import Server

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")
#: With the target of the plan from the form, so that its games are compiled.
TINY = 'name = "tiny"\ngame = "2048"\ngames = 4\ntarget = 1024\nplayers = ["random", "greedy"]\n'
#: So many games that no test sees the end of them.
LONG = 'name = "long"\ngame = "2048"\ngames = 100000\nplayers = ["random"]\n'


def write_plan(app: App, plan: str) -> None:
    """A plan as text, in the lab."""
    app.page.get_by_role("link", name="Lab", exact=True).click()
    app.choose("Text (TOML)")
    app.page.get_by_role("textbox", name="Plan").fill(plan)


def start(app: App, plan: str) -> None:
    write_plan(app, plan)
    app.button("Start").click()
    app.page.wait_for_url("**/#/lab/*")


def status(page: Page, text: str) -> None:
    expect(page.locator(".run-head .pill")).to_have_text(text)


def tab(app: App, name: str) -> None:
    app.page.get_by_role("tab", name=name).click()


def test_a_plan_from_the_form_is_played_compared_and_exported(app: App) -> None:
    page = app.page
    page.get_by_role("link", name="Lab", exact=True).click()  # one click from anywhere
    expect(page.get_by_role("heading", name="The lab")).to_be_visible()
    page.get_by_label("Name").fill("by hand")
    for depth in (1, 2, 3):
        app.button(f"Take out expectimax:depth={depth}").click()
    page.get_by_text("Add a player").click()
    page.get_by_role("combobox", name="Algorithm").select_option("greedy")
    page.get_by_role("button", name=re.compile("^Add greedy")).click()
    page.get_by_label("Games for each player").fill("5")
    page.get_by_label("Games end at").select_option("1024")
    expect(page.get_by_text("2 × 5 = 10 games")).to_be_visible()
    app.button("Start").click()
    status(page, "Finished")
    expect(page.get_by_role("heading", name="by hand")).to_be_visible()
    rows = page.locator(".data tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("5 / 5")
    expect(page.locator(".means polyline")).to_have_count(2)
    expect(app.heard).to_contain_text("Finished. 10 games.")

    tab(app, "Comparison")
    everybody = page.get_by_role("table", name="All players, best first")
    expect(everybody.locator("tbody tr").first).to_contain_text("greedy")
    expect(page.locator(".whom")).to_contain_text("best play, at any cost")
    differences = page.get_by_role("table", name="Game by game")
    expect(differences).to_contain_text("greedy minus …")
    page.get_by_label("Compare with").select_option("random")
    expect(differences).to_contain_text("random minus …")
    expect(differences.locator("tbody td").nth(1)).to_contain_text("−")

    tab(app, "Figures")
    image = page.get_by_role("img", name="Figure: All players")
    expect(image).to_be_visible()
    page.wait_for_function("() => [...document.querySelectorAll('.figures img')].every(i => i.naturalWidth > 100)")

    files = {}
    for kind in ("Games (CSV)", "Games (Parquet)", "Report (HTML)", "Plan (TOML)"):
        page.locator("summary", has_text="Export").click()
        with page.expect_download() as download:
            page.get_by_role("link", name=kind).click()
        files[download.value.suggested_filename] = download.value.path().read_bytes()
    assert set(files) == {"by-hand.csv", "by-hand.parquet", "by-hand.html", "by-hand.toml"}
    assert len(files["by-hand.csv"].splitlines()) == 11
    assert b'"random"' in files["by-hand.toml"]
    assert b"<svg" in files["by-hand.html"]

    tab(app, "Plan")
    app.button("Use as a new plan").click()
    expect(page.get_by_label("Name")).to_have_value("by hand")
    listed = page.get_by_role("listitem").filter(has_text="by hand")
    expect(listed).to_contain_text("10 of 10 games")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete: by hand").click()
    expect(listed).to_have_count(0)


def test_a_mistake_in_the_text_is_told_at_its_line(app: App) -> None:
    write_plan(app, TINY.replace("greedy", "gredy"))
    page = app.page
    app.button("Start").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 5: no player 'gredy'")
    expect(page.locator(".lines .wrong")).to_have_text("5")
    page.get_by_role("textbox", name="Plan").fill(TINY)
    app.button("Check").click()
    expect(page.get_by_text("The plan is valid: 2 × 4 = 8 games.")).to_be_visible()
    app.choose("Form")
    expect(page.get_by_label("Name")).to_have_value("tiny")
    expect(page.locator(".chips code")).to_have_text(["random", "greedy"])


def test_a_run_is_watched_left_found_again_stopped_and_resumed(app: App) -> None:
    start(app, LONG)
    page = app.page
    done = page.locator(".data tbody tr td").first
    expect(done).not_to_have_text(re.compile(r"^0 /"))
    status(page, "Running")
    expect(page.get_by_text("Time left")).to_be_visible()
    address = page.url
    app.open()  # it goes on without us
    page.goto(address)
    status(page, "Running")
    app.button("Stop").click()
    status(page, "Stopped")
    before = done.inner_text()
    app.button("Resume").click()
    status(page, "Running")
    expect(done).not_to_have_text(before)
    page.on("dialog", lambda dialog: dialog.accept())
    app.button("Delete").click()
    expect(page.get_by_text("None yet.")).to_be_visible()


def test_a_killed_server_finds_the_run_again(page: Page, own_server: Server) -> None:
    app = App(page, own_server.url)
    app.open()
    start(app, LONG)
    done = page.locator(".data tbody tr td").first
    expect(done).not_to_have_text(re.compile(r"^0 /"))
    own_server.kill()
    expect(page.get_by_text("The server does not answer")).to_be_visible()
    own_server.start()
    status(page, "Stopped")
    expect(done).not_to_have_text(re.compile(r"^0 /"))
    app.button("Resume").click()
    status(page, "Running")


def test_a_document_beside_ours(app: App) -> None:
    page = app.page
    app.open("#/lab")
    page.get_by_role("link", name="Documents").click()
    app.choose("uja")
    table = page.get_by_role("table", name="uja", exact=True)
    expect(table.locator("tbody tr").first).to_contain_text("100 %")
    expect(page.get_by_text("All 18 published numbers of moves are even")).to_be_visible()
    # What came with the package is there at once.
    expect(page.get_by_text("“Ours” came with Contienda: played on")).to_be_visible()
    expect(table.get_by_role("row", name="9 – random")).to_contain_text("100 % ✓")
    costs = page.get_by_role("table", name="uja-costs", exact=True)
    expect(page.get_by_text("The cost of each method", exact=True)).to_be_visible()
    for way, nodes in (("minimax", "2,635"), ("minimax reuse=on", "2,628"), ("minimax reuse=leaves", "1,357"),
                       ("alphabeta", "718"), ("alphabeta reuse=leaves", "372")):  # fmt: skip
        expect(costs.get_by_role("row", name=f"4 {way} – random")).to_contain_text(nodes)
    app.button("Play it again").click()
    expect(table.locator("td.inside, td.outside").first).to_be_visible()
    expect(table).to_contain_text("4 – random")
    expect(page.get_by_text("published figures lie within our intervals").first).to_be_visible()
    expect(page.locator(".help.number").filter(has_text=re.compile(r"\b[1-9]\d* of 148 games"))).to_be_visible()
    with suppress(TimeoutError):  # or the rest would be played behind the next tests; it may have ended by itself
        app.button("Stop").click(timeout=5_000)
    expect(app.button("Stop")).not_to_be_visible()
    app.choose("uc3m")
    expect(page.get_by_role("table", name="Table 21 and figure 12: minimax by depth, both heuristics")).to_be_visible()
    page.locator("details").filter(has_text="Figures").first.click()
    captions = page.locator("details[open] figcaption")
    expect(captions).to_have_text(
        [re.compile(f"^Figure {each}$") for each in ("11", "12, 18", "13, 19", "14", "15–17")]
    )
    app.choose("ort")
    expect(page.get_by_role("table", name="ort", exact=True)).to_contain_text("impossible")
    gains = page.get_by_role("table", name="Figure 3: the intermediate heuristic").first
    expect(gains.get_by_role("row", name="Largest tile")).to_contain_text("+512 (+66.7 %)")
    app.choose("As published")
    expect(page.get_by_text("All games and depths")).to_be_visible()


@pytest.mark.browser_context_args(locale="es-ES")
def test_in_spanish(app: App) -> None:
    page = app.page
    page.get_by_role("link", name="Laboratorio").click()
    app.choose("Texto (TOML)")
    page.get_by_role("textbox", name="Plan").fill(TINY + "x = 1\n")
    app.button("Empezar").click()
    expect(page.get_by_role("alert")).to_contain_text("Línea 6: no hay clave 'x'")
    page.get_by_role("textbox", name="Plan").fill(TINY)
    app.button("Empezar").click()
    status(page, "Acabado")
    tab(app, "Comparación")
    expect(page.get_by_text("el mejor juego, cueste lo que cueste")).to_be_visible()
    page.get_by_role("link", name="Documentos").click()
    expect(page.get_by_text("Alfa-beta hace las jugadas de minimax")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_for_everybody(app: App, page: Page, scheme: str) -> None:
    """Names, roles and contrast of every view; nothing sticks out, from a phone to a projector."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]

    def check(view: str) -> None:
        assert page.evaluate(CHECK) == [], view
        for width, height in ((390, 844), (1280, 800), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), (view, width)

    start(app, TINY)
    status(page, "Finished")
    for name in ("Games", "Comparison", "Figures", "Plan"):
        tab(app, name)
        if name == "Comparison":
            expect(page.locator(".whom")).to_be_visible()
        check(name)
    page.get_by_role("tab", name="Plan").press("ArrowRight")
    expect(page.get_by_role("tab", name="Games")).to_be_focused()
    app.open("#/lab")
    expect(page.get_by_role("listitem").filter(has_text="tiny")).to_be_visible()
    check("home")
    app.choose("Form")
    page.get_by_text("Add a player").click()
    check("form")
    app.open("#/lab/documents?name=ort")
    expect(page.get_by_role("table", name="ort", exact=True)).to_be_visible()
    check("documents")
