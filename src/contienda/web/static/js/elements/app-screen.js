// The screen that the address asks for.

import { t } from "../i18n.js";
import { define, h, View } from "../view.js";

class AppScreen extends View {
  static uses = ["route", "catalogue"];

  render({ route, catalogue }) {
    if (!catalogue) return h("p", { class: "help loading", role: "status" }, t("loading"));
    if (route.name === "play") return h("play-screen", { key: "play" });
    if (route.name === "replay") return h("replay-screen", { key: "replay" });
    return h("start-screen", { key: "start" });
  }
}

define("app-screen", AppScreen);
