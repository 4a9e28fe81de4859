// The row above the board: the figures of a game with points, or whose turn it is in a game for two.

import { sideMark } from "../drawings.js";
import { gameName } from "../spec.js";
import { number, t } from "../i18n.js";
import { define, h, View } from "../view.js";

/** Set `game`, `position`, `moves` and `step`. */
class ScoreRow extends View {
  static uses = ["bests", "auto"];
  static props = ["game", "position", "moves", "step"];

  render({ bests, auto }) {
    const { position, game } = this;
    if (!position) return null;
    const two = game.players.length === 2;
    return [
      two ? this.turn(position, game, auto) : null,
      isKnown(position.score) || !two ? this.figures(position, bests[gameName(game.game)] ?? 0) : null,
    ];
  }

  figures(position, best) {
    const gained = this.step?.gained;
    const figure = (name, text, extra = null) =>
      h("div", { key: name }, h("dt", {}, t(name)), h("dd", { "data-figure": name }, text), extra);
    const gain = gained
      ? h("span", { key: `gain${this.step.ply}`, class: "gain", "aria-hidden": "true" }, `+${gained}`)
      : null;
    const points = isKnown(position.score);
    return h(
      "dl",
      { class: "scores" },
      points ? figure("score", number(position.score), gain) : null,
      points ? figure("best", number(Math.max(best, position.score))) : null,
      figure("moves", number(this.moves)),
      isKnown(position.max_tile) ? figure("largest", String(position.max_tile)) : null,
    );
  }

  turn(position, game, auto) {
    const side = (number) => {
      const toMove = !position.over && position.turn === number;
      const marks = [toMove && "to-move", position.winner === number && "winner"].filter(Boolean);
      return h(
        "div",
        { class: marks.join(" "), "data-side": number },
        sideMark(game.game, number),
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

const isKnown = (figure) => figure !== null && figure !== undefined;

function sideName({ players }, side) {
  const player = players[side - 1];
  if (player !== "human") return player;
  return players[2 - side] === "human" ? t(side === 1 ? "two.first" : "two.second") : t("two.you");
}

/** The status of a side; `thinking` is the game in which a machine is searching. */
function status({ winner }, side, toMove, thinking) {
  if (winner === side) return t("two.wins");
  if (winner === 0) return t("two.draw");
  if (!toMove) return "";
  return thinking && thinking.players[side - 1] !== "human" ? t("two.thinks") : t("two.moves");
}

define("score-row", ScoreRow);
