// The explorer: the tree of a search and its steps, beside the algorithm, the node and the form for a search.

import "./tree-drawing.js";
import "./tree-list.js";
import "./tree-source.js";
import { segments } from "../fields.js";
import { linked } from "../glossary.js";
import { number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { formatSpec, parseSpec } from "../spec.js";
import { set, state } from "../store.js";
import { drawingFile, pictureFile, stepsFile } from "../tree/export.js";
import {
  fold,
  foldAll,
  foldsOf,
  look,
  momentOf,
  openTree,
  pickNode,
  put,
  stopLooking,
  takeFitting,
} from "../tree/explorer.js";
import { mark, marked, marksAllowed, stage } from "../tree/guess.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { loadAlgorithms } from "./help-dialog.js";
import { stepBar } from "./tree-bar.js";
import { codeCard } from "./tree-code.js";
import { guessCard } from "./tree-guess.js";
import { nodeCard } from "./tree-node.js";

const MODES = ["one", "two", "guess"];

class TreeScreen extends View {
  static uses = ["tree", "treeTab", "catalogue", "glossary", "algorithms"];

  render({ tree }) {
    return h(
      "div",
      { class: "explorer" },
      h(
        "section",
        { class: "canvas", "aria-label": t("tree.title") },
        h(
          "div",
          { class: "tree-head" },
          h("h1", { class: "unseen" }, t("tree.title")),
          segments(
            t("tree.mode"),
            MODES.map((mode) => [mode, t(`tree.mode.${mode}`)]),
            tree.mode,
            (mode) => changeMode(tree, mode),
            "tree-mode",
          ),
          this.tools(tree),
        ),
        this.lanes(tree),
        tree.mode === "guess" && !tree.guess?.checked ? null : stepBar(tree),
      ),
      h("aside", { class: "side", "aria-label": t("tabs") }, this.side(tree)),
    );
  }

  tools(tree) {
    const tool = (name, action, key) =>
      h(
        "button",
        {
          class: "icon quiet",
          disabled: !tree.lanes.length,
          title: key ? `${t(`tree.${name}`)} (${key})` : t(`tree.${name}`),
          "aria-label": t(`tree.${name}`),
          onclick: action,
        },
        icon(name),
      );
    const all = (action) => () => this.querySelectorAll("tree-drawing").forEach(action);
    const picked = () => [...this.querySelectorAll("tree-drawing")].at(tree.mode === "two" ? tree.lane : 0);
    return h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": t("tree.tools") },
      tool(
        "zoomin",
        all((one) => one.zoomBy(1.25)),
        "+",
      ),
      tool(
        "zoomout",
        all((one) => one.zoomBy(0.8)),
        "−",
      ),
      tool(
        "fit",
        all((one) => one.fit()),
        "0",
      ),
      tool(
        "overview",
        all((one) => one.overview()),
      ),
      tool("foldall", () => this.foldAll(true)),
      tool("unfoldall", () => this.foldAll(false)),
      h(
        "details",
        { class: "menu", key: "export" },
        h("summary", { class: "button quiet" }, icon("download"), t("tree.export")),
        h(
          "div",
          { class: "card" },
          /** @type {[string, () => void][]} */
          ([
            ["svg", () => drawingFile(picked())],
            ["png", () => pictureFile(picked())],
            ["text", () => stepsFile(tree.lanes[tree.lane].trace)],
          ]).map(([name, action]) =>
            h(
              "button",
              {
                class: "wide quiet",
                disabled: !tree.lanes.length,
                onclick: (event) => {
                  event.target.closest("details").open = false;
                  action();
                },
              },
              t(`tree.export.${name}`),
            ),
          ),
        ),
      ),
    );
  }

  foldAll(folded) {
    foldAll(folded);
    this.update(); // at once, to be fitted
    this.querySelectorAll("tree-drawing").forEach((one) => one.fit());
  }

  lanes(tree) {
    if (tree.status === "failed") return this.failure(tree.error);
    const shown = tree.mode === "guess" ? [tree.guess?.checked ? 0 : 1] : tree.mode === "two" ? [0, 1] : [0];
    const busy = tree.status === "running";
    return h(
      "div",
      { class: `lanes ${shown.length > 1 ? "both" : ""}`, "aria-busy": String(busy) },
      busy
        ? h(
            "div",
            { class: "working", role: "status", key: "busy" },
            h("p", {}, tree.seconds ? t("tree.searching.long", { n: tree.seconds }) : t("tree.searching")),
            h("button", { onclick: stopLooking }, t("cancel")),
          )
        : null,
      shown
        .filter((lane) => tree.lanes[lane])
        .map((lane) => h("div", { class: "lane", key: `lane${lane}` }, this.heading(tree, lane), h("tree-drawing"))),
    );
  }

  failure({ text, fits }) {
    return h(
      "div",
      { class: "lanes", key: "failed" },
      h(
        "div",
        { class: "working", role: "alert" },
        h("p", { class: "error" }, pick(text)),
        fits ? h("button", { class: "primary", onclick: takeFitting }, t("tree.fitting", { fits })) : null,
      ),
    );
  }

  /** The player of a lane, its nodes so far, and its result. */
  heading(tree, lane) {
    const { trace } = tree.lanes[lane];
    if (tree.mode === "guess" && !tree.guess?.checked) return null;
    const moment = momentOf(tree, lane);
    const visited = trace.visited[moment];
    const done = moment === trace.length;
    const other = tree.mode === "two" ? tree.lanes[1 - lane]?.trace : null;
    const saved = other?.family === trace.family ? other.visited[momentOf(tree, 1 - lane)] - visited : 0;
    return h(
      "div",
      { class: "lane-head" },
      h("code", {}, trace.player),
      aboutAlgorithm(trace.player),
      h("span", { class: "number" }, t("tree.visited", { n: visited, all: number(trace.visited[trace.length]) })),
      saved > 0 ? h("strong", { class: "saved" }, t("tree.saved", { n: saved })) : null,
      done ? h("span", { class: "number" }, trace.words(trace.result)) : null,
      trace.truncated ? h("span", { class: "error" }, pick(trace.truncated)) : null,
    );
  }

  side(tree) {
    const ready = tree.lanes.length && tree.status !== "failed" && (tree.mode !== "guess" || tree.guess);
    const asking = tree.mode === "guess" ? ["guess"] : [];
    const telling = tree.mode === "guess" && !tree.guess?.checked ? [] : ["steps", "list"]; // they would tell
    const tabs = ready ? [...asking, ...telling, "source"] : ["source"];
    const tab = tabs.includes(state.treeTab) ? state.treeTab : tabs[0];
    return [
      h(
        "div",
        { class: "tabs", role: "tablist", "aria-label": t("tabs") },
        tabs.map((name) =>
          h(
            "button",
            {
              role: "tab",
              key: name,
              id: `tree-tab-${name}`,
              "aria-selected": String(name === tab),
              "aria-controls": "tree-panel",
              onclick: () => set({ treeTab: name }),
            },
            t(`tree.tab.${name}`),
          ),
        ),
      ),
      h(
        "div",
        { role: "tabpanel", id: "tree-panel", class: "side", "aria-labelledby": `tree-tab-${tab}` },
        tab === "source" ? h("tree-source", { key: "source" }) : null,
        tab === "list" ? h("tree-list", { key: "list" }) : null,
        tab === "guess" ? guessCard(tree) : null,
        tab === "steps" ? [
              tree.mode === "two" ? tree.lanes.map((_, lane) => codeCard(tree, lane)) : [this.sentence(tree), codeCard(tree)],
              nodeCard(tree),
            ] : null,
      ),
    ];
  }

  sentence(tree) {
    const trace = tree.lanes[tree.lane]?.trace;
    return h("p", { class: "says", key: "says" }, trace ? linked(trace.sentence(momentOf(tree, tree.lane))) : "");
  }

  update() {
    super.update();
    const { tree } = state;
    const drawings = [...this.querySelectorAll("tree-drawing")];
    const guessing = tree.mode === "guess" && tree.guess && !tree.guess.checked;
    drawings.forEach((drawing, i) => {
      const lane = tree.mode === "guess" ? (guessing ? 1 : 0) : i;
      const { trace } = tree.lanes[lane];
      const folds = guessing ? tree.lanes[lane].folds : foldsOf(tree, lane);
      drawing.onpick = (id) => pickNode(lane, id);
      drawing.onfold = (id) => fold(lane, id);
      drawing.onhover = (id) => put({ hover: id === null ? null : { lane, node: id } });
      drawing.onmark = (id) => guessing && marksAllowed(tree) && mark(id);
      const picked = tree.lane === lane ? tree.picked : -1;
      const label = t("tree.drawing", { player: trace.player, n: trace.nodes.length });
      const asked = guessing ? stage(tree) : tree.guess?.checked ? marked(tree) : {};
      const moment = guessing ? trace.length : momentOf(tree, lane);
      drawing.draw({ lane, trace, folds, moment, picked, label, ...asked });
    });
  }
}

