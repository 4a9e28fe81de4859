// A trace as the server sends it (docs/en/formats.md), made quick to ask: what stands in the tree at a moment.
// A moment is a number of steps done.

const CUT_SHOWN = 3; // cut siblings that are drawn one by one; more of them are one cross with their number

/** A number as contienda.trace writes it: six digits, or all of a large one's, and a real minus. */
export function figure(value) {
  if (value === null || value === undefined) return "?";
  if (Math.abs(value) < 1e-12) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 && size < 1e15 ? value.toFixed(0) : String(Number(value.toPrecision(6)));
  return text.replace("-", "−");
}

export function windowText(alpha, beta) {
  return `[${alpha === null ? "−∞" : figure(alpha)}, ${beta === null ? "+∞" : figure(beta)}]`;
}

export class Trace {
  constructor(data) {
    Object.assign(this, data);
    this.line = new Set(data.line);
    this.children = this.nodes.map(() => []);
    for (const { id, parent } of this.nodes)
      if (parent !== undefined && parent !== null) this.children[parent].push(id);
    this.kinds = new Set(this.nodes.map(({ kind }) => kind));
    this.windows = this.nodes.some((node) => node.window);
    this.walk();
    this.remember();
  }

  get length() {
    return this.steps.length;
  }

  /** From the root down: how deep each node is, how many are below it, its moves from the root as one text. */
  walk() {
    const order = [0];
    for (const id of order) order.push(...this.children[id]);
    this.below = new Int32Array(this.nodes.length);
    this.key = [""];
    for (const id of order.slice(1)) this.key[id] = `${this.key[this.nodes[id].parent]}/${edgeText(this.nodes[id])}`;
    for (let i = order.length - 1; i > 0; i -= 1) {
      const { parent } = this.nodes[order[i]];
      this.below[parent] += this.below[order[i]] + 1;
    }
  }

  /** What each node shows, and from which moment on; and how many nodes have been visited at each moment. */
  remember() {
    this.born = new Int32Array(this.nodes.length).fill(2 ** 30);
    this.born[0] = 0;
    this.history = this.nodes.map(() => []);
    this.visited = new Int32Array(this.length + 1);
    this.visited[0] = this.family === "path" ? 0 : 1; // a path search tells of its root too
    this.steps.forEach((step, i) => {
      const moment = i + 1;
      const before = this.visited[i];
      TELL[this.family][step.do]?.(this, step, moment);
      this.visited[moment] = before + (step.do === VISIT[this.family] ? 1 : 0);
    });
    if (this.family === "path") this.steps.forEach((step, i) => this.mark(step, i + 1));
  }

  show(id, moment, label, note) {
    this.history[id].push({ moment, label, note });
  }

  bear(id, moment) {
    this.born[id] = Math.min(this.born[id], moment);
  }

  mark({ do: what, node }, moment) {
    const status = STATUS[what];
    if (!status) return;
    this.standing ??= this.nodes.map(() => []);
    this.standing[node].push({ moment, status });
  }

  /** The label and the note of a node at a moment. */
  shown(id, moment) {
    if (moment >= this.length) return { label: finalLabel(this.nodes[id]), note: finalNote(this.nodes[id]) };
    return lastBefore(this.history[id], moment) ?? { label: "", note: "" };
  }

  /** Where a state of a path search stands: open, closed, pruned, undone or the goal. */
  status(id, moment) {
    return this.standing ? (lastBefore(this.standing[id], moment)?.status ?? null) : null;
  }

  /** The step that leads to a moment. */
  step(moment) {
    return moment > 0 ? this.steps[moment - 1] : null;
  }

  /** The children of a node as they are drawn, and how many more the first of many cut ones stands for. */
  drawn(id) {
    const below = this.children[id];
    const cut = below.filter((child) => this.nodes[child].kind === "cut");
    if (cut.length <= CUT_SHOWN || this.family === "path") return { shown: below, first: -1, more: 0 };
    const left = new Set(cut.slice(1));
    return { shown: below.filter((child) => !left.has(child)), first: cut[0], more: cut.length - 1 };
  }

  /** The nodes whose children are not drawn at first: whole levels are, as many as `most` nodes allow. */
  folded(most) {
    const folds = new Set();
    let level = [0];
    let count = 1;
    while (level.length) {
      const next = level.flatMap((id) => this.drawn(id).shown);
      if (count + next.length > most && count > 1) {
        for (const id of level) if (this.children[id].length) folds.add(id);
        break;
      }
      count += next.length;
      level = next;
    }
    return folds;
  }

  /** For each node, whether it is drawn when those are folded. */
  seen(folds) {
    if (this.seenFor !== folds) {
      this.seenFor = folds;
      this.seenNodes = new Uint8Array(this.nodes.length);
      const waiting = [0];
      while (waiting.length) {
        const id = waiting.pop();
        this.seenNodes[id] = 1;
        if (!folds.has(id)) for (const child of this.children[id]) waiting.push(child);
      }
    }
    return this.seenNodes;
  }

