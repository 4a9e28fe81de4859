// One node of a drawing, as elements of the document.

import { compact } from "../i18n.js";
import { HALF, LINE, along } from "./place.js";

const SVG = "http://www.w3.org/2000/svg";

/** A node in the document: its branch, and its shape if there is room for it. */
export class DrawnNode {
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
    const group = make("g", {});
    this.line = make("path", { d: `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}` });
    group.append(this.line);
    const { parent, skipped } = place.node;
    const cross = place.crossed || (skipped && !this.drawing.nodeOf(parent).skipped);
    if (cross)
      group.append(make("path", { class: "cross", d: `M${x2 - 6} ${y2 - 3}l12 -6M${x2 - 6} ${y2 - 8}l12 -6` }));
    if (place.edge) {
      const part = along(x1, x2);
      const [x, y] = place.low ? [x2, y2 - (cross ? 19 : 5)] : [x1 + (x2 - x1) * part, y1 + (y2 - y1) * part + 4];
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
      group.append(text("fold", x, y + (node.kind === "min" ? -1 : 7), `+${compact(place.hidden, 2)}`));
    }
    this.drawing.shapes.append(group);
    return group;
  }

  update({ trace, moment, picked, hides, marks, verdicts }, shaped, now, proves, way) {
    const { place } = this;
    const { node, id } = place;
    const done = moment >= trace.length;
    const there = node.born <= moment || done;
    const pale = !there && place.rows.length; // a state that will be pruned looks like any other until then
    const kind = pale ? "state" : place.crossed && !hides ? "cut" : node.kind;
    const best = done && !hides && trace.line.has(id);
    const shown = trace.shown(id, moment);
    const later = there ? "" : "later";
    const skipped = node.skipped && there && !hides ? "skipped" : "";
    const marked = marks?.has(id) ? "marked" : "";
    const verdict = verdicts?.get(id) ?? "";
    const state = `${kind} ${shown.status} ${later} ${skipped} ${best ? "best" : ""} ${marked} ${verdict} ${way}`;
    if (this.branch) setClass(this.branch, `branch ${state}`);
    if (!shaped) {
      this.shape?.remove();
      this.shape = null;
      return;
    }
    this.shape ??= this.#shape();
    const here = `${now ? "now" : ""} ${proves ? "proves" : ""} ${id === picked ? "picked" : ""}`;
    setClass(this.shape, `node ${state} ${here}`);
    const hidden = hides?.(id);
    const crossed = place.crossed ? (node.more ? `× ${node.more + 1}` : trace.edge(id)) : null;
    const label = hidden ? "" : crossed !== null && there ? `${crossed} ${shown.label}`.trim() : shown.label;
    setText(this.label, label);
    setText(this.note, there && !hidden ? shown.note : "");
    if (this.shape.firstChild.$for !== label)
      this.shape.firstChild.textContent = `${trace.title(id)} ${label}`;
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

export function make(tag, attributes) {
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
