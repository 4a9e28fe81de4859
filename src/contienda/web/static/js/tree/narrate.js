// A step in words; the numbers come from the trace, and so does the reason of a cut.

import { number, pick, t } from "../i18n.js";
import { state } from "../store.js";
import { figure, windowText } from "./trace.js";

const DIRECTIONS = ["up", "right", "down", "left"];

/** The name of a move in the user's language: 2048's are words, tiles and the rest are as they are written. */
export function moveWord(move) {
  return DIRECTIONS.includes(move) ? t(move).toLocaleLowerCase(state.language) : move;
}

export function nodeWord(trace, id) {
  const { parent, move } = trace.nodes[id];
  if (parent === null) return t("tree.root");
  return trace.game === "tree" && move ? t("tree.branch", { n: move }) : moveWord(move) || "↻";
}

export const kindWord = (kind) => t(`tree.kind.${kind}`);

export function narrate(trace, moment) {
  const step = trace.step(moment);
  if (!step) return t("tree.start");
  return SAY[trace.family][step.do](trace, step);
}

const withWindow = (text, node, step) =>
  node.window ? `${text}, ${t("tree.window", { window: windowText(step.alpha, step.beta) })}` : text;

function costs({ g, h, value }) {
  if (value === null) return `g ${figure(g)}`;
  return h === null ? figure(value) : `g ${figure(g)}, h ${figure(h)}`;
}

const SAY = {
  tree: {
    enter(trace, step) {
      const node = trace.nodes[step.node];
      return withWindow(t("tree.enter", { name: nodeWord(trace, step.node), kind: kindWord(node.kind) }), node, step);
    },
    leave(trace, step) {
      const above = trace.nodes[trace.nodes[step.node].parent];
      const values = { name: nodeWord(trace, step.node), value: figure(step.value), best: figure(step.best) };
      const key = above.kind === "chance" ? "tree.leave.chance" : "tree.leave";
      return withWindow(t(key, { ...values, kind: kindWord(above.kind) }), above, step);
    },
    cut: (trace, step) => pick(trace.nodes[step.node].cut.reason),
    hit: (trace, step) => t("tree.hit", { value: figure(step.value) }),
  },
  mcts: {
    select(trace, step) {
      const above = trace.nodes[trace.nodes[step.node].parent];
      const bound = step.ucb.find(([child]) => child === step.node)?.[1];
      const why =
        above.kind === "chance" ? t("tree.luck") : bound === undefined ? "" : t("tree.ucb", { bound: figure(bound) });
      return t("tree.select", { n: step.simulation, name: nodeWord(trace, step.node), why });
    },
    expand: (trace, step) => t("tree.expand", { n: step.simulation, name: nodeWord(trace, step.node) }),
    simulate: (trace, step) => t("tree.simulate", { n: step.simulation, result: figure(step.result) }),
    backpropagate: (trace, step) =>
      t("tree.back", {
        k: number(step.simulation),
        name: nodeWord(trace, step.node),
        n: step.visits,
        mean: figure(step.mean),
      }),
  },
  path: {
    make: (trace, step) => t("tree.make", { name: nodeWord(trace, step.node), cost: costs(step) }),
    expand: (trace, step) =>
      t("tree.open", { k: step.order, name: nodeWord(trace, step.node), open: step.open, closed: step.closed }),
    better: (trace, step) => t("tree.better", { node: step.node, move: moveWord(step.move), cost: costs(step) }),
    known: (trace, step) => t("tree.known", { node: step.node, move: moveWord(step.move) }),
    prune: (trace, step) => t("tree.prune", { name: nodeWord(trace, step.node), value: figure(step.value) }),
    undo: (trace, step) => t("tree.undo", { name: nodeWord(trace, step.node) }),
    limit: (trace, step) => t("tree.limit", { limit: figure(step.limit) }),
    goal: (trace, step) => t("tree.goal", { node: step.node, cost: figure(step.g) }),
  },
};
