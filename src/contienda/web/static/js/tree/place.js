// Where the nodes of a trace stand that are not folded away: in pixels at full size, the root at the top.

import { tidy } from "./layout.js";
import { moveWord } from "./narrate.js";
import { edgeText, finalLabel, finalNote } from "./trace.js";

export const HALF = 15; // half the height of a shape
export const LINE = 14; // the height of a line of text
const LEVEL = 58; // the space between levels
const SLOPE = 0.09; // branches that reach far to the side get more room, so that they can be told apart,
const FURTHEST = 110; // up to so much
const WIDE = 8.2; // the width of a character of a label, rather too wide,
const NARROW = 6.4; // and of smaller text
const GAP = 12;
export const MARGIN = 24;

/** `places` by rank, `rank` by node, and for each level its ranks from left to right. */
export function place(trace, folds) {
  const boards = trace.family === "path";
  const places = [];
  const children = [];
  const rank = new Map();
  const waiting = [{ id: 0, above: -1, more: 0, depth: 0 }];
  while (waiting.length) {
    const { id, above, more, depth } = waiting.pop();
    const node = trace.nodes[id];
    const at = places.length;
    const folded = folds.has(id);
    const rows = boards ? node.board.split("/") : [];
    const hidden = folded ? trace.below[id] : 0;
    const beside = !folded && trace.children[id].length > 0; // its label: branches leave from below
    places.push({ id, node, above, depth, more, rows, hidden, beside, x: 0, y: 0, ...look(node, more, rows, beside) });
    children.push([]);
    rank.set(id, at);
    if (above >= 0) children[above].push(at);
    if (folded) continue;
    const drawn = trace.drawn(id);
    for (const child of [...drawn.shown].reverse())
      waiting.push({ id: child, above: at, more: child === drawn.first ? drawn.more : 0, depth: depth + 1 });
  }
  const middles = tidy(
    children,
    places.map((one) => one.width),
    GAP,
  );
  const levels = [];
  const tallest = [];
  const reach = [];
  const under = []; // the height of what stands below the shapes of a level
  places.forEach((one, i) => {
    one.x = middles[i] + MARGIN;
    (levels[one.depth] ??= []).push(i);
    tallest[one.depth] = Math.max(tallest[one.depth] ?? 0, one.half);
    under[one.depth] = Math.max(under[one.depth] ?? 0, one.beside ? 0 : 2 * LINE);
    for (const child of children[i])
      reach[one.depth] = Math.max(reach[one.depth] ?? 0, Math.abs(middles[child] - middles[i]));
  });
  const tops = [MARGIN + tallest[0]];
  for (let depth = 1; depth < levels.length; depth += 1) {
    const room = Math.min(Math.max(LEVEL, (reach[depth - 1] ?? 0) * SLOPE), FURTHEST);
    tops.push(tops[depth - 1] + tallest[depth - 1] + under[depth - 1] + room + tallest[depth]);
  }
  let right = 0;
  for (const one of places) {
    one.y = tops[one.depth];
    right = Math.max(right, one.x + one.width / 2);
  }
  return {
    places,
    children,
    rank,
    levels,
    width: right + MARGIN,
    height: tops.at(-1) + tallest.at(-1) + 3 * LINE + MARGIN,
  };
}

/** What is written at a node when all is known, and how much room that takes. */
function look(node, more, rows, beside) {
  const crossed = node.kind === "cut";
  const edge = edgeText({ ...node, move: moveWord(node.move) });
  const label = crossed ? (more ? `× ${more + 1}` : edge) : finalLabel(node);
  const board = rows.length ? Math.max(...rows.map((row) => row.length)) * WIDE + 12 : 0;
  const shape = Math.max(crossed ? 14 : 2 * HALF + 4, board);
  const words = Math.max(WIDE * label.length, NARROW * finalNote(node).length);
  const width = Math.max(
    beside ? shape + 2 * words + 8 : Math.max(shape, words),
    crossed ? 0 : NARROW * edge.length * 0.9,
  );
  const half = rows.length ? (rows.length * LINE) / 2 + 5 : crossed ? 7 : node.kind === "leaf" ? 11 : HALF;
  return { crossed, edge: crossed ? "" : edge, board, width, half };
}
