// A step in words. The phrases are those of contienda.trace.phrases, which come with the catalogue; the numbers come
// from the trace, and so does the reason of a cut.

import { number, pick } from "../i18n.js";
import { state } from "../store.js";
import { figure, windowText } from "./trace.js";

/** A phrase in the user's language, with its {names} filled in. */
export function phrase(key, values = {}) {
  return pick(state.catalogue.phrases[key]).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A move, or several with blanks between them: 2048's are words, tiles and the rest are as they are written. */
export function moveWord(moves) {
  const { phrases } = state.catalogue;
  return moves.split(" ").map((move) => (`move.${move}` in phrases ? phrase(`move.${move}`) : move)).join(" ");
}

export function nodeWord(trace, id) {
  const { parent, move } = trace.nodes[id];
  if (parent === null) return phrase("root");
  const own = `${trace.game.split(":")[0]}.move`;
  return move && own in state.catalogue.phrases ? phrase(own, { n: move }) : moveWord(move) || "↻";
}

/** A node by its move and its kind; a state of a path has a number, by which the steps speak of it. */
export function nodeTitle(trace, id) {
  const { kind } = trace.nodes[id];
  return `${nodeWord(trace, id)} · ${kindWord(kind)}${trace.family === "path" ? ` ${id}` : ""}`;
}

export const kindWord = (kind) => phrase(`kind.${kind}`);

export function narrate(trace, moment) {
  const step = trace.step(moment);
  if (!step) return phrase("start");
  return SAY[trace.family][step.do](trace, step);
}

const withWindow = (text, node, step) =>
  node.window ? text + phrase("window", { window: windowText(step.alpha, step.beta) }) : text;

function costs({ g, h, value }) {
  if (value === null) return `g ${figure(g)}`;
  return h === null ? figure(value) : `g ${figure(g)}, h ${figure(h)}`;
}

const SAY = {
  tree: {
    enter(trace, step) {
      const node = trace.nodes[step.node];
      return withWindow(phrase("enter", { name: nodeWord(trace, step.node), kind: kindWord(node.kind) }), node, step);
    },
    leave(trace, step) {
      const above = trace.nodes[trace.nodes[step.node].parent];
      const values = { name: nodeWord(trace, step.node), value: figure(step.value), best: figure(step.best) };
      const key = above.kind === "chance" ? "leave.chance" : "leave";
      return withWindow(phrase(key, { ...values, kind: kindWord(above.kind) }), above, step);
    },
    cut: (trace, step) => pick(trace.nodes[step.node].cut.reason),
    hit: (trace, step) => phrase("hit", { value: figure(step.value) }),
  },
  mcts: {
    select(trace, step) {
      const above = trace.nodes[trace.nodes[step.node].parent];
      const bound = step.ucb.find(([child]) => child === step.node)?.[1] ?? null;
      const largest = bound === null ? "" : phrase("select.ucb", { bound: figure(bound) });
      const why = above.kind === "chance" ? phrase("select.luck") : largest;
      return phrase("select", { k: step.simulation, name: nodeWord(trace, step.node), why });
    },
    expand: (trace, step) => phrase("expand", { k: step.simulation, name: nodeWord(trace, step.node) }),
    simulate: (trace, step) => phrase("simulate", { k: step.simulation, result: figure(step.result) }),
    backpropagate: (trace, step) =>
      phrase(step.visits === 1 ? "backpropagate.one" : "backpropagate", {
        k: number(step.simulation),
        name: nodeWord(trace, step.node),
        n: step.visits,
        mean: figure(step.mean),
      }),
  },
  path: {
    make: (trace, step) => phrase("make", { name: nodeWord(trace, step.node), cost: costs(step) }),
    expand: (trace, step) =>
      phrase("take", { k: step.order, name: nodeWord(trace, step.node), open: step.open, closed: step.closed }),
    better: (trace, step) => phrase("better", { node: step.node, move: moveWord(step.move), cost: costs(step) }),
    known: (trace, step) => phrase("known", { node: step.node, move: moveWord(step.move) }),
    prune: (trace, step) => phrase("prune", { name: nodeWord(trace, step.node), value: figure(step.value) }),
    undo: (trace, step) => phrase("undo", { name: nodeWord(trace, step.node) }),
    limit: (trace, step) => phrase("limit", { limit: figure(step.limit) }),
    goal: (trace, step) => phrase("goal", { node: step.node, cost: figure(step.g) }),
  },
};
