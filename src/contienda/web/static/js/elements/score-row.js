// The figures over a 2048 board; over Connect 4, whose turn it is.

import { is2048 } from "../game.js";
import { number, t } from "../i18n.js";
import { define, h, View } from "../view.js";

/** Set `position`, `moves`, `step` and, for Connect 4, `players`. */
class ScoreRow extends View {
  static uses = ["best", "auto"];
  static props = ["game", "position", "moves", "step"];

  render({ best, auto }) {
    const { position, game } = this;
    if (!position) return null;
    return is2048(game) ? this.figures(position, best) : this.turn(position, game, auto);
  }

  figures(position, best) {
    const gained = this.step?.gained;
    return h("dl", { class: "scores" },
      h("div", {}, h("dt", {}, t("score")), h("dd", { "data-figure": "score" }, number(position.score)), gained ? h("span", { key: `gain${this.step.ply}`, class: "gain", "aria-hidden": "true" }, `+${gained}`) : null),
      h("div", {}, h("dt", {}, t("best")), h("dd", { "data-figure": "best" }, number(Math.max(best, position.score)))),
      h("div", {}, h("dt", {}, t("moves")), h("dd", { "data-figure": "moves" }, number(this.moves))),
      h("div", {}, h("dt", {}, t("largest")), h("dd", { "data-figure": "largest" }, String(position.max_tile))));
  }

  turn(position, game, auto) {
    return h("div", { class: "sides" }, [1, 2].map((side) => {
      const toMove = !position.over && position.turn === side;
      const player = game.players[side - 1];
      const status = position.over ? (position.winner === side ? t("c4.wins") : position.winner === 0 ? t("c4.draw") : "") : toMove ? (player !== "human" && auto.thinking ? t("c4.thinks") : t("c4.moves")) : "";
      return h("div", { class: `side-${side}${toMove ? " to-move" : ""}${position.winner === side ? " winner" : ""}`, "data-side": side },
        h("span", { class: `stone s${side}`, "aria-hidden": "true" }),
        h("div", {}, h("strong", {}, player === "human" ? (game.players.every((p) => p === "human") ? t(side === 1 ? "c4.first" : "c4.second") : t("c4.you")) : player), h("span", { class: "help" }, status || "\u00a0")));
    }));
  }
}

define("score-row", ScoreRow);
