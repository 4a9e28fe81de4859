"""A new screen: one file that registers itself, and its texts."""

from __future__ import annotations

from driver import App
from playwright.sync_api import Page, Route, expect
from server import Server

HELLO = """import { t } from "../i18n.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";

class HelloScreen extends View {
  static uses = ["route"];

  render({ route }) {
    return h("h1", {}, `${t("nav.lab")} ${route.id}`);
  }
}

defineScreen("hello", HelloScreen, { place: { order: 5, text: "language", address: () => "#/hello/7" } });
"""


def test_a_new_screen_has_its_address_and_its_place(page: Page, server: Server) -> None:
    """The server would find the file; here the browser gets it as if it had."""

    def with_hello(route: Route) -> None:
        loaded = route.fetch()
        route.fulfill(response=loaded, body=loaded.text() + 'import "./elements/hello-screen.js";\n')

    page.route("**/js/all-screens.js", with_hello)
    page.route("**/hello-screen.js", lambda route: route.fulfill(body=HELLO, content_type="text/javascript"))
    app = App(page, server.url)
    app.open()
    places = page.get_by_role("navigation").first.get_by_role("link")
    expect(places).to_have_text(["Play", "Tree", "Exercises", "Lab", "Language"])
    places.last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lab 7")
    expect(places.last).to_have_attribute("aria-current", "page")
    app.open("#/nowhere")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert app.troubles == []
