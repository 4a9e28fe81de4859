// An algorithm on one page: its idea, a tree to step through beside its pseudocode, and what it costs.

import "./tree-drawing.js";
import { linked } from "../glossary.js";
import { pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { treeUrl } from "../router.js";
import { defineScreen } from "../screens.js";
import { state, subscribe } from "../store.js";
import { fold, foldsOf, look, momentOf, pickNode, put } from "../tree/explorer.js";
import { h, View } from "../view.js";
import { loadAlgorithms } from "./help-dialog.js";
import { stepBar } from "./tree-bar.js";
import { codeCard } from "./tree-code.js";
import { nodeCard } from "./tree-node.js";

class AlgorithmsScreen extends View {
  static uses = ["route", "algorithms", "tree", "glossary", "catalogue"];

  render({ route, algorithms }) {
    if (!algorithms) return h("h1", {}, t("help.algorithms"));
    const at = algorithms.findIndex(({ name }) => name === route.id);
    return at < 0 ? this.list(algorithms) : this.page(algorithms, at);
  }

  list(algorithms) {
    return h(
      "div",
      { class: "algorithm-page" },
      h("h1", {}, t("help.algorithms")),
      h(
        "ul",
        { class: "algorithm-list" },
        algorithms.map(({ name, title, idea }) =>
          h(
            "li",
            { key: name },
            h("a", { href: `#/algorithms/${name}` }, pick(title)),
            h("p", { class: "help" }, pick(idea)),
          ),
        ),
      ),
    );
  }

  page(algorithms, at) {
    const { title, idea, cost, game, position, player } = algorithms[at];
    const beside = (step) => algorithms[at + step];
    const link = (one, name) =>
      one ? h("a", { class: "button quiet", href: `#/algorithms/${one.name}` }, icon(name), pick(one.title)) : null;
    return h(
      "div",
      { class: "algorithm-page", key: `page-${player}` },
      h("nav", { class: "crumb", "aria-label": t("help.algorithms") }, h("a", { href: "#/algorithms" }, t("help.algorithms"))),
      h("h1", {}, pick(title)),
      h("p", { class: "idea" }, linked(pick(idea))),
      h("h2", {}, t("algorithm.steps")),
      this.tree(),
      h("h2", {}, t("algorithm.cost")),
      h("p", {}, linked(pick(cost))),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: treeUrl([{ game, position, player }]) }, icon("tree"), t("algorithm.explore")),
      ),
      h("nav", { class: "row beside", "aria-label": t("algorithm.others") }, link(beside(-1), "left"), link(beside(1), "right")),
    );
  }

  tree() {
    const { tree } = state;
    if (tree.status === "failed") return h("p", { class: "error", role: "alert" }, pick(tree.error.text));
    if (tree.status !== "ready" || !asksFor(tree))
      return h("p", { class: "working", role: "status" }, t("tree.searching"));
    const { trace } = tree.lanes[0];
    return h(
      "div",
      { class: "explorer" },
      h(
        "section",
        { class: "canvas", "aria-label": t("tree.title") },
        h("div", { class: "lanes" }, h("div", { class: "lane" }, h("tree-drawing"))),
        stepBar(tree),
      ),
      h(
        "aside",
        { class: "side" },
        h("p", { class: "says" }, linked(trace.sentence(momentOf(tree, 0)))),
        codeCard(tree),
        nodeCard(tree),
      ),
    );
  }

  update() {
    super.update();
    const { tree } = state;
    const drawing = this.querySelector("tree-drawing");
    if (!drawing || !tree.lanes.length) return;
    const { trace } = tree.lanes[0];
    drawing.onpick = (id) => pickNode(0, id);
    drawing.onfold = (id) => fold(0, id);
    drawing.onhover = (id) => put({ hover: id === null ? null : { lane: 0, node: id } });
    const label = t("tree.drawing", { player: trace.player, n: trace.nodes.length });
    drawing.draw({ lane: 0, trace, folds: foldsOf(tree, 0), moment: momentOf(tree, 0), picked: tree.picked, label });
  }
}

const shown = () =>
  state.route.name === "algorithms" ? state.algorithms?.find(({ name }) => name === state.route.id) : undefined;

/** Whether the tree belongs to this page. */
const asksFor = (tree) => tree.asked.length === 1 && tree.asked[0].player === shown()?.player && tree.asked[0].game === shown()?.game;

/** Search the tree of the page, as soon as everything that it needs has loaded. */
async function enter() {
  await loadAlgorithms();
  if (!state.catalogue) {
    const stop = subscribe(() => {
      if (!state.catalogue) return;
      stop();
      enter();
    });
    return;
  }
  const page = shown();
  if (page) look([{ game: page.game, position: page.position, player: page.player }]);
}

defineScreen("algorithms", AlgorithmsScreen, { enter });
