// The head of every page: the name, the places to go, language, theme, help.

import { setLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { recall } from "../store.js";
import { setTheme, THEMES } from "../theme.js";
import { define, h, View } from "../view.js";
import { openHelp } from "./help-dialog.js";

// The places of the app, each a screen: [text, address, the routes that lie in it].
const PLACES = [
  ["nav.play", () => (recall("current") ? `#/play/${recall("current")}` : "#/"), ["play", "replay", "at"]],
  ["nav.tree", () => "#/tree", ["tree"]],
  ["nav.lab", () => "#/lab", ["lab"]],
];

const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

class AppHeader extends View {
  static uses = ["route", "theme", "online", "game"];

  render({ route, theme, online, language }) {
    const other = language === "es" ? "en" : "es";
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    return [
      online ? null : h("p", { class: "offline", role: "alert" }, t("offline")),
      h(
        "header",
        { class: "bar" },
        h("a", { class: "brand", href: "#/", "aria-label": t("nav.home") }, logo(), h("span", {}, "Contienda")),
        h(
          "nav",
          { "aria-label": t("nav.main") },
          PLACES.map(([text, address, routes]) =>
            h("a", { href: address(), "aria-current": routes.includes(route.name) ? "page" : null }, t(text)),
          ),
        ),
        h(
          "div",
          { class: "end" },
          h(
            "button",
            {
              class: "quiet",
              lang: other,
              title: other === "es" ? "Español" : "English",
              "aria-label": other === "es" ? "Español" : "English",
              onclick: () => setLanguage(other),
            },
            other.toUpperCase(),
          ),
          h(
            "button",
            {
              class: "quiet icon",
              title: `${t("theme")}: ${t(`theme.${theme}`)}`,
              "aria-label": `${t("theme")}: ${t(`theme.${theme}`)}`,
              onclick: () => setTheme(next),
            },
            icon(THEME_ICONS[theme]),
          ),
          h(
            "button",
            { class: "quiet icon", title: `${t("help")} (?)`, "aria-label": t("help"), onclick: openHelp },
            icon("help"),
          ),
        ),
      ),
    ];
  }
}

/** A little game tree: a root and two sons, in the colours of the tiles. */
function logo() {
  return h(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true" },
    h("rect", { width: 32, height: 32, rx: 7, fill: "#0f6b62" }),
    h("path", {
      d: "M16 6v7M16 13 8 21M16 13l8 8",
      stroke: "#fff",
      "stroke-width": 2.4,
      fill: "none",
      "stroke-linecap": "round",
    }),
    h("circle", { cx: 16, cy: 7, r: 3.4, fill: "#fff" }),
    h("rect", { x: 4.5, y: 19, width: 7, height: 7, rx: 1.8, fill: "#f0c84a" }),
    h("rect", { x: 20.5, y: 19, width: 7, height: 7, rx: 1.8, fill: "#f08055" }),
  );
}

define("app-header", AppHeader);
