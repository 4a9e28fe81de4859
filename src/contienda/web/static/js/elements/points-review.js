// A game of points under review: what each move lost, and the worst moves, each a way to its board and to its tree.

import "./live-chart.js";
import { complain, say } from "../announce.js";
import { number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { job } from "../live.js";
import { goTo, playReplay } from "../replay.js";
import { treeUrl } from "../router.js";
import { define, h, View } from "../view.js";
import { moveName, playerName } from "../words.js";

class PointsReview extends View {
  static props = ["game", "ply"];
  #work = null;
  #progress = null;
  #found = null;

  render() {
    return h(
      "section",
      { class: "card stack review", "aria-label": t("review") },
      h("h2", {}, t("review")),
      this.#progress
        ? this.running(this.#progress)
        : h(
            "button",
            { key: "start", class: this.#found ? "" : "primary", disabled: !this.game.length, onclick: () => this.start() },
            icon("check"),
            t(this.#found ? "review.again" : "review.start"),
          ),
      this.#found ? this.findings(this.#found) : h("p", { class: "help" }, t("review.points.help")),
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
      worst.length
        ? h("ol", { class: "mistakes", key: "worst" }, worst.map((move) => this.mistake(move, critic)))
        : h("p", { key: "none" }, t("review.none")),
    ];
  }

  mistake({ ply, position, score, move, best, lost, words, best_words }, critic) {
    const text = t("review.points.move", { ply, move: moveName(move), best: moveName(best), lost: number(lost, 0) });
    const told = [words, best_words].filter(Boolean).map(pick);
    const rows = position.split("/").map((row) => row.split(" "));
    const { game } = this.game;
    return h(
      "li",
      { class: "mistake stack" },
      h(
        "button",
        {
          "aria-current": this.ply === ply - 1 ? "true" : undefined,
          onclick: () => {
            playReplay(false);
            goTo(ply - 1);
          },
        },
        told.length ? `${text} (${told.join(" – ")})` : text,
      ),
      h(
        "div",
        { class: "row" },
        h(
          "div",
          {
            class: "small-board",
            role: "img",
            "aria-label": position,
            style: { "grid-template-columns": `repeat(${rows[0].length}, auto)` },
          },
          rows.flat().map((tile) => h("span", {}, tile === "0" ? "" : tile)),
        ),
        h("a", { class: "button", href: treeUrl([{ game, position, score, player: critic }]) }, icon("tree"), t("tree.see")),
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
      this.#found = await this.#work.done;
      const { losses } = this.#found;
      say(t("review.points.done", { n: losses.filter((lost) => lost <= 0).length, all: losses.length }));
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

define("points-review", PointsReview);
