// The tree as a drawing that can be moved, zoomed and folded. Only the visible part is in the document, so that a tree
// of many thousand nodes moves as smoothly as a small one.

import { DrawnNode, make } from "../tree/drawn-node.js";
import { listen } from "../tree/gestures.js";
import { FAR, HEAD, inView, onScreen, steep } from "../tree/in-view.js";
import { place } from "../tree/place.js";

const LARGEST = 3;
const SMALLEST = 0.0004;
const LEGIBLE = 0.6; // the smallest scale of a first view that shows the whole tree
const READABLE = 0.85; // the scale of a first view that cannot show the whole tree
const EDGE = 48; // pixels from the edge of the view within which a node is hard to see

/** Draws `{ lane, trace, folds, moment, picked, label, hides, marks, spoken }`; calls `onpick`, `onfold`, `onhover` and
 * `onmark`. `spoken`: who shows it also says each node that is picked. */
class TreeDrawing extends HTMLElement {
  #view = { k: 1, x: 0, y: 0 };
  #drawn = null;
  #layout = null;
  #nodes = new Map(); // rank -> its elements in the document
  #chosen = false; // the user has moved the view, which then stays when the page changes its size
  #size = { width: 0, height: 0 }; // asked for once: asking makes the browser lay the page out
  #inViewOf = null; // the view for which the visible nodes were last found
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
    listen(this.svg, this);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.watch = new ResizeObserver(() => {
      this.#size = { width: this.clientWidth, height: this.clientHeight };
      if (this.#chosen) this.#paint();
      else this.fit();
    });
    this.watch.observe(this);
  }

  draw(what) {
    const before = this.#drawn;
    this.#drawn = what;
    this.svg.setAttribute("role", what.spoken ? "application" : "img"); // a screen reader leaves the keys to an application
    this.svg.setAttribute("aria-label", what.label);
    if (before?.trace !== what.trace || before?.folds !== what.folds || before?.label !== what.label)
      this.#settle(before, what);
    const step = what.trace.step(what.moment);
    if (before?.trace === what.trace && before.moment !== what.moment && step) this.#follow(step.node);
    this.#paint();
  }

