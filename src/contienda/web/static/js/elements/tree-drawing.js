// The tree as a drawing that can be moved, zoomed and folded. Only what is in view is in the document, so that a tree of
// many thousand nodes moves as easily as a small one.

import { figure } from "../tree/trace.js";
import { HALF, LINE, place } from "../tree/place.js";
import { kindWord, nodeWord } from "../tree/narrate.js";

const SVG = "http://www.w3.org/2000/svg";
const LARGEST = 3;
const SMALLEST = 0.0004;
const FAR = 0.05; // smaller than this, nodes are not to be told apart: levels are spread over the height, without shapes
const READABLE = 0.85; // the size of a first view that cannot show all of the tree
const HEAD = 28; // pixels at the top where the name of the search stands
const CROWDED = 420; // nodes of a level in view beyond which they are drawn as one mass
const APART = 7; // pixels between neighbours below which they are, too
const NEAR = 200; // drawn beyond the edge of the view, so that moving brings no holes
const EDGE = 48; // pixels from the edge of the view within which a node is hard to see
const CLICK = 5; // pixels that a finger may move and still mean a click

/** Draws `{ lane, trace, folds, moment, picked, label, hides, marks }`; tells `onpick`, `onfold`, `onhover`, `onmark`. */
class TreeDrawing extends HTMLElement {
  #view = { k: 1, x: 0, y: 0 };
  #drawn = null;
  #layout = null;
  #nodes = new Map(); // rank -> what is in the document
  #pointers = new Map();
  #moved = 0;
  #fitted = false;
  #size = { width: 0, height: 0 }; // asked for once: asking makes the browser lay the page out
  #inViewOf = null; // what the nodes in view were last found for
  #found = null;

  connectedCallback() {
    if (this.svg) return;
    this.svg = make("svg", { class: "tree-drawing", tabindex: "0" });
    this.world = make("g", {});
    this.mass = make("path", { class: "mass" });
    this.branches = make("g", {});
    this.shapes = make("g", {});
    this.marker = make("circle", { class: "marker", r: "6" });
    this.world.append(this.branches, this.shapes);
    this.svg.append(this.mass, this.marker, this.world);
    this.append(this.svg);
    this.svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"])
      this.svg.addEventListener(kind, (event) => this.#pointer(event));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.watch = new ResizeObserver(() => {
      this.#size = { width: this.clientWidth, height: this.clientHeight };
      if (!this.#fitted) this.fit();
      else this.#paint();
    });
    this.watch.observe(this);
  }

  draw(what) {
    const before = this.#drawn;
    this.#drawn = what;
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", what.label);
    if (before?.trace !== what.trace || before?.folds !== what.folds || before?.label !== what.label)
      this.#settle(before, what);
    const step = what.trace.step(what.moment);
    if (before?.trace === what.trace && before.moment !== what.moment && step) this.#follow(step.node);
    this.#paint();
  }

  /** A new tree is fitted; in one that is folded otherwise, the picked node keeps its place on the screen. */
  #settle(before, what) {
    const old = this.#layout;
    this.#layout = place(what.trace, what.folds);
    for (const one of this.#nodes.values()) one.forget();
    this.#nodes.clear();
    if (before?.trace !== what.trace) {
      this.fit();
      return;
    }
    const was = old.places[old.rank.get(what.picked)];
    const is = this.#layout.places[this.#layout.rank.get(what.picked)];
    if (was && is) {
      this.#view.x += (was.x - is.x) * this.#view.k;
      this.#view.y += (was.y - is.y) * this.#view.k;
    }
  }

  // --- Where one looks ---

