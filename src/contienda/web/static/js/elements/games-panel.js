// Saves the game on the board, and lists the saved games.

import "./games-list.js";
import { api } from "../api.js";
import { attempt, notify } from "../announce.js";
import { save } from "../game.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { state } from "../store.js";
import { define, h, View } from "../view.js";

class GamesPanel extends View {
  static uses = ["game"];

  render({ game, language }) {
    if (!game) return null;
    return h(
      "div",
      { class: "card" },
      h(
        "form",
        { class: "stack", onsubmit: (event) => this.save(event) },
        h(
          "label",
          { class: "field" },
          t("saved.name"),
          h("input", { name: "name", maxlength: 80, placeholder: t("saved.name.usual"), autocomplete: "off" }),
        ),
        h(
          "div",
          { class: "row" },
          h("button", { class: "primary grow" }, icon("save"), t("save")),
          h(
            "a",
            { class: "button grow", href: api.fileUrl(game.id), download: "" },
            icon("download"),
            t("list.download"),
          ),
          h(
            "a",
            {
              class: "button grow",
              href: api.statisticsUrl(game.id, language),
              download: "",
              title: t("saved.statistics.help"),
            },
            icon("download"),
            t("saved.statistics"),
          ),
          h("a", { class: "button grow", href: `#/replay/${game.id}` }, icon("play"), t("replay")),
        ),
      ),
      h("hr", {}),
      h(
        "div",
        { class: "spread" },
        h("h2", {}, t("saved.list")),
        h(
          "label",
          { class: "button upload" },
          icon("upload"),
          t("saved.upload"),
          h("input", {
            type: "file",
            accept: ".json,application/json",
            class: "unseen",
            onchange: (event) => this.upload(event.target),
          }),
        ),
      ),
      h("games-list", { saved: "true" }),
    );
  }

  async save(event) {
    event.preventDefault();
    const form = event.target;
    const kept = await save(state.game.id, {
      ply: state.game.cursor,
      name: form.elements.name.value.trim() || undefined,
    });
    if (!kept) return;
    form.reset();
    this.querySelector("games-list").load();
  }

  async upload(input) {
    const file = input.files[0];
    if (!file) return;
    if (file.size > state.catalogue.limits.upload_bytes) notify(t("saved.large"), "error");
    else {
      const game = await attempt(async () => api.upload(await file.text(), file.name.replace(/\.json$/, "")));
      if (game) notify(t("saved.done", { name: game.name ?? "" }));
      this.querySelector("games-list")?.load();
    }
    input.value = "";
  }
}

define("games-panel", GamesPanel);