  /** A new tree is fitted. If only the folding changed, the picked node, or one above it, keeps its place. */
  #settle(before, what) {
    const old = this.#layout;
    this.#layout = place(what.trace, what.folds);
    for (const one of this.#nodes.values()) one.forget();
    this.#nodes.clear();
    if (before?.trace !== what.trace) {
      this.fit();
      return;
    }
    const way = what.trace.path(what.picked < 0 ? 0 : what.picked);
    const kept = way.findLast((id) => old.rank.has(id) && this.#layout.rank.has(id));
    const was = old.places[old.rank.get(kept)];
    const is = this.#layout.places[this.#layout.rank.get(kept)];
    this.#view.x += (was.x - is.x) * this.#view.k;
    this.#view.y += (was.y - is.y) * this.#view.k;
  }

  // --- The view ---

  /** Fit the tree if its labels stay legible; the root is at the top, in the middle. */
  fit() {
    const { width, height } = this.#size;
    if (!this.#layout || !width) return;
    this.#chosen = false;
    const whole = Math.min(width / this.#layout.width, (height - HEAD) / this.#layout.height, 1.5);
    const k = whole < LEGIBLE ? READABLE : whole;
    const root = this.#layout.places[0];
    const left = whole < k ? width / 2 - root.x * k : (width - this.#layout.width * k) / 2;
    this.#view = { k, x: left, y: Math.max(HEAD, (height - this.#layout.height * k) / 2.6) };
    const step = this.#drawn?.trace.step(this.#drawn.moment);
    if (step && this.#drawn.moment < this.#drawn.trace.length) this.#follow(step.node);
    this.#paint();
  }

  /** Fit the whole tree, however small it gets. */
  overview() {
    const { width, height } = this.#size;
    this.#chosen = true;
    const k = Math.max(SMALLEST, Math.min(width / this.#layout.width, height / this.#layout.height, 1.5));
    this.#view = { k, x: (width - this.#layout.width * k) / 2, y: (height - this.#layout.height * k) / 2 };
    this.#paint();
  }

  zoomBy(factor, at = null) {
    const { width, height } = this.#size;
    this.#chosen = true;
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const k = Math.min(LARGEST, Math.max(SMALLEST, this.#view.k * factor));
    const by = k / this.#view.k;
    const level = (y - HEAD) / steep(this.#layout, this.#size); // the height in the tree under the pointer, from afar
    const top = this.#view.k < FAR ? y - level * k : y - (y - this.#view.y) * by;
    this.#view = { k, x: x - (x - this.#view.x) * by, y: top };
    this.#paint();
  }

  panBy(x, y) {
    this.#chosen = true;
    this.#view.x += x;
    this.#view.y += y;
    this.#paint();
  }

  /** Bring a node into view: the root at the top, any other where it is easy to see. */
  reveal(id) {
    this.#chosen = true;
    this.#follow(id);
    if (id === 0) this.#view.y = HEAD;
    if (id === 0) this.#view.x = this.#size.width / 2 - this.#layout.places[0].x * this.#view.k;
    this.#paint();
  }

  /** The scale of the drawing. */
  get scale() {
    return this.#view.k;
  }

  /** Bring the node of the step into view if needed, or the node into which it is folded. */
  #follow(id) {
    const { width, height } = this.#size;
    const { k, x, y } = this.#view;
    const one = this.#layout.places[this.#rankOf(id)];
    if (k < FAR) return;
    const above = this.#layout.places[one.above] ?? one;
    const [left, top] = [one.x * k + x, one.y * k + y];
    // In the middle between it and its parent, if both fit.
    const half = Math.abs(above.x - one.x) * k < width - 4 * EDGE ? ((above.x - one.x) * k) / 2 : 0;
    const fitsAcross = x > -1 && x + this.#layout.width * k < width + 1;
    const fitsDown = y >= 0 && y + this.#layout.height * k < height;
    if (!fitsAcross && (left < EDGE || left > width - EDGE)) this.#view.x += width / 2 - left - half;
    if (!fitsDown && (top < EDGE || top > height - EDGE)) this.#view.y += height / 2 - top;
  }

  /** The rank of a node, or of its nearest drawn ancestor. */
  #rankOf(id) {
    let at = id;
    while (!this.#layout.rank.has(at)) at = this.#drawn.trace.nodes[at].parent;
    return this.#layout.rank.get(at);
  }

  /** A node of the trace that is drawn. */
  nodeOf(id) {
    return this.#drawn.trace.nodes[id];
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
    const proof = step?.proof ?? [];
    const way = step?.way === undefined || moment === trace.length ? null : new Set(trace.path(step.way));
    this.marker.setAttribute("visibility", far && now >= 0 ? "visible" : "hidden");
    if (far && now >= 0) {
      const [left, top] = onScreen(this.#layout.places[now], this.#layout, this.#view, this.#size);
      this.marker.setAttribute("transform", `translate(${left.toFixed(1)} ${top.toFixed(1)})`);
    }
    for (const [rank, shaped] of ranks) {
      let one = this.#nodes.get(rank);
      if (!one) {
        one = new DrawnNode(this.#layout, rank, this);
        this.#nodes.set(rank, one);
      }
      one.update(this.#drawn, shaped, rank === now, proof.includes(one.place.id), way?.has(one.place.id) ? `way ${step.do}` : "");
    }
  }

  /** The visible part, found again only if the view has changed. */
  #inView() {
    const { k, x, y } = this.#view;
    const { width, height } = this.#size;
    const asked = [this.#layout, k, x, y, width, height];
    if (!this.#inViewOf?.every((one, i) => one === asked[i])) {
      this.#inViewOf = asked;
      this.#found = inView(this.#layout, this.#view, this.#size);
    }
    return this.#found;
  }

  // --- Pointers and keys ---

  hover(id) {
    if (id === this.hovered) return;
    this.hovered = id;
    this.onhover?.(id);
  }

  click(id) {
    if (id === null) return;
    if (this.#drawn.marks && this.onmark?.(id)) return;
    const { picked, folds } = this.#drawn;
    this.onpick?.(id);
    if (folds.has(id) || picked === id) this.onfold?.(id);
  }

  /** Move in the tree with Shift and the arrows; Enter folds. */
  #key(event) {
    const { trace, picked, folds } = this.#drawn;
    const { parent } = trace.nodes[picked];
    const beside = parent === null ? [picked] : trace.drawn(parent);
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

customElements.define("tree-drawing", TreeDrawing);
