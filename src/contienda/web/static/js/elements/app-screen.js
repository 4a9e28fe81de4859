// The screen that the address asks for.

import { t } from "../i18n.js";
import { gameTitle } from "../words.js";
import { define, h, View } from "../view.js";

class AppScreen extends View {
  static uses = ["route", "catalogue", "game", "replay"];

  render({ route, catalogue, game, replay }) {
    const shown = { play: game, replay: replay?.game }[route.name];
    document.title = shown ? `${gameTitle(shown.game)} · Contienda` : "Contienda";
    if (!catalogue) return h("p", { class: "help loading", role: "status" }, t("loading"));
    if (route.name === "play") return h("play-screen", { key: "play" });
    if (route.name === "train") return h("train-screen", { key: "train" });
    if (route.name === "replay") return h("replay-screen", { key: "replay" });
    if (route.name === "lab") return h("lab-screen", { key: "lab" });
    if (route.name === "tree") return h("tree-screen", { key: "tree" });
    return h("start-screen", { key: "start" });
  }
}

define("app-screen", AppScreen);