  /** What proves a cut: the child that refutes, and what the other side has elsewhere. */
  proof(step) {
    if (step?.do !== "cut" || !this.nodes[step.node].cut) return [];
    const { refuter, holder } = this.nodes[step.node].cut;
    return [refuter, holder];
  }

  /**
   * The folds with the way down to the node of a step open: of what is folded, only the nodes on that way and beside it
   * are drawn. The same set again as long as nothing else is to be drawn.
   */
  wayOpen(folds, step) {
    if (!step) return folds;
    const way = this.path(step.node);
    if (step.do !== "cut") way.pop(); // of a cut the children are to be seen
    const first = way.findIndex((id) => folds.has(id));
    if (first < 0) return folds;
    const key = way.at(-1);
    if (this.openFor?.folds === folds && this.openFor.key === key) return this.openFor.open;
    const open = new Set(folds);
    for (const id of way.slice(first)) {
      open.delete(id);
      for (const child of this.children[id]) if (this.children[child].length) open.add(child);
    }
    this.openFor = { folds, key, open };
    return open;
  }

  /** The way down to a node, the root first. */
  path(id) {
    const way = [];
    for (let at = id; at !== null && at !== undefined; at = this.nodes[at].parent) way.unshift(at);
    return way;
  }
}

/** The last entry of a list in the order of moments that is not after one. */
function lastBefore(entries, moment) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle].moment <= moment) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}

export function edgeText({ move, probability, again }) {
  const chance = probability === undefined ? "" : ` · ${Number(probability.toPrecision(4))}`;
  return move || !again ? `${move}${chance}${again ? " ↻" : ""}` : "↻";
}

export function finalLabel(node) {
  if (node.kind === "cut" && node.status === undefined) return "";
  if (node.status !== undefined) {
    const label = node.value === null ? `g ${figure(node.g)}` : figure(node.value);
    return node.status === "goal" ? `${label} ★` : label;
  }
  return figure(node.value);
}

export function finalNote(node) {
  if (node.hit) return "TT";
  if (node.visits !== undefined) return `n ${node.visits}`;
  if (node.status !== undefined) return sumText(node);
  return node.kind === "leaf" || node.kind === "cut" || !node.window_out ? "" : windowText(...node.window_out);
}

/** g + h, where that is what a path search goes by. */
function sumText({ g, h, value }) {
  return h !== null && value !== null && Math.abs(g + h - value) < 1e-9 ? `${figure(g)} + ${figure(h)}` : "";
}

// The step that comes to a new node.
const VISIT = { tree: "enter", mcts: "expand", path: "make" };

const STATUS = { make: "open", better: "open", expand: "closed", undo: "undone", prune: "pruned", goal: "goal" };

// What each step changes in the drawing, as contienda.trace.words has it.
const TELL = {
  tree: {
    enter(trace, step, moment) {
      const node = trace.nodes[step.node];
      trace.bear(step.node, moment);
      trace.show(step.node, moment, "", node.kind === "leaf" || !node.window ? "" : windowText(step.alpha, step.beta));
    },
    leave(trace, step, moment) {
      const node = trace.nodes[step.node];
      const above = trace.nodes[node.parent];
      trace.show(step.node, moment, finalLabel(node), finalNote(node));
      trace.show(above.id, moment, figure(step.best), above.window ? windowText(step.alpha, step.beta) : "");
    },
    cut(trace, step, moment) {
      for (const child of trace.children[step.node]) if (trace.nodes[child].kind === "cut") trace.bear(child, moment);
    },
    hit(trace, step, moment) {
      trace.show(step.node, moment, figure(step.value), "");
    },
  },
  mcts: {
    select(trace, step, moment) {
      if (!step.ucb.length && trace.nodes[step.node].depth === 1) trace.bear(step.node, moment);
    },
    expand(trace, step, moment) {
      trace.bear(step.node, moment);
      trace.show(step.node, moment, "", "");
    },
    simulate(trace, step, moment) {
      if (step.mean === undefined) return trace.show(step.node, moment, `(${figure(step.result)})`, "");
      trace.show(step.node, moment, figure(step.mean), `n ${step.visits}`);
      return trace.show(0, moment, "", `n ${step.simulation}`);
    },
    backpropagate(trace, step, moment) {
      trace.show(step.node, moment, figure(step.mean), `n ${step.visits}`);
    },
  },
  path: {
    make(trace, step, moment) {
      trace.bear(step.node, moment);
      const label = step.value === null ? `g ${figure(step.g)}` : figure(step.value);
      trace.show(step.node, moment, label, sumText(step));
    },
    better(trace, step, moment) {
      TELL.path.make(trace, step, moment);
    },
    prune(trace, step, moment) {
      TELL.path.make(trace, step, moment);
    },
  },
};
