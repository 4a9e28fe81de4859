// Makes an exercise from a tree or a position and a search; questions are marked on the tree.

import "./tree-drawing.js";
import { addressOf, change, keyOf, look, toggle } from "../exercise/lessons.js";
import { input, segments, select } from "../fields.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { go } from "../router.js";
import { state } from "../store.js";
import { Trace } from "../tree/trace.js";
import { define, h, View } from "../view.js";

const OPEN = new Set();
const KINDS = { tree: ["value", "values", "cuts", "best", "next"], mcts: ["value", "best", "next"], path: ["values", "next"] };

class ExerciseMaker extends View {
  static uses = ["lessons"];

  render({ lessons: { make, status } }) {
    if (!make) return null;
    return h(
      "div",
      { class: "explorer exercise", key: "make" },
      h(
        "section",
        { class: "canvas", "aria-label": t("tree.title") },
        h("p", { class: "help" }, t("exercise.make.help")),
        h("div", { class: "lanes" }, h("div", { class: "lane" }, h("tree-drawing"))),
      ),
      h("aside", { class: "side" }, this.search(make, status), make.data ? this.asked(make) : null),
    );
  }

  search({ game, position, player }, status) {
    const games = ["tree", "puzzle8", ...Object.keys(state.catalogue.games).filter((name) => name !== "tree")];
    return h(
      "form",
      {
        class: "card stack",
        key: "search",
        onsubmit: (event) => {
          event.preventDefault();
          look();
        },
      },
      select(t("exercise.game"), games.map((name) => [name, name]), game, (value) => change({ game: value })),
      input(t("exercise.position"), position, (value) => change({ position: value }), { spellcheck: "false" }),
      input(t("exercise.player"), player, (value) => change({ player: value }), { spellcheck: "false" }),
      h("button", { class: "wide", disabled: status === "running" }, icon("tree"), t("exercise.look")),
    );
  }

  asked(make) {
    const { family } = make.data.trace;
    const kinds = KINDS[family].filter((kind) => kind !== "cuts" || this.trace?.windows);
    const nodes = make.ask.filter((one) => one.includes("="));
    return h(
      "section",
      { class: "card stack", key: "asked" },
      h("h2", {}, t("exercise.ask")),
      kinds.map((kind) =>
        h(
          "label",
          { class: "check", key: kind },
          h("input", { type: "checkbox", checked: make.ask.includes(kind), onchange: () => toggle(kind) }),
          t(`exercise.ask.${kind}`),
        ),
      ),
      family === "mcts"
        ? null
        : [
            this.trace?.windows
              ? segments(
                  t("exercise.ask.as"),
                  ["values", "window"].map((as) => [as, t(`exercise.ask.as.${as}`)]),
                  make.as,
                  (as) => change({ as }),
                  "ask-as",
                )
              : null,
            h("p", { class: "help", key: "nodes" }, t("exercise.ask.node")),
            h(
              "ul",
              { class: "pills", key: "marked", role: "status" },
              nodes.map((one) =>
                h("li", { key: one }, h("button", { class: "quiet", "aria-label": t("exercise.remove", { what: one }), onclick: () => toggle(one) }, one, " ", icon("close"))),
              ),
              nodes.length ? null : h("li", { class: "help", key: "none" }, t("exercise.ask.none")),
            ),
          ],
      input(t("exercise.name.title"), make.title, (title) => change({ title }), { maxlength: 200 }),
      input(t("exercise.name.text"), make.text, (text) => change({ text }), { maxlength: 5000 }),
      h("button", { class: "primary wide", disabled: !make.ask.length, onclick: () => go(addressOf(make)) }, t("exercise.try")),
    );
  }

  update() {
    const make = state.lessons?.make;
    if (make?.data && this.of !== make.data) {
      this.of = make.data;
      this.trace = new Trace(make.data.trace);
      this.picked = 0;
    }
    super.update();
    const drawing = this.querySelector("tree-drawing");
    if (!make?.data || !drawing) return;
    const { trace } = this;
    const marks = new Set(trace.nodes.filter(({ id }) => make.ask.some((one) => one.endsWith(`=${keyOf(trace, id)}`) && id)).map(({ id }) => id));
    drawing.onmark = (id) => {
      this.picked = id;
      if (id && trace.family !== "mcts") toggle(`${trace.windows ? make.as : "values"}=${keyOf(trace, id)}`);
      return true;
    };
    drawing.onpick = (id) => {
      this.picked = id;
      this.update();
    };
    const label = t("exercise.drawing", { n: trace.nodes.length });
    drawing.draw({ lane: 0, trace, folds: OPEN, moment: trace.length, picked: this.picked, label, marks, hides: () => false });
  }
}

define("exercise-maker", ExerciseMaker);
