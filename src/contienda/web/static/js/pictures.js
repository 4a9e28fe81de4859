// The pictures of the glossary, drawn here: little trees, an interval, a board.

import { h } from "./view.js";

const [WIDE, HIGH] = [120, 76];

function svg(...children) {
  return h("svg", { class: "term-picture", viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" }, children);
}

const line = (x1, y1, x2, y2, name = "") => h("line", { x1, y1, x2, y2, class: name });
const text = (x, y, words, name = "") => h("text", { x, y, class: name }, words);

/** A node: △ for MAX, ▽ for MIN, ○ for chance, □ for a leaf. */
function node(x, y, kind, name = "") {
  const r = 7;
  if (kind === "chance") return h("circle", { cx: x, cy: y, r: r - 0.5, class: name });
  if (kind === "leaf") return h("rect", { x: x - 5.5, y: y - 5.5, width: 11, height: 11, rx: 1.5, class: name });
  const s = kind === "min" ? -1 : 1;
  return h("path", { d: `M${x} ${y - s * r}L${x + r} ${y + s * 5.5}L${x - r} ${y + s * 5.5}z`, class: name });
}

const ROOT = [60, 11];
const INNER = [
  [30, 38],
  [90, 38],
];
const LEAVES = [
  [14, 65],
  [46, 65],
  [74, 65],
  [106, 65],
];

/**
 * A tree of three levels. `lit` nodes and edges stand out; `cut` edges are crossed, and pale below.
 * Nodes are "root", "a", "b", and "1" to "4".
 */
function tree({ kinds = ["max", "min"], lit = [], cut = [], values = ["", "", "", ""], extra = [] } = {}) {
  const on = (name) => (lit.includes(name) ? "lit" : cut.includes(name) ? "pale" : "");
  const inner = INNER.map((place, i) => ({ place, name: "ab"[i], above: ROOT }));
  const leaves = LEAVES.map((place, i) => ({ place, name: String(i + 1), above: INNER[i >> 1] }));
  const edges = [...inner, ...leaves].map(({ place, name, above }) => [
    line(...above, ...place, on(name)),
    cut.includes(name) ? cross((above[0] + place[0]) / 2, (above[1] + place[1]) / 2) : null,
  ]);
  return svg(
    edges,
    node(...ROOT, kinds[0], on("root")),
    inner.map(({ place, name }) => node(...place, kinds[1], on(name))),
    leaves.map(({ place, name }, i) => [
      node(...place, "leaf", on(name)),
      values[i] === "" ? null : text(place[0], place[1] + 3.5, values[i], "small"),
    ]),
    extra,
  );
}

const cross = (x, y) => [line(x - 5, y - 4, x + 5, y + 4, "bad"), line(x - 5, y + 4, x + 5, y - 4, "bad")];

/** An interval on an axis, from 0 to 1. */
function axis(from, to, low, high, name = "lit") {
  const place = (share) => 8 + 104 * share;
  return svg(
    line(8, 40, 112, 40),
    h("rect", { x: place(from), y: 33, width: Math.max(place(to) - place(from), 2), height: 14, rx: 3, class: name }),
    text(place(from), 26, low),
    text(place(to), 26, high),
    text(8, 62, "−∞"),
    text(112, 62, "+∞"),
  );
}

function grid(cells, lit = []) {
  return svg(
    cells.map((cell, i) => {
      const [x, y] = [36 + 16 * (i % 3), 14 + 16 * Math.floor(i / 3)];
      return [
        h("rect", { x, y, width: 14, height: 14, rx: 2, class: lit.includes(i) ? "lit" : "" }),
        cell ? text(x + 7, y + 10.5, cell, "small") : null,
      ];
    }),
  );
}

/** Bars with their heights and labels. */
function bars(heights, labels, lit = -1) {
  return svg(
    line(12, 60, 108, 60),
    heights.map((height, i) => {
      const x = 20 + 24 * i;
      return [
        h("rect", { x, y: 60 - height, width: 14, height, class: i === lit ? "lit" : "" }),
        text(x + 7, 72, labels[i], "small"),
      ];
    }),
  );
}

const PICTURES = {
  action: () => tree({ lit: ["a"] }),
  afterstate: () => tree({ kinds: ["max", "chance"], lit: ["a", "b"] }),
  "alpha-beta window": () => axis(0.3, 0.7, "α", "β"),
  bound: () => axis(0.5, 1, "≥ 5", "", "soft"),
  "branch and bound": () => tree({ kinds: ["leaf", "leaf"], cut: ["b", "3", "4"], values: ["9", "7", "", ""] }),
  cell: () => grid(["X", "", "O", "", "X", "", "", "", ""], [5]),
  "chance node": () => tree({ kinds: ["max", "chance"], lit: ["a", "b"], extra: [text(12, 52, "½", "small"), text(46, 52, "½", "small")] }),
  "cut-off": () => tree({ cut: ["4"], values: ["3", "5", "2", ""] }),
  depth: () => tree({ extra: [text(4, 14, "0", "small"), text(4, 41, "1", "small"), text(4, 68, "2", "small")] }),
  evaluator: () => tree({ lit: ["1", "2", "3", "4"], values: ["3", "5", "2", "7"] }),
  "evaluator term": () => bars([34, 20, 8, 44], ["a", "b", "c", "Σ"], 3),
  "expected value": () =>
    tree({ kinds: ["max", "chance"], lit: ["a"], values: ["2", "6", "", ""], extra: [text(52, 41, "4", ""), text(12, 52, "½", "small"), text(48, 52, "½", "small")] }),
  "f = g + h": () =>
    svg(
      h("path", { d: "M12 58Q40 30 60 42", class: "path lit" }),
      h("path", { d: "M60 42Q86 48 108 18", class: "path dashed" }),
      node(12, 58, "leaf"),
      node(60, 42, "leaf", "lit"),
      node(108, 18, "leaf", "lit"),
      text(34, 34, "g"),
      text(92, 50, "h"),
    ),
  frontier: () => tree({ kinds: ["leaf", "leaf"], lit: ["b", "1", "2"], cut: [] }),
  heuristic: () => svg(node(18, 56, "leaf", "lit"), node(102, 16, "leaf", "lit"), h("path", { d: "M24 53L96 19", class: "path dashed" }), text(60, 28, "h ≈ 7")),
  "iterative deepening": () =>
    svg([1, 2, 3].map((depth, i) => h("path", { d: `M${20 + 40 * i} 10l${7 * depth} ${18 * depth}h${-14 * depth}z`, class: i === 2 ? "lit" : "" }))),
  leaf: () => tree({ lit: ["1", "2", "3", "4"] }),
  MAX: () => tree({ lit: ["root"] }),
  merge: () => svg([["2", 12], ["2", 36], ["4", 88]].map(([face, x]) => [h("rect", { x, y: 28, width: 20, height: 20, rx: 3, class: face === "4" ? "lit" : "" }), text(Number(x) + 10, 42, face)]), text(72, 42, "→")),
  MIN: () => tree({ lit: ["a", "b"] }),
  node: () => tree({ lit: ["root", "a", "b"] }),
  "null window": () => axis(0.49, 0.51, "α", "α+1"),
  "path search": () => svg(h("path", { d: "M12 60L34 40L58 52L82 24L108 16", class: "path lit" }), [[12, 60], [34, 40], [58, 52], [82, 24], [108, 16]].map(([x, y], i) => node(x, y, "leaf", i % 4 ? "" : "lit"))),
  playout: () => svg(node(60, 10, "max"), h("path", { d: "M60 18q-18 10 0 18t0 18t0 12", class: "path lit" }), node(60, 68, "leaf", "lit"), text(80, 71, "+1", "small")),
  ply: () => tree({ lit: ["a"], kinds: ["max", "min"] }),
  "principal variation": () => tree({ lit: ["root", "a", "1"], values: ["3", "5", "2", "7"] }),
  root: () => tree({ lit: ["root"] }),
  tile: () => svg([["2", 14], ["4", 50], ["8", 86]].map(([face, x]) => [h("rect", { x, y: 26, width: 22, height: 22, rx: 3, class: "lit" }), text(Number(x) + 11, 41, face)])),
  "transposition table": () => tree({ lit: ["2", "3"], extra: [h("path", { d: "M46 73Q60 80 74 73", class: "path dashed" })] }),
  UCB: () => bars([24, 34, 16, 30], ["q", "", "q", ""], 1),
  utility: () => tree({ kinds: ["max", "min"], values: ["+1", "0", "−1", "+1"] }),
  value: () => tree({ lit: ["root"], values: ["3", "5", "2", "7"], extra: [text(76, 15, "3")] }),
  visits: () => bars([44, 18, 10, 5], ["44", "18", "10", "5"], 0),
  weights: () => bars([12, 36, 20, 28], ["×1", "×3", "×2", "×2"], 1),
};

/** The picture of a term, if it has one. */
export const pictureOf = (name) => PICTURES[name]?.() ?? null;
