// A trace as the server sends it (docs/en/formats.md), indexed for fast look-ups of the tree at a moment. A moment is
// a number of steps done. The trace contains all words and labels; here they are only looked up, and figures written
// as the reader does.

import { figures, t } from "../i18n.js";
import { state } from "../store.js";

const NOTHING = { label: "", note: "", status: "", row: null };

export class Trace {
  constructor(data) {
    Object.assign(this, data);
    this.line = new Set(data.line);
    this.children = this.nodes.map(() => []);
    for (const { id, parent } of this.nodes) if (parent !== null) this.children[parent].push(id);
    this.windows = this.nodes.some((node) => node.window);
    this.walk();
    this.remember();
  }

  get length() {
    return this.steps.length;
  }

  /** For each node, from the root down: the number of nodes below it, and its moves from the root as one text. */
  walk() {
    const order = [0];
    for (const id of order) order.push(...this.children[id]);
    this.below = new Int32Array(this.nodes.length);
    this.key = [""];
    for (const id of order.slice(1)) {
      const { parent, edge, move } = this.nodes[id];
      this.key[id] = `${this.key[parent]}/${JSON.stringify(this.words(edge ?? move, "en"))}`;
    }
    for (let i = order.length - 1; i > 0; i -= 1) {
      const { parent } = this.nodes[order[i]];
      this.below[parent] += this.below[order[i]] + 1;
    }
  }

  /** What each node shows from which moment on, and how many nodes have been visited at each moment. */
  remember() {
    this.starts = this.nodes.map(({ given }) => (given ? { ...NOTHING, label: given } : NOTHING)); // of a drawn leaf
    this.history = this.nodes.map(() => []);
    this.steps.forEach(({ shows = [] }, i) => {
      for (const [node, label, note, status, row] of shows) {
        const last = this.history[node].at(-1) ?? NOTHING;
        const entry = { label: label ?? last.label, note: note ?? last.note, status: status ?? last.status };
        this.history[node].push({ moment: i + 1, ...entry, row: row ?? last.row });
      }
    });
    this.windowsOf = this.windows ? this.rememberWindows() : null;
    this.visited = new Int32Array(this.length + 1);
    for (const { born, skipped } of this.nodes) if (!skipped) this.visited[born] += 1;
    for (let moment = 1; moment <= this.length; moment += 1) this.visited[moment] += this.visited[moment - 1];
  }

  /** The window of each node from moment to moment, and the smallest and largest finite bound. */
  rememberWindows() {
    const all = this.nodes.map(() => []);
    all[0].push({ moment: 0, alpha: null, beta: null });
    this.bounds = [Infinity, -Infinity];
    this.steps.forEach(({ do: what, node, alpha, beta }, i) => {
      if (alpha === undefined) return;
      const at = what === "leave" ? this.nodes[node].parent : node;
      all[at].push({ moment: i + 1, alpha, beta });
      for (const bound of [alpha, beta])
        if (bound !== null) this.bounds = [Math.min(this.bounds[0], bound), Math.max(this.bounds[1], bound)];
    });
    return all;
  }

  /** The windows from the root down to a node at a moment: { id, alpha, beta }, null for no bound. */
  windowsTo(id, moment) {
    if (!this.windowsOf) return [];
    const found = this.path(id).map((at) => ({ id: at, ...lastBefore(this.windowsOf[at], moment) }));
    return found.filter((one) => one.moment !== undefined);
  }

  // --- Words ---

  /** A text of the trace in a language: a string, or a template of the trace with its fields. */
  words(text, language = state.language) {
    if (typeof text === "string") return text;
    const [number, ...fields] = text;
    const template = (this.texts[language] ?? this.texts.en)[number];
    return fields.length ? template.replace(/\{(\d+)\}/g, (_, i) => this.words(fields[i], language)) : template;
  }

  /** The words of the step that leads to a moment. */
  sentence(moment) {
    return this.words(this.step(moment)?.says ?? this.start);
  }

  /** The name of a node: its move and its kind, and its number if steps refer to it. */
  title(id) {
    const { name, kind } = this.nodes[id];
    return `${this.words(name)} · ${this.words(this.kinds[kind])}${this.numbered ? ` ${id}` : ""}`;
  }

