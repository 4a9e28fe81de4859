// Any board, drawn from its picture and played by its gestures: cells, columns, drags from cell to cell, directions and
// buttons. The picture is the only input: no code here depends on a game's name.

import { say } from "../announce.js";
import { capital } from "../fields.js";
import { cellName, movesOf, moveText, pieceName } from "../gestures.js";
import { pick, t } from "../i18n.js";
import { followed } from "../motions.js";
import { isDark, pieceBody, sidePiece } from "../pieces.js";
import { watchSwipes } from "../swipe.js";
import { h, patch } from "../view.js";
import { gameTitle } from "../words.js";
import { columnValue, edgeValues, overCells, valueChip } from "./board-values.js";

const SLIDES = {
  ArrowUp: "up",
  ArrowRight: "right",
  ArrowDown: "down",
  ArrowLeft: "left",
  w: "up",
  d: "right",
  s: "down",
  a: "left",
};
const STEPS = { ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowDown: [1, 0], ArrowLeft: [0, -1] };
const HELD = 6; // pixels: less is a tap, not a drag

let boards = 0;

class BoardPicture extends HTMLElement {
  #drawn = null; // the last argument of `draw`
  #shown = null; // the text of the position that is drawn, and its picture
  #motions = followed(null); // how the pieces moved to their cells
  #cursor = null; // the cell selected by the arrows
  #picked = null; // the cell where a drag begins
  #column = null; // the column under the pointer
  #choices = []; // moves that share one gesture
  #drag = null; // the piece being dragged
  #dragged = false; // the click that ends a drag does not count
  #name = `board${(boards += 1)}`;

  /** Width by height; a very tall board is made to fit the screen. */
  static ratio({ rows, columns }) {
    return Math.min(2, Math.max(0.6, columns / rows));
  }

  static side(side, { preview }) {
    return h("span", { class: "side-mark", "aria-hidden": "true" }, pieceBody(sidePiece(side, preview)));
  }

