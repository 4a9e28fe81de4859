// The review of a game with points: what each move lost, and the worst moves, with links to board and tree.

import "./live-chart.js";
import { number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { littleBoard } from "../pieces.js";
import { ReviewPanel } from "../review.js";
import { treeUrl } from "../router.js";
import { define, h } from "../view.js";
import { moveName, playerName } from "../words.js";

class PointsReview extends ReviewPanel {
  help() {
    return t("review.points.help");
  }

  done({ losses }) {
    return t("review.points.done", { n: losses.filter((lost) => lost <= 0).length, all: losses.length });
  }

  findings({ critic, losses, worst }) {
    const best = losses.filter((lost) => lost <= 0).length;
    const lost = number(losses.reduce((sum, one) => sum + one, 0), 0);
    return [
      h(
        "p",
        { class: "help", key: "share" },
        t("review.points.share", { n: best, all: losses.length, lost, critic: playerName(critic) }),
      ),
      h(
        "div",
        { class: "chart-box", key: "chart" },
        h("live-chart", {
          ".series": [{ values: losses, zero: true }],
          ".label": t("review.points.chart"),
          ".at": losses.length ? this.ply / losses.length : 0,
        }),
      ),
      this.listOf(worst.map((move) => this.mistake(move, critic))),
    ];
  }

  mistake({ ply, position, picture, score, move, best, lost, words, best_words }, critic) {
    const text = t("review.points.move", { ply, move: moveName(move), best: moveName(best), lost: number(lost, 0) });
    const told = [words, best_words].filter(Boolean).map(pick);
    const { game } = this.game;
    return h(
      "li",
      { class: "mistake stack" },
      this.wayTo(ply, told.length ? `${text} (${told.join(" – ")})` : text),
      h(
        "div",
        { class: "row" },
        h("span", { class: "small-board", role: "img", "aria-label": position }, littleBoard(picture)),
        h("a", { class: "button", href: treeUrl([{ game, position, score, player: critic }]) }, icon("tree"), t("tree.see")),
      ),
    );
  }
}

define("points-review", PointsReview);
