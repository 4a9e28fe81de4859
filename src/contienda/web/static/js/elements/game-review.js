// A game of Connect 4 under review: its mistakes, each a way to the position where it was made.

import { complain, say } from "../announce.js";
import { pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { job } from "../live.js";
import { goTo, playReplay } from "../replay.js";
import { define, h, View } from "../view.js";
import { playerName } from "../words.js";

class GameReview extends View {
  static props = ["game", "ply"];
  #work = null;
  #progress = null;
  #moves = null;

  render() {
    return h(
      "section",
      { class: "card stack review", "aria-label": t("review") },
      h("h2", {}, t("review")),
      this.#progress
        ? this.running(this.#progress)
        : h(
            "button",
            { key: "start", class: this.#moves ? "" : "primary", disabled: !this.game.length, onclick: () => this.start() },
            icon("check"),
            t(this.#moves ? "review.again" : "review.start"),
          ),
      this.#moves ? this.findings(this.#moves) : h("p", { class: "help" }, t("review.help")),
    );
  }

  running({ judged, moves, compiling }) {
    return h(
      "div",
      { class: "row", key: "running" },
      h("progress", { max: moves, value: judged, "aria-label": t("review") }),
      h("span", { class: "help grow" }, compiling ? t("compiling") : t("review.progress", { n: judged, all: moves })),
      h("button", { onclick: () => this.#work.cancel() }, icon("stop"), t("review.stop")),
    );
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
      wrong.length
        ? h("ol", { class: "mistakes", key: "mistakes" }, wrong.map((move) => this.mistake(move)))
        : h("p", { key: "none" }, t("review.none")),
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
    return h(
      "li",
      { class: verdict },
      h(
        "button",
        {
          "aria-current": this.ply === ply - 1 ? "true" : undefined,
          onclick: () => {
            playReplay(false);
            goTo(ply - 1);
          },
        },
        text,
      ),
    );
  }

  async start() {
    this.#progress = { judged: 0, moves: this.game.length };
    this.update();
    this.#work = job("review", { id: this.game.id }, (progress) => {
      this.#progress = { ...this.#progress, compiling: false, ...progress };
      this.update();
    });
    try {
      this.#moves = await this.#work.done;
      say(t("review.done", { n: this.#moves.filter(({ verdict }) => verdict === "mistake").length }));
    } catch (error) {
      complain(error);
    } finally {
      this.#progress = null;
      this.update();
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback?.();
    this.#work?.cancel();
  }
}

define("game-review", GameReview);