  /** As large as fits, but still to be read; the root at the top, in the middle. */
  fit() {
    const { width, height } = this.#size;
    if (!this.#layout || !width) return;
    this.#fitted = true;
    const whole = Math.min(width / this.#layout.width, (height - HEAD) / this.#layout.height, 1.5);
    const k = whole < 0.6 ? READABLE : whole;
    const root = this.#layout.places[0];
    const left = whole < k ? width / 2 - root.x * k : (width - this.#layout.width * k) / 2;
    this.#view = { k, x: left, y: Math.max(HEAD, (height - this.#layout.height * k) / 2.6) };
    this.#paint();
  }

  /** From afar, how much of the height of the tree is a pixel. */
  get #steep() {
    return (this.#size.height - 2 * HEAD) / this.#layout.height;
  }

  /** Where a place is on the screen. */
  #onScreen({ x, y }) {
    const { k, x: left, y: top } = this.#view;
    return [x * k + left, k < FAR ? HEAD + y * this.#steep : y * k + top];
  }

  /** All of it, however small. */
  overview() {
    const { width, height } = this.#size;
    const k = Math.max(SMALLEST, Math.min(width / this.#layout.width, height / this.#layout.height, 1.5));
    this.#view = { k, x: (width - this.#layout.width * k) / 2, y: (height - this.#layout.height * k) / 2 };
    this.#paint();
  }

  zoomBy(factor, at = null) {
    const { width, height } = this.#size;
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const k = Math.min(LARGEST, Math.max(SMALLEST, this.#view.k * factor));
    const by = k / this.#view.k;
    const level = (y - HEAD) / this.#steep; // the height in the tree that is under the pointer, from afar
    const top = this.#view.k < FAR ? y - level * k : y - (y - this.#view.y) * by;
    this.#view = { k, x: x - (x - this.#view.x) * by, y: top };
    this.#paint();
  }

  panBy(x, y) {
    this.#view.x += x;
    this.#view.y += y;
    this.#paint();
  }

  /** Bring the node of the step into view, if it is not; a folded one is where it was folded into. */
  #follow(id) {
    const { width, height } = this.#size;
    const { k, x, y } = this.#view;
    const one = this.#layout.places[this.#rankOf(id)];
    if (k < FAR) return;
    const above = this.#layout.places[one.above] ?? one;
    const [left, top] = [one.x * k + x, one.y * k + y];
    // In the middle between it and its parent, if both fit.
    const half = Math.abs(above.x - one.x) * k < width - 4 * EDGE ? ((above.x - one.x) * k) / 2 : 0;
    if (left < EDGE || left > width - EDGE) this.#view.x += width / 2 - left - half;
    if (top < EDGE || top > height - EDGE) this.#view.y += height / 2 - top;
  }

  /** The rank of a node, or of the one above it that is drawn. */
  #rankOf(id) {
    let at = id;
    while (!this.#layout.rank.has(at)) at = this.#drawn.trace.nodes[at].parent;
    return this.#layout.rank.get(at);
  }

  // --- Drawing ---

  #paint() {
    if (!this.#layout || !this.#drawn) return;
    const { k, x, y } = this.#view;
    this.world.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${k.toFixed(4)})`);
    const { ranks, mass } = this.#inView();
    const far = k < FAR;
    this.world.setAttribute("visibility", far ? "hidden" : "visible");
    if (this.mass.$path !== mass) this.mass.setAttribute("d", mass);
    this.mass.$path = mass;
    for (const [rank, one] of this.#nodes)
      if (!ranks.has(rank)) {
        one.forget();
        this.#nodes.delete(rank);
      }
    const { trace, moment } = this.#drawn;
    const step = trace.step(moment);
    const now = step && moment < trace.length ? this.#rankOf(step.node) : -1;
    this.marker.setAttribute("visibility", far && now >= 0 ? "visible" : "hidden");
    if (far && now >= 0) {
      const [left, top] = this.#onScreen(this.#layout.places[now]);
      this.marker.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)})`);
    }
    for (const [rank, shaped] of ranks) {
      let one = this.#nodes.get(rank);
      if (!one) {
        one = new DrawnNode(this.#layout, rank, this);
        this.#nodes.set(rank, one);
      }
      one.update(this.#drawn, shaped, rank === now);
    }
  }

  /** The ranks in view (true: with its shape, false: only its branch), and the rest of what is in view as one path. */
  #inView() {
    const { k, x, y } = this.#view;
    const { width, height } = this.#size;
    const asked = [this.#layout, k, x, y, width, height];
    if (this.#inViewOf?.every((one, i) => one === asked[i])) return this.#found;
    this.#inViewOf = asked;
    const [left, right] = [(-x - NEAR) / k, (width - x + NEAR) / k];
    const [top, bottom] = [(-y - NEAR) / k, (height - y + NEAR) / k];
    const { places, levels, children } = this.#layout;
    const ranks = new Map();
    const mass = [];
    for (const level of levels) {
      const at = places[level[0]].y;
      if (k >= FAR && (at < top || at > bottom)) continue;
      const [from, to] = [firstFrom(places, level, left), firstFrom(places, level, right)];
      const spread = to > from ? ((places[level[to - 1]].x - places[level[from]].x) * k) / (to - from) : Infinity;
      if (k < FAR || to - from > CROWDED || (to - from > 40 && spread < APART)) {
        let last = -Infinity;
        for (let i = from; i < to; i += 1) {
          const one = places[level[i]];
          if ((one.x - last) * k < 1.5 || one.above < 0) continue;
          last = one.x;
          const [[x1, y1], [x2, y2]] = [this.#onScreen(places[one.above]), this.#onScreen(one)];
          mass.push(`M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`);
        }
        continue;
      }
      for (let i = from; i < to; i += 1) {
        ranks.set(level[i], true);
        // A branch is in view even where its end is not.
        if (children[level[i]].length < CROWDED)
          for (const child of children[level[i]]) if (!ranks.has(child)) ranks.set(child, false);
      }
    }
    this.#found = { ranks, mass: mass.join("") };
    return this.#found;
  }

  // --- Pointers and keys ---

  #wheel(event) {
    event.preventDefault();
    const box = this.svg.getBoundingClientRect();
    const by = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * (event.ctrlKey ? 0.01 : 0.0035));
    this.zoomBy(by, { x: event.clientX - box.left, y: event.clientY - box.top });
  }

  #pointer(event) {
    const { type, pointerId } = event;
    if (type === "pointerdown") {
      this.#pointers.set(pointerId, { x: event.clientX, y: event.clientY });
      this.#moved = 0;
      return;
    }
    const held = this.#pointers.get(pointerId);
    if (type === "pointermove") {
      if (!held) {
        this.#hover(event);
        return;
      }
      this.#drag(held, event);
      return;
    }
    if (type === "pointerleave") this.onhover?.(null);
    if (held && type === "pointerup" && this.#moved < CLICK) this.#click(event);
    this.#pointers.delete(pointerId);
  }

  /** One finger moves, two zoom as well. */
  #drag(held, event) {
    const by = { x: event.clientX - held.x, y: event.clientY - held.y };
    this.#moved += Math.hypot(by.x, by.y);
    if (this.#moved >= CLICK && !this.svg.hasPointerCapture(event.pointerId))
      this.svg.setPointerCapture(event.pointerId);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const box = this.svg.getBoundingClientRect();
      const before = Math.hypot(held.x - other.x, held.y - other.y);
      const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (before > 0) this.zoomBy(after / before, { x: other.x - box.left, y: other.y - box.top });
    } else this.panBy(by.x, by.y);
    held.x = event.clientX;
    held.y = event.clientY;
  }

  #hover(event) {
    const id = nodeAt(event);
    if (id === this.hovered) return;
    this.hovered = id;
    this.onhover?.(id);
  }

  #click(event) {
    const id = nodeAt(event);
    if (id === null) return;
    if (this.#drawn.marks && this.onmark?.(id)) return;
    const { picked, folds } = this.#drawn;
    this.onpick?.(id);
    if (folds.has(id) || picked === id) this.onfold?.(id);
  }

  /** Walk in the tree with shift and the arrows; Enter folds. */
  #key(event) {
    const { trace, picked, folds } = this.#drawn;
    const { parent } = trace.nodes[picked];
    const beside = parent === null ? [picked] : trace.drawn(parent).shown;
    const at = beside.indexOf(picked);
    if (event.key === "Enter") {
      if (!(this.#drawn.marks && this.onmark?.(picked))) this.onfold?.(picked);
    } else if (event.shiftKey && event.key.startsWith("Arrow")) {
      const to = {
        ArrowUp: parent,
        ArrowDown: folds.has(picked) ? null : trace.children[picked][0],
        ArrowLeft: beside[at - 1],
        ArrowRight: beside[at + 1],
      }[event.key];
      if (to !== null && to !== undefined) {
        this.#follow(to);
        this.onpick?.(to);
      }
    } else return;
    event.preventDefault();
  }
}

const nodeAt = (event) => {
  const found = event.target.closest("[data-node]");
  return found ? Number(found.dataset.node) : null;
};

/** The place in a level, from left to right, of its first node at or beyond x. */
function firstFrom(places, level, x) {
  let [low, high] = [0, level.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[level[middle]].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

// --- One node ---------------------------------------------------------------------------------------------------------

class DrawnNode {
  constructor(layout, rank, drawing) {
    this.place = layout.places[rank];
    this.above = layout.places[this.place.above] ?? null;
    this.drawing = drawing;
    if (this.above) this.branch = this.#branch();
  }

  forget() {
    this.branch?.remove();
    this.shape?.remove();
  }

  #branch() {
    const { above, place } = this;
    const [x1, y1, x2, y2] = [above.x, above.y + above.half, place.x, place.y - place.half];
    const along = 0.64 + Math.min(0.18, Math.abs(x2 - x1) / 1500); // further down branches are apart
    const group = make("g", {});
    this.line = make("path", { d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}` });
    group.append(this.line);
    if (place.crossed)
      group.append(make("path", { class: "cross", d: `M${x2 - 6} ${y2 - 3}l12 -6M${x2 - 6} ${y2 - 8}l12 -6` }));
    if (place.edge) {
      const [x, y] = [x1 + (x2 - x1) * along, y1 + (y2 - y1) * along + 4];
      group.append(text("edge", x, y, place.edge));
    }
    this.drawing.branches.append(group);
    return group;
  }

  #shape() {
    const { place } = this;
    const { x, y, half, node, rows } = place;
    const group = make("g", { "data-node": String(place.id) });
    group.append(make("title", {}), make("path", { class: "shape", d: outline(place) }));
    rows.forEach((row, i) => group.append(text("rows", x, y + (i - rows.length / 2 + 0.78) * LINE, row)));
    const [at, top] = place.beside ? [x + Math.max(HALF, place.board / 2) + 5, y + 4] : [x, y + half + LINE];
    this.label = text(`label ${place.beside ? "beside" : ""}`, at, top, "");
    this.note = text(`note ${place.beside ? "beside" : ""}`, at, top + LINE, "");
    group.append(this.label, this.note);
    if (place.hidden) {
      group.append(text("fold", x, y + (node.kind === "min" ? -1 : 7), `+${short(place.hidden)}`));
    }
    this.drawing.shapes.append(group);
    return group;
  }

  update({ trace, moment, picked, hides, marks, verdicts }, shaped, now) {
    const { place } = this;
    const { node, id } = place;
    const done = moment >= trace.length;
    const there = trace.born[id] <= moment || done;
    const kind = place.crossed && !hides ? "cut" : node.kind;
    const best = done && !hides && trace.line.has(id);
    const status = trace.status(id, moment) ?? "";
    const later = there ? "" : "later";
    const marked = marks?.has(id) ? "marked" : "";
    const verdict = verdicts?.get(id) ?? "";
    const state = `${kind} ${status} ${later} ${best ? "best" : ""} ${marked} ${verdict}`;
    if (this.branch) setClass(this.branch, `branch ${state}`);
    if (!shaped) {
      this.shape?.remove();
      this.shape = null;
      return;
    }
    this.shape ??= this.#shape();
    setClass(this.shape, `node ${state} ${now ? "now" : ""} ${id === picked ? "picked" : ""}`);
    const shown = trace.shown(id, moment);
    const hidden = hides?.(id);
    const crossed = place.crossed ? (place.more ? `× ${place.more + 1}` : node.move) : null;
    const label = !there || hidden ? "" : crossed !== null ? `${crossed} ${shown.label}`.trim() : shown.label;
    setText(this.label, label);
    setText(this.note, there && !hidden ? shown.note : "");
    if (this.shape.firstChild.$for !== label)
      this.shape.firstChild.textContent = `${nodeWord(trace, id)}: ${kindWord(node.kind)} ${label}`;
    this.shape.firstChild.$for = label;
  }
}

function outline({ x, y, half, board, node, rows }) {
  const box = (wide) => `M${x - wide} ${y - half}h${2 * wide}v${2 * half}h${-2 * wide}Z`;
  if (rows.length) return box(board / 2);
  if (node.kind === "max") return `M${x} ${y - half}L${x + HALF + 1} ${y + half}H${x - HALF - 1}Z`;
  if (node.kind === "min") return `M${x} ${y + half}L${x + HALF + 1} ${y - half}H${x - HALF - 1}Z`;
  if (node.kind === "chance")
    return `M${x - half} ${y}a${half} ${half} 0 1 0 ${2 * half} 0a${half} ${half} 0 1 0 ${-2 * half} 0Z`;
  if (node.kind === "cut") return `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`;
  return box(half);
}

const short = (count) => (count < 1000 ? count : `${figure(Number((count / 1000).toPrecision(2)))}k`);

function make(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]);
  return node;
}

function text(kind, x, y, content) {
  const node = make("text", { class: kind, x: x.toFixed(1), y: y.toFixed(1) });
  node.textContent = content;
  return node;
}

function setClass(node, name) {
  if (node.$class === name) return;
  node.$class = name;
  node.setAttribute("class", name);
}

function setText(node, content) {
  if (node.textContent !== content) node.textContent = content;
}

customElements.define("tree-drawing", TreeDrawing);
