// A panel that reviews the game on the screen: a job on the server, its progress, and its findings.

import { complain, say } from "./announce.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";
import { job } from "./live.js";
import { goTo, playReplay } from "./replay.js";
import { h, View } from "./view.js";

/** A panel has a `help` text, shows `findings(found)`, and announces `done(found)`. */
export class ReviewPanel extends View {
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
        ? this.#running(this.#progress)
        : h(
            "button",
            { key: "start", class: this.#found ? "" : "primary", disabled: !this.game.length, onclick: () => this.#start() },
            icon("check"),
            t(this.#found ? "review.again" : "review.start"),
          ),
      this.#found ? this.findings(this.#found) : h("p", { class: "help" }, this.help()),
    );
  }

  #running({ judged, moves, compiling }) {
    return h(
      "div",
      { class: "row", key: "running" },
      h("progress", { max: moves, value: judged, "aria-label": t("review") }),
      h("span", { class: "help grow" }, compiling ? t("compiling") : t("review.progress", { n: judged, all: moves })),
      h("button", { onclick: () => this.#work.cancel() }, icon("stop"), t("review.stop")),
    );
  }

  /** The list of the moves found, or the word that there are none. */
  listOf(moves) {
    return moves.length
      ? h("ol", { class: "mistakes", key: "mistakes" }, moves)
      : h("p", { key: "none" }, t("review.none"));
  }

  /** A button that leads to the position before a move. */
  wayTo(ply, text) {
    return h(
      "button",
      {
        "aria-current": this.ply === ply - 1 ? "true" : undefined,
        onclick: () => {
          playReplay(false);
          goTo(ply - 1);
        },
      },
      text,
    );
  }

  async #start() {
    this.#progress = { judged: 0, moves: this.game.length };
    this.update();
    this.#work = job("review", { id: this.game.id }, (progress) => {
      this.#progress = { ...this.#progress, compiling: false, ...progress };
      this.update();
    });
    try {
      this.#found = await this.#work.done;
      say(this.done(this.#found));
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