  /** The text at the branch that leads to a node. */
  edge(id) {
    const { edge, move } = this.nodes[id];
    return this.words(edge ?? move);
  }

  /** What is known about a node at a moment: [name, value] of each fact. */
  facts(id, moment) {
    const { facts = [], born } = this.nodes[id];
    const { label, note } = this.shown(id, moment);
    const known = new Map();
    if (born > moment) return [[t("tree.fact.value"), label || t("tree.later")]];
    if (this.columns) this.row(id, moment).forEach((cell, i) => known.set(this.words(this.columns[i]), cell));
    else if (label) known.set(t("tree.fact.value"), label);
    if (this.note_name && note) known.set(this.words(this.note_name), note);
    for (const [name, value, since = born] of facts)
      if (since <= moment) known.set(this.words(name), this.words(value));
    return [...known];
  }

  /** The cells of a node in a table: the last one is known only at some steps, and at the end. */
  row(id, moment) {
    const cells = [...(this.shown(id, moment).row ?? [])];
    cells[this.columns.length - 1] ??= figures(this.step(moment)?.cells?.find(([node]) => node === id)?.[1]);
    return this.columns.map((_, i) => cells[i] ?? "–");
  }

  /** The derivation of the bounds of a node's children, at a step that selects among them and at the end. */
  formulaBelow(id, moment) {
    const step = this.step(moment);
    if (step?.formula && this.nodes[step.node].parent === id) return step.formula;
    return moment === this.length ? (this.nodes[id].formula ?? null) : null;
  }

  /** The bound of a child written out with its figures; null where none is known. */
  formula(id, moment) {
    const formula = this.formulaBelow(this.nodes[id].parent, moment);
    const [n, , q, u] = this.row(id, moment);
    if (!formula || u === "–") return null;
    const cells = { n, q, u };
    return this.words(formula).replace(/\{([nqu])\}/g, (_, name) => cells[name]);
  }

  /** Why a node is worth what it is, once that is known: { text, since, lit }, its words and the lines that ran. */
  why(id, moment) {
    const { why } = this.nodes[id];
    return why && why.since <= moment ? why : null;
  }

  /** Why the rest of a node's children was cut, once that has happened. */
  reason(id, moment) {
    const { cut } = this.nodes[id];
    return cut && cut.step <= moment ? this.sentence(cut.step) : null;
  }

  /** The value of a chance node written out so far: its terms and their sum. */
  sum(id, moment) {
    const terms = this.children[id].map((child) => this.nodes[child]).filter(({ term, done }) => term && done <= moment);
    return terms.length ? { terms: terms.map(({ term }) => figures(term)), total: this.shown(id, moment).label } : null;
  }

  // --- Moments ---

  /** What a node shows at a moment: its label, its note, where it stands in a path search, its row in a table. */
  shown(id, moment) {
    const shown = lastBefore(this.history[id], moment) ?? this.starts[id];
    const { label, note = "", row = null } = moment < this.length ? shown : this.nodes[id];
    const cells = row?.map((cell) => figures(cell)) ?? null;
    return { status: shown.status, label: figures(label), note: figures(note), row: cells };
  }

  /** The step that leads to a moment. */
  step(moment) {
    return moment > 0 ? this.steps[moment - 1] : null;
  }

  // --- Folding ---

  /** The children of a node that are drawn: one stands for many cut ones. */
  drawn(id) {
    return this.children[id].filter((child) => this.nodes[child].x !== undefined);
  }

  /** The nodes whose children are not drawn at first. */
  folded() {
    return new Set(this.nodes.filter((node) => node.folded).map(({ id }) => id));
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

  /** The folds without the path to the node of a step; the same set object as long as the path is the same. */
  wayOpen(folds, step) {
    if (!step) return folds;
    const way = this.path(step.node);
    if (!step.proof) way.pop(); // the children of a cut must be visible
    const closed = way.filter((id) => folds.has(id));
    if (!closed.length) return folds;
    const key = closed.join();
    if (this.openFor?.folds === folds && this.openFor.key === key) return this.openFor.open;
    const open = new Set(folds);
    for (const id of closed) open.delete(id);
    this.openFor = { folds, key, open };
    return open;
  }

  /** The path to a node, the root first. */
  path(id) {
    const way = [];
    for (let at = id; at !== null; at = this.nodes[at].parent) way.push(at);
    return way.reverse();
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
