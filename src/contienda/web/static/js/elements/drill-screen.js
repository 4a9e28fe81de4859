// Practice endgames from this machine's tables: every move is graded, and the server keeps no state.

import { attempt, say } from "../announce.js";
import { request } from "../api.js";
import { boardOf, ratioOf, shownBoard } from "../drawings.js";
import { isFields, select } from "../fields.js";
import { movesOf } from "../gestures.js";
import { number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { defineScreen } from "../screens.js";
import { recall, remember } from "../store.js";
import { h, View } from "../view.js";

const PAD = ["left", "up", "down", "right"];
const LISTED = 12; // graded moves shown, the newest first

const percent = (chance) => `${number(100 * chance, 1)} %`;

class DrillScreen extends View {
  /** The tables, once loaded; the endgame; its moves with their grades; the last step; the moves not sent yet. */
  tables = null;
  drill = null;
  graded = [];
  step = null;
  waiting = [];
  busy = false;

  connectedCallback() {
    super.connectedCallback();
    this.keydown = (event) => this.key(event);
    addEventListener("keydown", this.keydown);
    attempt(async () => {
      this.tables = await request("GET", "/drill");
      if (this.tables.tables.length) await this.begin();
      else this.update();
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keydown);
  }

  get table() {
    const chosen = recall("drill", "");
    return this.tables?.tables.some(({ name }) => name === chosen) ? chosen : "";
  }

  async begin() {
    this.drill = await request("POST", "/drill", this.table ? { table: this.table } : {});
    Object.assign(this, { graded: [], step: null, waiting: [], ended: "" });
    if (!this.isConnected) return;
    this.update();
    say(t("drill.task", { goal: this.drill.goal }));
  }

  // --- Moves ---

  key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !this.drill || isFields(event)) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "n") attempt(() => this.begin());
    else if (!shownBoard(this)?.key(key)) return;
    event.preventDefault();
  }

  /** Moves made while the server is still grading another wait for their turn. */
  async move(name) {
    this.waiting.push(name);
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting.length) await this.make(this.waiting.shift());
    } finally {
      this.busy = false;
      this.waiting = [];
    }
  }

  async make(move) {
    const { drill } = this;
    const before = drill.position;
    if (this.ended || !before.legal.includes(move)) return;
    const slow = setTimeout(() => say(t("loading")), 500); // the first answer waits until it is compiled
    const answer = await attempt(() => request("POST", "/drill/move", { position: before.text, move }));
    clearTimeout(slow);
    if (!answer || this.drill !== drill) return;
    this.ended = answer.ended;
    if (answer.step) {
      this.step = { ...answer.step, from: before.text };
      this.drill = { ...drill, position: answer.step.position };
      this.graded.push({ ...answer, move });
    }
    this.update();
    say([answer.step ? this.told(answer, move) : "", this.ended ? t(`drill.ended.${this.ended}`) : ""].join(" "));
  }

  told({ verdict, chance, best, best_move: bestMove }, move) {
    const words = t(`drill.verdict.${verdict}`, { move: t(move), chance: percent(chance) });
    return verdict === "best" ? words : `${words} ${t("drill.better", { move: t(bestMove), chance: percent(best) })}`;
  }

  // --- What is shown ---

  render() {
    return h(
      "div",
      { class: this.drill ? "play drill" : "drill" },
      h("h1", { class: this.drill ? "unseen" : "" }, t("drill.title")),
      this.drill ? [this.stage(), this.side()] : h("div", { class: "card" }, this.empty()),
    );
  }

  empty() {
    if (!this.tables) return h("p", { class: "help", role: "status" }, t("loading"));
    return [h("p", {}, t("drill.none")), h("pre", {}, h("code", {}, "contienda tables make"))];
  }

  stage() {
    const { drill, tables } = this;
    const ways = new Map(movesOf(drill.position).map(({ move, gesture }) => [gesture.direction, move]));
    return h(
      "section",
      { class: "stage", "aria-label": t("drill.title"), style: { "--ratio": ratioOf(tables.game, drill.position.picture) } },
      h("p", { class: "task" }, t("drill.task", { goal: drill.goal }), " ", h("code", {}, drill.table)),
      h("div", { class: "frame" }, boardOf(tables.game, { ".onmove": (move) => this.move(move) })),
      h(
        "div",
        { class: "controls" },
        h(
          "button",
          { class: "primary", title: `${t("drill.new")} (N)`, "aria-keyshortcuts": "N", onclick: () => attempt(() => this.begin()) },
          icon("new"),
          t("drill.new"),
        ),
        h(
          "div",
          { class: "pad", role: "group", "aria-label": t("pad") },
          PAD.map((direction) =>
            h(
              "button",
              {
                class: "icon",
                "aria-label": t(direction),
                title: t(direction),
                disabled: Boolean(this.ended) || !ways.has(direction),
                onclick: () => this.move(ways.get(direction)),
              },
              icon(direction),
            ),
          ),
        ),
      ),
    );
  }

  side() {
    const { graded, tables } = this;
    const lost = graded.reduce((sum, { best, chance }) => sum + best - chance, 0);
    return h(
      "aside",
      { class: "side", "aria-label": t("drill.title") },
      h(
        "div",
        { class: "card stack" },
        h("h2", {}, t("drill.title")),
        h("p", { class: "help" }, t("drill.help")),
        select(
          t("drill.table"),
          [["", t("drill.any")], ...tables.tables.map(({ name }) => [name, name])],
          this.table,
          (name) => {
            remember("drill", name);
            attempt(() => this.begin());
          },
        ),
        this.ended ? h("p", { class: "drill-end" }, h("strong", {}, t(`drill.ended.${this.ended}`))) : null,
        graded.length
          ? h("p", {}, t("drill.lost", { n: graded.length, lost: percent(lost) }))
          : null,
        h(
          "ol",
          { class: "drill-moves", reversed: true, start: graded.length || null },
          graded
            .slice(-LISTED)
            .reverse()
            .map((one, i) => h("li", { key: graded.length - i, class: one.verdict }, this.told(one, one.move))),
        ),
      ),
    );
  }

  update() {
    super.update();
    const board = shownBoard(this);
    if (board && this.drill) board.draw({ game: { game: this.tables.game, players: ["human"] }, position: this.drill.position, step: this.step });
  }
}

defineScreen("drill", DrillScreen);
