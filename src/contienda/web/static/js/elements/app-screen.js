// The screen of the current address.

import { t } from "../i18n.js";
import { screenOf } from "../screens.js";
import { gameTitle } from "../words.js";
import { define, h, View } from "../view.js";

class AppScreen extends View {
  static uses = ["route", "catalogue", "game", "replay"];

  render({ route, catalogue, game, replay }) {
    const shown = { play: game, replay: replay?.game }[route.name];
    document.title = shown ? `${gameTitle(shown.game)} · Contienda` : "Contienda";
    if (!catalogue) return h("p", { class: "help loading", role: "status" }, t("loading"));
    const { name } = screenOf(route);
    return h(`${name}-screen`, { key: name });
  }
}

define("app-screen", AppScreen);