/** A link to the page about the algorithm of a player, if there is one. */
function aboutAlgorithm(player) {
  const { name } = parseSpec(player);
  if (!state.algorithms?.some((one) => one.name === name)) return null;
  return h(
    "a",
    { class: "about-algorithm", href: `#/algorithms/${name}`, title: t("algorithm.about"), "aria-label": t("algorithm.about") },
    icon("help"),
  );
}

/** Other views of the same search: a second search beside it, or hidden, as a quiz. */
function changeMode(tree, mode) {
  const [first, second] = tree.asked;
  if (!first || mode === tree.mode) return;
  const other = second ?? { ...first, player: opposite(first) };
  look(mode === "two" ? [first, other] : [first], mode);
}

const OTHERS = { alphabeta: "minimax", expectimax: "minimax", expectiminimax: "minimax", astar: "best-first" };

/** The default search to compare with: the same depth and the same evaluator. */
function opposite({ game, position, player }) {
  const { name, options } = parseSpec(player);
  if (game === "tree" && position.includes("chance")) return name === "mcts" ? "expectiminimax" : "mcts:sims=50"; // all that take it
  const usual = game === "puzzle8" ? "astar" : "alphabeta";
  const { depth = "", eval: evaluator = "" } = options;
  return formatSpec({ name: OTHERS[name] ?? usual, options: { depth, eval: evaluator } });
}

function enter({ query }) {
  openTree(query);
  loadAlgorithms();
}

defineScreen("tree", TreeScreen, { place: { order: 2, text: "nav.tree" }, enter });
