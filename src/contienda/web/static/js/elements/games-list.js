// A list of games: open, replay, download, delete.

import { api } from "../api.js";
import { attempt } from "../announce.js";
import { moment, t } from "../i18n.js";
import { icon } from "../icons.js";
import { recall, remember } from "../store.js";
import { define, h, View } from "../view.js";
import { gameTitle, playerName, summary } from "../words.js";

const SHOWN = 6; // games shown until the user asks for all

/** saved="true": games saved under a name; "false": games in progress. */
class GamesList extends View {
  games = null;
  all = false;

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    this.games = (await attempt(() => api.games(this.getAttribute("saved")))) ?? this.games;
    if (this.isConnected) this.update();
  }

  render() {
    const saved = this.getAttribute("saved") === "true";
    if (!this.games?.length)
      return saved ? h("p", { class: "help" }, this.games ? t("list.none") : t("loading")) : null;
    const shown = this.all ? this.games : this.games.slice(0, SHOWN);
    return h(
      "section",
      { class: "stack" },
      saved ? null : h("h2", {}, t("start.recent")),
      h(
        "ul",
        { class: "list" },
        shown.map((game) => h("li", { key: game.id }, this.item(game, saved))),
      ),
      shown.length < this.games.length
        ? h(
            "button",
            {
              class: "quiet",
              onclick: () => {
                this.all = true;
                this.update();
              },
            },
            t("list.all", { n: this.games.length }),
          )
        : null,
    );
  }

  item(game, saved) {
    const title = game.name ?? gameTitle(game.game);
    return [
      h(
        "div",
        { class: "what" },
        h("a", { href: saved ? `#/replay/${game.id}` : `#/play/${game.id}` }, title),
        h(
          "span",
          { class: "help" },
          [saved && game.name ? gameTitle(game.game) : null, summary(game)].filter(Boolean).join(" · "),
        ),
        h(
          "span",
          { class: "help" },
          [
            game.players.some((player) => player !== "human") ? game.players.map(playerName).join(" – ") : null,
            moment(game.updated),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      h(
        "div",
        { class: "row acts" },
        saved
          ? null
          : h(
              "a",
              {
                class: "button quiet icon",
                href: `#/replay/${game.id}`,
                title: t("replay"),
                "aria-label": `${t("replay")}: ${title}`,
              },
              icon("play"),
            ),
        h(
          "a",
          {
            class: "button quiet icon",
            href: api.fileUrl(game.id),
            download: "",
            title: t("list.download"),
            "aria-label": `${t("list.download")}: ${title}`,
          },
          icon("download"),
        ),
        h(
          "button",
          {
            class: "quiet icon",
            title: t("delete"),
            "aria-label": `${t("delete")}: ${title}`,
            onclick: () => this.remove(game),
          },
          icon("bin"),
        ),
      ),
    ];
  }

  async remove(game) {
    if (!confirm(t("list.sure", { name: game.name ?? gameTitle(game.game) }))) return;
    await attempt(() => api.remove(game.id));
    if (recall("current") === game.id) remember("current", null);
    this.load();
  }
}

define("games-list", GamesList);
