// The places of the visible nodes, in pixels at full size, the root at the top. The trace has the places within each
// block, relative to its root (contienda.trace.drawing). Here blocks are put together, and gaps closed.

export const HALF = 15; // half the height of a shape
export const LINE = 14; // the height of a line of text
const WIDE = 8.2; // the width of a character of a board
const GAP = 40; // the widest strip without a node that is left where a part of a block is folded
const MARGIN = 24;
const NARROW = 5.8; // the width of a character of a branch's label

/** `places` by rank, `rank` by node, and for each level its ranks from left to right. */
export function place(trace, folds) {
  const places = [];
  const children = [];
  const rank = new Map();
  const levels = [];
  for (const { id, x } of arranged(trace, 0, folds)) {
    const node = trace.nodes[id];
    const above = rank.get(node.parent) ?? -1;
    const at = places.length;
    const level = above < 0 ? 0 : places[above].level + 1;
    const hidden = folds.has(id) ? trace.below[id] : 0;
    const beside = !hidden && trace.children[id].length > 0; // its label is beside it: branches start below
    places.push({ id, node, above, level, hidden, beside, x, y: trace.levels[level], ...look(trace, node) });
    children.push([]);
    rank.set(id, at);
    if (above >= 0) children[above].push(at);
    (levels[level] ??= []).push(at);
  }
  if (places.some(({ hidden, node }) => hidden && !node.folded)) closeGaps(places);
  for (const [at, below] of children.entries()) crowd(places[at], below.map((rank) => places[rank]));
  let [left, right] = [Infinity, -Infinity];
  for (const { x, node } of places) {
    left = Math.min(left, x - node.width / 2);
    right = Math.max(right, x + node.width / 2);
  }
  for (const one of places) one.x += MARGIN - left;
  for (const level of levels) level.sort((one, two) => places[one].x - places[two].x);
  const lowest = levels.at(-1).reduce((most, at) => Math.max(most, places[at].y + places[at].half), 0);
  return {
    places,
    children,
    rank,
    levels,
    width: right - left + 2 * MARGIN,
    height: lowest + 3 * LINE + MARGIN,
  };
}

/** The nodes of a block and of the open blocks below it: parents first, relative to its root. */
function arranged(trace, root, folds) {
  const block = [root];
  for (const id of block)
    if (id === root || !(trace.nodes[id].folded || folds.has(id))) block.push(...trace.drawn(id));
  if (folds.has(root)) block.length = 1;
  const xOf = (id) => (id === root ? 0 : trace.nodes[id].x);
  const open = block
    .filter((id) => id !== root && trace.nodes[id].folded && !folds.has(id))
    .map((id) => {
      const below = arranged(trace, id, folds);
      const half = trace.nodes[id].width / 2;
      let [left, right] = [half, half];
      for (const { id: one, x } of below) {
        left = Math.max(left, trace.nodes[one].width / 2 - x);
        right = Math.max(right, trace.nodes[one].width / 2 + x);
      }
      return { id, x: xOf(id), below, left: left - half, right: right - half };
    });
  // What is left of an open node moves to the left, what is right of it to the right: as far as its block reaches.
  const moved = (x) =>
    open.reduce((sum, one) => sum + (one.x < x ? one.right : 0) - (one.x > x ? one.left : 0), x);
  const origin = moved(0);
  const all = block.map((id) => ({ id, x: moved(xOf(id)) - origin }));
  for (const one of open) {
    const at = moved(one.x) - origin;
    for (const { id, x } of one.below.slice(1)) all.push({ id, x: at + x });
  }
  return all;
}

/** Strips without a node become narrow. */
function closeGaps(places) {
  const order = [...places].sort((one, two) => one.x - one.node.width / 2 - (two.x - two.node.width / 2));
  let reach = order[0].x;
  let closed = 0;
  for (const one of order) {
    const half = one.node.width / 2;
    closed += Math.max(0, one.x - half - reach - GAP);
    reach = Math.max(reach, one.x + half);
    one.x -= closed;
  }
}

/** Where on a branch its label stands, from 0 to 1: further down where branches fan out and are apart. */
export const along = (above, below) => 0.64 + Math.min(0.18, Math.abs(below - above) / 1500);

/** Labels of branches that would touch on the branches stand above the nodes instead. */
function crowd(above, below) {
  const ends = below.map(({ x, edge }) => {
    const middle = above.x + (x - above.x) * along(above.x, x);
    const half = (edge.length * NARROW) / 2;
    return [middle - half, middle + half];
  });
  ends.sort(([one], [two]) => one - two);
  const low = ends.some(([left], at) => at > 0 && left < ends[at - 1][1]);
  for (const one of below) one.low = low;
}

/** How a node looks. */
function look(trace, node) {
  const crossed = node.kind === "cut";
  const rows = trace.draws_boards ? node.board.split("/") : [];
  const board = rows.length ? Math.max(...rows.map((row) => row.length)) * WIDE + 12 : 0;
  const half = rows.length ? (rows.length * LINE) / 2 + 5 : crossed ? 7 : node.kind === "leaf" ? 11 : HALF;
  return { crossed, rows, board, half, edge: crossed ? "" : trace.edge(node.id) };
}