  connectedCallback() {
    if (this.frame) return;
    this.frame = document.createElement("div");
    this.append(this.frame);
    watchSwipes(this.frame, (direction) => this.#directions.length && this.#slide(direction));
    this.frame.addEventListener("pointerdown", (event) => this.#hold(event));
    this.#moving = (event) => this.#carry(event);
    this.#ending = (event) => this.#letGo(event);
    addEventListener("pointermove", this.#moving);
    addEventListener("pointerup", this.#ending);
    addEventListener("pointercancel", this.#ending);
  }

  disconnectedCallback() {
    removeEventListener("pointermove", this.#moving);
    removeEventListener("pointerup", this.#ending);
    removeEventListener("pointercancel", this.#ending);
  }

  #moving = null;
  #ending = null;

  // --- What can be done ---

  /** Whether it is a person's turn on this board. */
  get #open() {
    const { game, position } = this.#drawn;
    if (!this.onmove || position.over) return false;
    return game.players.length === 1 || game.players[position.turn - 1] === "human";
  }

  get #moves() {
    return this.#open ? movesOf(this.#drawn.position) : [];
  }

  get #directions() {
    return this.#moves.filter(({ gesture }) => gesture.kind === "direction");
  }

  /** The moves made by a click on a cell, or by ending the current drag there. */
  #movesAt(cell, from = this.#picked) {
    const { columns } = this.#drawn.position.picture;
    return this.#moves.filter(
      ({ gesture: { kind, at, start } }) =>
        (kind === "cell" && at === cell) ||
        (kind === "column" && at === cell % columns) ||
        (kind === "drag" && at === cell && start === from),
    );
  }

  #startsAt(cell) {
    return this.#moves.some(({ gesture: { kind, start } }) => kind === "drag" && start === cell);
  }

  // --- What is done ---

  #play(move) {
    this.#picked = null;
    this.#choices = [];
    this.onmove(move);
  }

  /** Handles a tap or Enter on a cell. */
  #act(cell) {
    const { picture } = this.#drawn.position;
    const found = this.#movesAt(cell);
    this.#choices = found.length > 1 ? found : [];
    if (found.length === 1) return this.#play(found[0].move);
    if (found.length > 1) say(t("say.choose", { n: found.length }));
    else if (this.#startsAt(cell) && cell !== this.#picked) {
      this.#picked = cell;
      const n = this.#moves.filter(({ gesture }) => gesture.kind === "drag" && gesture.start === cell).length;
      say(t("say.picked", { what: pieceName(picture.pieces[cell]), at: cellName(picture, cell), n }));
    } else {
      if (this.#open && cell !== this.#picked) say(t("say.cannot", { at: cellName(picture, cell) }));
      this.#picked = null;
    }
    return this.#redraw();
  }

  #slide(direction) {
    const found = this.#directions.find(({ gesture }) => gesture.direction === direction);
    if (found) this.#play(found.move);
    else if (this.#open) say(t("say.nomove", { move: t(direction) }));
    return true;
  }

  /** Handles a key during play; returns whether the board used it. */
  key(key) {
    const { position } = this.#drawn;
    const { picture } = position;
    if (/^[0-9]$/.test(key)) return this.#digit(key);
    if (this.#slides(position)) return key in SLIDES ? this.#slide(SLIDES[key]) : false;
    if (!picture?.pieces.length) return false;
    if (key === "Escape") return this.#drop();
    if (key in STEPS) return this.#walk(...STEPS[key]);
    const here = document.activeElement === this.querySelector("[role=grid]");
    if (key === "Enter" || (key === " " && here)) return this.#cursor === null ? here : (this.#act(this.#cursor), true);
    return false;
  }

  /** Whether moves in this game are directions; also true after its end. */
  #slides({ gestures }) {
    const known = [...gestures, ...(this.#drawn.game.start?.gestures ?? [])];
    return known.some(({ kind }) => kind === "direction");
  }

  /** A move whose name is a digit, or a column of that number. */
  #digit(key) {
    const found = this.#moves.find(({ move }) => move === key);
    if (found) this.#play(found.move);
    return Boolean(found);
  }

  /** Cancel the selection; if there is none, leave the board. */
  #drop() {
    if (this.#picked === null && this.#cursor === null && !this.#choices.length) return false;
    if (this.#picked !== null || this.#choices.length) {
      this.#picked = null;
      this.#choices = [];
      say(t("say.dropped"));
    } else this.#cursor = null;
    this.#redraw();
    return true;
  }

  #walk(down, right) {
    const { rows, columns } = this.#drawn.position.picture;
    if (this.#cursor === null) this.#cursor = middle(rows, columns);
    else {
      const r = (Math.floor(this.#cursor / columns) + down + rows) % rows;
      const c = ((this.#cursor % columns) + right + columns) % columns;
      this.#cursor = r * columns + c;
    }
    this.#redraw();
    const grid = this.querySelector("[role=grid]");
    // A screen reader on the board reads the cell by itself.
    if (document.activeElement !== grid) say(grid.querySelector(".at").getAttribute("aria-label"));
    return true;
  }

  // --- The pointer ---

  #cellUnder(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return found && this.contains(found) ? Number(found.dataset.cell) : null;
  }

  #hold(event) {
    this.#dragged = false;
    const cell = event.isPrimary ? this.#cellUnder(event) : null;
    if (cell !== null && this.#startsAt(cell)) this.#drag = { cell, x: event.clientX, y: event.clientY, held: null };
  }

  #carry(event) {
    if (!this.#drag || !event.isPrimary) return;
    const [x, y] = [event.clientX - this.#drag.x, event.clientY - this.#drag.y];
    if (!this.#drag.held) {
      if (Math.hypot(x, y) < HELD) return;
      this.#picked = this.#drag.cell;
      this.#redraw();
      this.#drag.held = this.querySelector(`[data-cell="${this.#drag.cell}"] .spot`);
      this.#drag.held?.classList.add("held");
    }
    if (this.#drag.held) this.#drag.held.style.translate = `${x}px ${y}px`;
  }

  #letGo(event) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.held) return;
    this.#dragged = true;
    drag.held.classList.remove("held");
    drag.held.style.translate = "";
    const cell = event.type === "pointerup" ? this.#cellUnder(event) : null;
    const found = cell === null ? [] : this.#movesAt(cell, drag.cell);
    if (found.length) this.#act(cell);
    else {
      this.#picked = null;
      this.#redraw();
    }
  }

  #click(cell) {
    if (this.#dragged) this.#dragged = false;
    else this.#act(cell);
  }

  // --- How it looks ---

  draw(what) {
    const { position, step = null } = what;
    this.#drawn = what;
    if (this.#shown?.text !== position.text) {
      this.#picked = null;
      this.#choices = [];
      const leads = step && step.from !== null && step.from === this.#shown?.text && step.position.text === position.text;
      this.#motions = followed(leads ? step : null, this.#shown?.picture);
      this.#shown = { text: position.text, picture: position.picture };
    }
    this.#redraw();
  }

  #redraw() {
    const { position, hint = null, pace = 1 } = this.#drawn;
    const { picture } = position;
    const cells = picture?.pieces.length ? picture : null;
    const drags = this.#moves.some(({ gesture }) => gesture.kind === "drag");
    this.frame.className = `bp ${cells ? cells.ground : "no-cells"}${drags ? " drags" : ""}`;
    this.frame.classList.toggle("slides", this.#slides(position));
    this.frame.style.setProperty("--pace", pace);
    patch(
      this.frame,
      [
        cells
          ? this.#board(cells, hint)
          : h("p", { class: "bp-text", key: "text" }, capital(pick(picture?.caption)) || position.text),
        cells && picture.caption ? h("p", { class: "bp-caption", key: "caption" }, capital(pick(picture.caption))) : null,
        this.#buttons(hint),
      ].filter(Boolean),
    );
  }

  #board(picture, hint) {
    const { rows, columns } = picture;
    const labelled = hint && movesOf(this.#drawn.position).some(({ gesture }) => gesture.kind === "column");
    return h(
      "div",
      {
        class: `bp-board${picture.row_labels.length ? " row-labels" : ""}`,
        key: "board",
        style: { "--rows": rows, "--columns": columns, "--most": Math.max(rows, columns) },
      },
      labelled || picture.column_labels.length
        ? h(
            "div",
            { class: "bp-columns", "aria-hidden": "true", key: "columns" },
            range(columns).map((c) => this.#columnHead(c, hint)),
          )
        : null,
      picture.row_labels.length
        ? h(
            "div",
            { class: "bp-rows", "aria-hidden": "true", key: "rows" },
            picture.row_labels.map((label) => h("span", {}, label)),
          )
        : null,
      h(
        "div",
        { class: "bp-field", key: "field", onpointerleave: () => this.#hover(null) },
        this.#grid(picture),
        overCells(this.#drawn.position, hint, this.#picked),
        hint ? edgeValues(this.#drawn.position, hint) : null,
      ),
    );
  }

  #columnHead(column, hint) {
    const { position } = this.#drawn;
    const label = position.picture.column_labels[column] ?? "";
    return h("span", {}, columnValue(position, hint, column), h("span", {}, label));
  }

  #grid(picture) {
    const { rows, columns } = picture;
    const { game, position, step } = this.#drawn;
    const last = step && step.position.text === position.text ? new Set(step.motions.map(({ end }) => end)) : new Set();
    const leads = ({ kind, start }) => kind === "cell" || (kind === "drag" && start === this.#picked);
    const playable = new Set(this.#moves.filter(({ gesture }) => leads(gesture)).map(({ gesture }) => gesture.at));
    const told = playable.size < picture.pieces.filter((piece) => !piece).length; // else all empty cells are
    const at = this.#cursor === null || this.#cursor >= rows * columns ? null : this.#cursor;
    return h(
      "div",
      {
        class: "bp-cells",
        role: "grid",
        tabindex: 0,
        "aria-label": t("say.grid", { game: gameTitle(game.game), rows, columns }),
        "aria-activedescendant": at === null ? null : `${this.#name}-${at}`,
        onfocus: (event) => {
          if (this.#cursor === null && event.target.matches(":focus-visible")) this.#cursor = middle(rows, columns);
          this.#redraw();
        },
      },
      range(rows).map((r) =>
        h(
          "div",
          { role: "row" },
          range(columns).map((c) => this.#cell(r * columns + c, { picture, last, playable, told, at })),
        ),
      ),
    );
  }

  #cell(cell, { picture, last, playable, told, at }) {
    const piece = picture.pieces[cell];
    const { columns } = picture;
    const can = playable.has(cell);
    const begins = this.#startsAt(cell);
    const column = this.#column === cell % columns && this.#movesAt(cell).length > 0;
    const moved = this.#motions.arrivals.get(cell);
    const notes = [
      pieceName(piece),
      picture.line.includes(cell) ? t("say.line") : null,
      picture.marked.includes(cell) && !begins ? t("say.marked") : null,
      begins ? t("say.begins") : null,
      can && told ? t("say.can") : null,
    ].filter(Boolean);
    const marks = {
      dark: isDark(cell, columns),
      last: last.has(cell),
      won: picture.line.includes(cell),
      marked: picture.marked.includes(cell),
      begins,
      can,
      told: can && told,
      picked: this.#picked === cell,
      at: at === cell,
      column,
    };
    return h(
      "div",
      {
        role: "gridcell",
        id: `${this.#name}-${cell}`,
        "data-cell": cell,
        "aria-label": t("say.place", { at: placeName(picture, cell), what: notes.join(", ") }),
        "aria-selected": begins || this.#picked === cell ? String(this.#picked === cell) : null,
        class: Object.keys(marks)
          .filter((name) => marks[name])
          .join(" "),
        onclick: () => this.#click(cell),
        onpointerenter: () => this.#hover(cell % columns),
      },
      piece
        ? h(
            "span",
            { key: `piece ${moved?.key ?? ""}`, class: `spot ${moved?.kind ?? ""}`, style: moved?.style ?? {} },
            pieceBody(piece),
          )
        : can && !told
          ? h("span", { key: "ghost", class: "spot ghost", "aria-hidden": "true" }, pieceBody(this.#ghost()))
          : null,
      this.#motions.gone
        .filter((one) => one.cell === cell && one.piece)
        .map(({ piece: old, kind, style, key }) =>
          h("span", { key: `gone ${key}`, class: `spot ${kind}`, style, "aria-hidden": "true" }, pieceBody(old)),
        ),
    );
  }

  /** The piece that a move would probably place on an empty cell: one of the player to move. */
  #ghost() {
    return sidePiece(this.#drawn.position.turn, this.#drawn.position.picture);
  }

  #hover(column) {
    const columns = this.#moves.some(({ gesture }) => gesture.kind === "column");
    if (this.#column === column || (!columns && this.#column === null)) return;
    this.#column = columns ? column : null;
    this.#redraw();
  }

  /** Buttons for moves without a place on the board, and for those that share the last gesture. */
  #buttons(hint) {
    const { position } = this.#drawn;
    const shown = this.#choices.length
      ? this.#choices
      : movesOf(position).filter(({ gesture }) => gesture.kind === "button");
    if (!shown.length) return null;
    return h(
      "div",
      { class: "bp-buttons", role: "group", "aria-label": t("pad"), key: "buttons" },
      shown.map(({ move, gesture }) => {
        const entry = hint?.moves.find((one) => one.move === move);
        return h(
          "button",
          {
            key: move,
            class: entry && move === hint.best ? "best" : "",
            disabled: !this.#open,
            onclick: () => this.#play(move),
          },
          gesture.kind === "button" ? moveText(move, gesture, position.picture) : move,
          entry ? valueChip(entry, hint) : null,
        );
      }),
    );
  }
}

const range = (n) => [...Array(n).keys()];
const middle = (rows, columns) => Math.floor(rows / 2) * columns + Math.floor(columns / 2);

/** The place of a cell, for screen readers: by its row and column, with their labels where there are any. */
function placeName({ columns, row_labels: rows, column_labels: across }, cell) {
  const [r, c] = [Math.floor(cell / columns), cell % columns];
  return t("say.at", { r: rows[r] || String(r + 1), c: across[c] || String(c + 1) });
}

customElements.define("board-picture", BoardPicture);
