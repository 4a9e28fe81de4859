// The 2048 board. Cells are the grid that a screen reader reads; tiles are what the eye sees, and they move.

import { t } from "../i18n.js";
import { h, patch } from "../view.js";
import { hintWays } from "./hint-ways.js";
import { watchSwipes } from "../swipe.js";

/** Draws `position`; a `step` that leads there from what is drawn is animated. Set `onswipe` to be told of swipes. */
class Board2048 extends HTMLElement {
  #tiles = []; // the tile of each cell, or null
  #shown = null; // the text of the position that is drawn

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
    watchSwipes(this.grid, (direction) => this.onswipe?.(direction));
  }

  draw({ position, step = null, hint = null, edit = null, pace = 1 }) {
    const faces = position.board.flat();
    this.grid.style.setProperty("--slide", pace < 1 ? `${Math.round(110 * pace)}ms` : "");
    this.grid.style.setProperty("--pop", pace < 1 ? `${Math.round(190 * pace)}ms` : "");
    this.grid.classList.toggle("editing", Boolean(edit));
    if (this.#shown !== position.text || edit) {
      if (step?.slides && step.from === this.#shown && step.position.text === position.text) this.#animate(step, faces);
      else this.#place(faces);
      this.#shown = position.text;
    }
    patch(this.cells, rows(faces, edit));
    this.cells.setAttribute("role", "grid");
    this.cells.setAttribute("aria-label", t("say.board"));
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
    tile.dataset.digits = String(face).length;
    number.textContent = face;
    tile.append(number);
    moveTo(tile, cell);
    this.layer.append(tile);
    return tile;
  }

  #animate({ slides, spawn }, faces) {
    for (const stale of this.layer.querySelectorAll(".leaving")) stale.remove();
    const before = this.#tiles;
    this.#tiles = Array(16).fill(null);
    for (const { start, end, merged, face } of slides) {
      const tile = before[start];
      if (!tile || Number(tile.dataset.face) !== face) return this.#place(faces); // drawn otherwise: start afresh
      tile.className = "tile";
      moveTo(tile, end);
      if (merged) leave(tile);
      else this.#tiles[end] = tile;
    }
    for (const end of new Set(slides.filter((slide) => slide.merged).map((slide) => slide.end))) {
      this.#tiles[end] = this.#tile(faces[end], end, "still merged");
    }
    if (spawn) this.#tiles[spawn.cell] = this.#tile(spawn.face, spawn.cell, "still spawned");
  }
}

function moveTo(tile, cell) {
  tile.style.setProperty("--r", Math.floor(cell / 4));
  tile.style.setProperty("--c", cell % 4);
}

/** A tile that merges is taken away once the new one stands over it. */
function leave(tile) {
  tile.classList.add("leaving");
  setTimeout(() => tile.remove(), 220);
}

function rows(faces, edit) {
  return [0, 1, 2, 3].map((r) =>
    h(
      "div",
      { role: "row" },
      [0, 1, 2, 3].map((c) => {
        const cell = 4 * r + c;
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
