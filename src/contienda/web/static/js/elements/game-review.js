// The review of a game with exact scores: its mistakes, each with a button to its position.

import { pick, t } from "../i18n.js";
import { ReviewPanel } from "../review.js";
import { define, h } from "../view.js";
import { playerName } from "../words.js";

class GameReview extends ReviewPanel {
  help() {
    return t("review.help");
  }

  done(moves) {
    return t("review.done", { n: moves.filter(({ verdict }) => verdict === "mistake").length });
  }

  findings(moves) {
    const wrong = moves.filter(({ verdict }) => verdict === "mistake" || verdict === "slower");
    const unknown = moves.filter(({ verdict }) => verdict === "unknown").length;
    return [
      h(
        "ul",
        { class: "help", key: "shares" },
        [1, 2].map((side) => {
          const own = moves.filter((move) => move.side === side && move.verdict !== "unknown");
          const best = own.filter(({ verdict }) => verdict === "best").length;
          const player = `${t(side === 1 ? "two.first" : "two.second")} (${playerName(this.game.players[side - 1])})`;
          return h("li", {}, t("review.share", { player, n: best, all: own.length }));
        }),
      ),
      this.listOf(wrong.map((move) => this.mistake(move))),
      unknown ? h("p", { class: "help", key: "unknown" }, t("review.unknown", { n: unknown })) : null,
    ];
  }

  mistake({ ply, move, words, best, best_words, verdict }) {
    const text = t(`review.${verdict}`, {
      ply,
      move,
      words: pick(words),
      best: best.join(", "),
      better: pick(best_words),
    });
    return h("li", { class: verdict }, this.wayTo(ply, text));
  }
}

define("game-review", GameReview);
