// The header of every page: the name, the navigation, language, theme, help.

import { LANGUAGES, languageName, setLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { places } from "../screens.js";
import { setTheme, THEMES } from "../theme.js";
import { define, h, View } from "../view.js";
import { openHelp } from "./help-dialog.js";

const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** With two languages, a button for the other one; with more, a menu. */
function languageChoice(language) {
  const others = LANGUAGES.filter((name) => name !== language);
  if (others.length > 1)
    return h(
      "select",
      { "aria-label": t("language"), onchange: (event) => setLanguage(event.target.value) },
      LANGUAGES.map((name) => h("option", { value: name, lang: name, selected: name === language }, languageName(name))),
    );
  return others.map((other) =>
    h(
      "button",
      {
        class: "quiet",
        lang: other,
        title: languageName(other),
        "aria-label": languageName(other),
        onclick: () => setLanguage(other),
      },
      other.toUpperCase(),
    ),
  );
}

class AppHeader extends View {
  static uses = ["route", "theme", "online", "game", "classroom"];

  render({ route, theme, online, classroom, language }) {
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
          places().map(({ text, address, routes }) =>
            h("a", { href: address(), "aria-current": routes.includes(route.name) ? "page" : null }, t(text)),
          ),
          classroom?.league || classroom?.teacher
            ? h("a", { href: "#/league", key: "league", "aria-current": route.name === "league" ? "page" : null }, t("league.title"))
            : null,
          classroom?.teacher
            ? h("a", { key: "class", href: "#/class", "aria-current": route.name === "class" ? "page" : null }, t("class.title"))
            : null,
        ),
        h(
          "div",
          { class: "end" },
          languageChoice(language),
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
            { class: "quiet icon", title: `${t("help")} (?)`, "aria-label": t("help"), onclick: () => openHelp() },
            icon("help"),
          ),
        ),
      ),
    ];
  }
}

/** A little game tree: a root and two children, in the colours of the tiles. */
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
