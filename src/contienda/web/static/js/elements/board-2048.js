// The drawing of 2048. Screen readers read the grid of cells; the tiles, which move, are only visual.

import { say } from "../announce.js";
import { t } from "../i18n.js";
import { h, patch } from "../view.js";
import { hintWays } from "./hint-ways.js";
import { watchSwipes } from "../swipe.js";

const KEYS = {
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
  ArrowLeft: "left",
  w: "up",
  d: "right",
  s: "down",
  a: "left",
};

/** Draws `position`; animates a `step` that leads to it from the position drawn before. */
class Board2048 extends HTMLElement {
  static edits = true;

  static ratio({ rows, columns }) {
    return columns / rows;
  }

  #tiles = []; // the tile of each cell, or null
  #shown = null; // the text of the position that is drawn
  #position = null;
  #columns = 4;

  connectedCallback() {
    if (this.grid) return;
    this.grid = document.createElement("div");
    this.grid.className = "b2048";
    this.cells = document.createElement("div");
    this.layer = document.createElement("div");
    this.ways = document.createElement("div");
    this.cells.className = "cells";
    this.layer.className = "tiles";
    this.ways.className = "ways";
    this.layer.setAttribute("aria-hidden", "true");
    this.ways.setAttribute("aria-hidden", "true");
    this.grid.append(this.cells, this.layer, this.ways);
    this.append(this.grid);
    watchSwipes(this.grid, (direction) => this.onmove?.(direction));
  }

  /** Handles a key; returns whether it was a move. */
  key(key) {
    const direction = KEYS[key];
    if (!direction) return false;
    if (!this.#position.legal.includes(direction) && !this.#position.over) say(t("say.nomove", { move: t(direction) }));
    this.onmove?.(direction);
    return true;
  }

  draw({ position, step = null, hint = null, edit = null, pace = 1 }) {
    const { rows, columns, pieces } = position.picture;
    const faces = pieces.map((piece) => (piece ? Number(piece.label) : 0));
    this.#position = position;
    this.#columns = columns;
    this.grid.style.setProperty("--rows", rows);
    this.grid.style.setProperty("--columns", columns);
    this.grid.style.setProperty("--slide", pace < 1 ? `${Math.round(110 * pace)}ms` : "");
    this.grid.style.setProperty("--pop", pace < 1 ? `${Math.round(190 * pace)}ms` : "");
    this.grid.classList.toggle("editing", Boolean(edit));
    if (this.#shown !== position.text || edit) {
      if (step && step.from === this.#shown && step.position.text === position.text) this.#animate(step, faces);
      else this.#place(faces);
      this.#shown = position.text;
    }
    patch(this.cells, cells(faces, columns, edit));
    this.cells.setAttribute("role", "grid");
    this.cells.setAttribute("aria-label", t("say.grid", { game: "2048", rows, columns }));
    this.cells.tabIndex = edit ? -1 : 0;
    patch(this.ways, hint ? hintWays(hint) : []);
  }

  #place(faces) {
    this.layer.replaceChildren();
    this.#tiles = faces.map((face, cell) => (face ? this.#tile(face, cell, "still") : null));
  }

  #tile(face, cell, kind) {
    const tile = document.createElement("div");
    const number = document.createElement("b");
    tile.className = `tile ${kind}`;
    tile.dataset.face = face;
    tile.dataset.digits = String(String(face).length);
    number.textContent = face;
    tile.append(number);
    this.#moveTo(tile, cell);
    this.layer.append(tile);
    return tile;
  }

  #animate({ motions, luck }, faces) {
    for (const stale of this.layer.querySelectorAll(".leaving")) stale.remove();
    const before = this.#tiles;
    this.#tiles = faces.map(() => null);
    for (const { start, end, merged } of motions) {
      const tile = before[start];
      if (!tile) return this.#place(faces); // drawn differently: start again
      tile.className = "tile";
      this.#moveTo(tile, end);
      if (merged) leave(tile);
      else this.#tiles[end] = tile;
    }
    for (const end of new Set(motions.filter((motion) => motion.merged).map((motion) => motion.end))) {
      this.#tiles[end] = this.#tile(faces[end], end, "still merged");
    }
    for (const { end } of luck.flatMap((event) => event.motions))
      this.#tiles[end] = this.#tile(faces[end], end, "still spawned");
  }

  #moveTo(tile, cell) {
    tile.style.setProperty("--r", Math.floor(cell / this.#columns));
    tile.style.setProperty("--c", cell % this.#columns);
  }
}

/** A merged tile is removed once the new one covers it. */
function leave(tile) {
  tile.classList.add("leaving");
  setTimeout(() => tile.remove(), 220);
}

function cells(faces, columns, edit) {
  return [...Array(faces.length / columns).keys()].map((r) =>
    h(
      "div",
      { role: "row" },
      [...Array(columns).keys()].map((c) => {
        const cell = columns * r + c;
        const label = t("say.cell", { r: r + 1, c: c + 1, what: faces[cell] ? String(faces[cell]) : t("say.empty") });
        return h("div", {
          role: "gridcell",
          "aria-label": label,
          tabIndex: edit ? (edit.cell === cell ? 0 : -1) : undefined,
          onclick: edit ? () => edit.paint(cell) : null,
          onkeydown: edit ? (event) => edit.key(event, cell) : null,
        });
      }),
    ),
  );
}

customElements.define("board-2048", Board2048);
