// A tidy place for every node that is drawn: Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in
// linear time", 2002, as contienda.trace.layout has it. Nodes of a level keep their distance, a parent stands in the
// middle above its children. Linear in the nodes, and without recursion, for a path may be long.

/** The middle of each node, the leftmost edge at 0. `children` are ranks, a child's above its parent's; 0 is the root. */
export function tidy(children, widths, gap) {
  const n = children.length;
  const parent = new Int32Array(n).fill(-1);
  const rank = new Int32Array(n);
  const thread = new Int32Array(n).fill(-1);
  const ancestor = Int32Array.from({ length: n }, (_, node) => node);
  const prelim = new Float64Array(n);
  const mod = new Float64Array(n);
  const shift = new Float64Array(n);
  const change = new Float64Array(n);
  children.forEach((below, node) =>
    below.forEach((child, i) => {
      parent[child] = node;
      rank[child] = i;
    }),
  );
  const apart = (left, right) => (widths[left] + widths[right]) / 2 + gap;
  const nextLeft = (node) => (children[node].length ? children[node][0] : thread[node]);
  const nextRight = (node) => (children[node].length ? children[node].at(-1) : thread[node]);
  const leftSibling = (node) => (rank[node] > 0 ? children[parent[node]][rank[node] - 1] : -1);

  /** Move a subtree right until it clears those on its left; spread the room between the smaller ones. */
  function apportion(node, usual) {
    const left = leftSibling(node);
    if (left < 0) return usual;
    let [innerRight, outerRight, innerLeft, outerLeft] = [node, node, left, children[parent[node]][0]];
    let [sumIR, sumOR, sumIL, sumOL] = [mod[innerRight], mod[outerRight], mod[innerLeft], mod[outerLeft]];
    while (nextRight(innerLeft) >= 0 && nextLeft(innerRight) >= 0) {
      innerLeft = nextRight(innerLeft);
      innerRight = nextLeft(innerRight);
      outerLeft = nextLeft(outerLeft);
      outerRight = nextRight(outerRight);
      ancestor[outerRight] = node;
      const overlap = prelim[innerLeft] + sumIL - (prelim[innerRight] + sumIR) + apart(innerLeft, innerRight);
      if (overlap > 0) {
        const above = ancestor[innerLeft];
        moveSubtree(parent[above] === parent[node] ? above : usual, node, overlap);
        sumIR += overlap;
        sumOR += overlap;
      }
      sumIL += mod[innerLeft];
      sumIR += mod[innerRight];
      sumOL += mod[outerLeft];
      sumOR += mod[outerRight];
    }
    if (nextRight(innerLeft) >= 0 && nextRight(outerRight) < 0) {
      thread[outerRight] = nextRight(innerLeft);
      mod[outerRight] += sumIL - sumOR;
    }
    if (nextLeft(innerRight) >= 0 && nextLeft(outerLeft) < 0) {
      thread[outerLeft] = nextLeft(innerRight);
      mod[outerLeft] += sumIR - sumOL;
      return node;
    }
    return usual;
  }

  function moveSubtree(left, right, distance) {
    const between = rank[right] - rank[left];
    change[right] -= distance / between;
    shift[right] += distance;
    change[left] += distance / between;
    prelim[right] += distance;
    mod[right] += distance;
  }

  for (let node = n - 1; node >= 0; node -= 1) {
    const below = children[node];
    if (!below.length) continue;
    let usual = below[0];
    for (const child of below) {
      const left = leftSibling(child);
      if (left >= 0) {
        mod[child] = prelim[left] + apart(left, child) - prelim[child];
        prelim[child] += mod[child];
      }
      usual = apportion(child, usual);
    }
    let moved = 0;
    let changed = 0;
    for (const child of [...below].reverse()) {
      prelim[child] += moved;
      mod[child] += moved;
      changed += change[child];
      moved += shift[child] + changed;
    }
    prelim[node] = (prelim[below[0]] + prelim[below.at(-1)]) / 2;
  }
  const added = new Float64Array(n);
  let edge = Infinity;
  for (let node = 0; node < n; node += 1) {
    for (const child of children[node]) added[child] = added[node] + mod[node];
    prelim[node] += added[node];
    edge = Math.min(edge, prelim[node] - widths[node] / 2);
  }
  return prelim.map((middle) => middle - edge);
}
