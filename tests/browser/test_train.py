"""Training in the browser: started, watched, stopped, continued and played with, by all users."""

from __future__ import annotations

import re
from pathlib import Path

from driver import App
from playwright.sync_api import expect

CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8")


def test_a_network_learns_and_plays(app: App) -> None:
    page = app.page
    page.get_by_role("link", name="Watch a network learn 2048").click()
    expect(page.get_by_role("heading", name="A network learns 2048")).to_be_visible()
    app.choose("20,000")
    page.get_by_label("Name").fill("first")
    assert page.evaluate(CHECK) == []
    app.press("Enter")

    # It goes on by itself: the curve grows, the board changes.
    curve = page.get_by_role("img", name=re.compile("Learning curve over .* mean score from"))
    expect(curve).to_be_visible()  # the learning is compiled first
    expect(page.get_by_text("learning", exact=True).first).to_be_visible()
    expect(app.grid).to_be_visible()
    caption = page.get_by_text("A game it is playing now")
    points, label = caption.inner_text(), curve.get_attribute("aria-label")
    expect(curve).not_to_have_attribute("aria-label", label or "")
    expect(caption).not_to_have_text(points)
    assert page.evaluate(CHECK) == []

    # Another page of the same browser sees it too, and so does this one after a reload.
    page.reload()
    expect(app.button("Stop")).to_be_visible()

    app.button("Stop").click()
    expect(app.button("Play with it")).to_be_visible()
    expect(app.heard).to_contain_text("first stopped after")
    assert app.tiles() == app.cells()
    expect(page.get_by_role("button", name=re.compile("^Continue to"))).to_be_visible()
    assert page.evaluate(CHECK) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", name="Tus redes")).to_be_visible()
    assert page.evaluate(CHECK) == []
    page.get_by_role("button", name="English").click()

    app.button("Play with it").click()
    expect(page.get_by_role("combobox", name="Algorithm", exact=True)).to_have_value("champion")
    expect(page.locator("player-picker input.mono")).to_have_value("champion:depth=3,network=first")


def test_a_network_learns_connect_4_and_plays(app: App) -> None:
    page = app.page
    page.get_by_role("link", name="Watch a network learn Connect 4").click()
    expect(page.get_by_role("heading", name="A network learns Connect 4")).to_be_visible()
    expect(page.get_by_label("Network")).to_have_value("40x5")
    app.choose("5,000")
    page.get_by_label("Name").fill("four")
    assert page.evaluate(CHECK) == []
    app.press("Enter")
    curve = page.get_by_role("img", name=re.compile("Learning curve over .* of the points against a careful player"))
    expect(curve).to_be_visible()
    expect(page.get_by_text("A game it is playing against itself now")).to_be_visible()
    expect(app.button("Play with it")).to_be_visible()
    expect(app.heard).to_contain_text("four has finished: 5,000 games")
    assert page.evaluate(CHECK) == []
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", name="Una red aprende Conecta 4")).to_be_visible()
    assert page.evaluate(CHECK) == []
    page.get_by_role("button", name="English").click()
    app.button("Play with it").click()
    expect(page.locator("player-picker input.mono")).to_have_value("alphabeta:depth=6,eval=ntuple:four")
