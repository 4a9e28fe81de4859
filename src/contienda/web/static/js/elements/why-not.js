// "Why not this move?": what it loses against the best one, and the line that shows it, step by step in words.

import { moveLabel } from "../gestures.js";
import { place } from "../games.js";
import { helper } from "../helper.js";
import { number, pick, t } from "../i18n.js";
import { job } from "../live.js";
import { difference } from "../values.js";
import { little } from "../tree/little.js";
import { define, h, View } from "../view.js";

const MOST = 12; // the most moves shown as buttons; more are in a list

/** `game` with the `position` whose moves are explained; in a replay, the move `made` there. */
class WhyNot extends View {
  static props = ["game", "position", "made"];
  static uses = ["specs"];

  #asked = null; // { text, move, status, lines }

  render() {
    const { legal } = this.position;
    if (!legal?.length || this.position.over) return null;
    const asked = this.#asked?.text === this.position.text ? this.#asked : null;
    const choose = (move) => () => this.ask(move);
    return h(
      "section",
      { class: "why-not stack", "aria-label": t("why.title") },
      h("h3", {}, this.made ? t("why.title.made", { move: moveLabel(this.made, this.position) }) : t("why.title")),
      legal.length <= MOST
        ? h(
            "div",
            { class: "row" },
            legal.map((move) =>
              h(
                "button",
                { key: move, class: `quiet ${move === this.made ? "made" : ""}`, "aria-pressed": String(asked?.move === move), onclick: choose(move) },
                moveLabel(move, this.position),
              ),
            ),
          )
        : h(
            "select",
            { "aria-label": t("why.title"), onchange: (event) => event.target.value && this.ask(event.target.value) },
            h("option", { value: "" }, "–"),
            legal.map((move) => h("option", { value: move, selected: asked?.move === move }, moveLabel(move, this.position))),
          ),
      asked
        ? h(
            "ol",
            { class: "refutation", role: "status" },
            asked.status === "running"
              ? h("li", {}, t("tree.searching"))
              : asked.lines.map(({ text, board }, i) =>
                  h("li", { key: i }, h("span", {}, typeof text === "string" ? text : pick(text)), board ? little(board) : null),
                ),
          )
        : null,
    );
  }

  /** In a replay: what a move gains or loses against the move made. */
  #beside(move, found) {
    const loss = this.made && this.made !== move ? difference(found.moves, move, this.made) : null;
    if (loss === null) return [];
    const names = { move: moveLabel(move, this.position), made: moveLabel(this.made, this.position) };
    const text = t(loss > 0 ? "why.worse" : loss < 0 ? "why.better" : "why.same", { ...names, n: number(Math.abs(loss), 2) });
    return [{ text, board: null }];
  }

  async ask(move) {
    const { text } = this.position;
    const mine = { text, move, status: "running", lines: [] };
    this.#asked = mine;
    this.update();
    const put = (changes) => {
      if (this.#asked !== mine) return;
      Object.assign(mine, changes);
      this.update();
    };
    try {
      const found = await job("hint", { ...place(this.game, this.position), player: helper(this.game.game), why: move }).done;
      put({ status: "ready", lines: [...this.#beside(move, found), ...found.why] });
    } catch (error) {
      put({ status: "ready", lines: error.text ? [{ text: error.text, board: null }] : [] });
    }
  }
}

define("why-not", WhyNot);
