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
    return h(
      "dl",
      { class: "scores" },
      h(
        "div",
        {},
        h("dt", {}, t("score")),
        h("dd", { "data-figure": "score" }, number(position.score)),
        gained ? h("span", { key: `gain${this.step.ply}`, class: "gain", "aria-hidden": "true" }, `+${gained}`) : null,
      ),
      h("div", {}, h("dt", {}, t("best")), h("dd", { "data-figure": "best" }, number(Math.max(best, position.score)))),
      h("div", {}, h("dt", {}, t("moves")), h("dd", { "data-figure": "moves" }, number(this.moves))),
      h("div", {}, h("dt", {}, t("largest")), h("dd", { "data-figure": "largest" }, String(position.max_tile))),
    );
  }

  turn(position, game, auto) {
    const side = (number) => {
      const toMove = !position.over && position.turn === number;
      const marks = [toMove && "to-move", position.winner === number && "winner"].filter(Boolean);
      return h(
        "div",
        { class: marks.join(" "), "data-side": number },
        h("span", { class: `stone s${number}`, "aria-hidden": "true" }),
        h(
          "div",
          {},
          h("strong", {}, sideName(game, number)),
          h("span", { class: "help" }, status(position, number, toMove, auto.thinking && game) || "\u00a0"),
        ),
      );
    };
    return h("div", { class: "sides" }, side(1), side(2));
  }
}

function sideName({ players }, side) {
  const player = players[side - 1];
  if (player !== "human") return player;
  return players[2 - side] === "human" ? t(side === 1 ? "c4.first" : "c4.second") : t("c4.you");
}

/** What there is to say of a side now; `thinking` is the game if its machine is at work. */
function status({ winner }, side, toMove, thinking) {
  if (winner === side) return t("c4.wins");
  if (winner === 0) return t("c4.draw");
  if (!toMove) return "";
  return thinking && thinking.players[side - 1] !== "human" ? t("c4.thinks") : t("c4.moves");
}

define("score-row", ScoreRow);
