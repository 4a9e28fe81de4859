"""Help: the glossary and the links to it, and the pages about algorithms."""

from __future__ import annotations

from pathlib import Path

from driver import App
from playwright.sync_api import expect

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")


def test_a_word_on_the_screen_leads_to_its_entry_and_an_algorithm_to_its_page(app: App) -> None:
    page = app.page
    app.open()
    app.press("?")
    dialog = page.get_by_role("dialog", name="Help")
    search = dialog.get_by_label("Search for a word")
    search.fill("principal")
    entry = dialog.locator("[data-term]").first
    expect(entry).to_contain_text("principal variation")
    expect(entry.locator("svg")).to_be_visible()
    search.fill("poda")  # the other language's word finds it too
    expect(dialog.locator("[data-term='cut-off']")).to_be_visible()
    assert page.evaluate(CHECK) == []
    dialog.get_by_role("radio", name="Keys").check()
    expect(dialog.get_by_role("cell", name="this help")).to_be_visible()
    dialog.get_by_role("radio", name="Algorithms").check()
    dialog.get_by_role("link", name="Alpha-beta", exact=True).click()

    expect(page.get_by_role("heading", level=1, name="Alpha-beta")).to_be_visible()
    expect(page.locator("tree-drawing [data-node='0']")).to_be_visible()
    for _ in range(8):
        app.press("ArrowRight")
    expect(page.get_by_text("step 8 of 21", exact=True)).to_be_visible()
    expect(page.locator(".pseudo .lit").first).to_be_visible()
    assert page.evaluate(CHECK) == []
    page.locator("aside").get_by_role("button", name="window").first.click()
    expect(dialog.locator("[data-term]").first).to_contain_text("alpha-beta window")
    app.press("Escape")
    page.get_by_role("link", name="Negamax").click()
    expect(page.get_by_role("heading", level=1, name="Negamax")).to_be_visible()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=2, name="Complejidad")).to_be_visible()
    assert app.troubles == []
