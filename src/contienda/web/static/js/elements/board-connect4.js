// The drawing of Connect 4. A click, a number or arrows and Enter drop a stone; stones carry a mark besides their colour.

import { say } from "../announce.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { h, patch } from "../view.js";
import { lossText, lossTitle, shares } from "../values.js";
import { gameTitle } from "../words.js";

class BoardConnect4 extends HTMLElement {
  /** There is room above the board for a stone to fall. */
  static ratio({ rows, columns }) {
    return columns / (rows + 1);
  }

  static side(side) {
    return h("span", { class: `stone s${side}`, "aria-hidden": "true" });
  }

  #column = null; // the column under the pointer, or selected by the arrows
  #drawn = null;

  draw(what) {
    this.#drawn = what;
    const { game, position, hint = null, step = null } = what;
    const { rows, columns, line } = position.picture;
    const open = !position.over && this.onmove && game.players[position.turn - 1] === "human";
    const at = open && this.#column !== null && position.legal.includes(String(this.#column + 1)) ? this.#column : null;
    const fresh = step && step.position.text === position.text ? step.motions.find(({ start }) => start < 0)?.end : null;
    patch(this, [
      h(
        "div",
        { class: "b4", style: { "--rows": rows, "--columns": columns }, onpointerleave: () => this.#at(null) },
        h(
          "div",
          { class: "above", "aria-hidden": "true" },
          hint
            ? bars(hint)
            : at === null
              ? null
              : h("span", { class: `stone s${position.turn} ghost`, style: { "--c": at } }),
        ),
        h(
          "div",
          { class: "grid", role: "grid", tabindex: 0, "aria-label": t("say.grid", { game: gameTitle(game.game), rows, columns }) },
          [...Array(rows).keys()].map((r) =>
            h(
              "div",
              { role: "row" },
              [...Array(columns).keys()].map((c) =>
                cell(r, c, side(position, r * columns + c), r * columns + c === fresh, rows),
              ),
            ),
          ),
        ),
        line.length ? winningLine(line, rows, columns) : null,
        h(
          "div",
          { class: "columns" },
          [...Array(columns).keys()].map((c) =>
            h(
              "button",
              {
                class: at === c ? "at" : "",
                tabIndex: -1,
                disabled: !open || !position.legal.includes(String(c + 1)),
                "aria-label": t("two.drop", { n: c + 1 }),
                onpointerenter: () => this.#at(c),
                onclick: () => this.onmove?.(String(c + 1)),
              },
              h("span", { "aria-hidden": "true" }, c + 1),
            ),
          ),
        ),
      ),
    ]);
  }

  #at(column) {
    this.#column = column;
    this.draw(this.#drawn);
  }

  /** Handles a key during play; returns whether the board used it. */
  key(key) {
    const { position } = this.#drawn;
    const { rows, columns, pieces } = position.picture;
    if (/^[1-9]$/.test(key) && Number(key) <= columns) return this.#drop(Number(key) - 1);
    if (key === "Enter" || key === "ArrowDown") return this.#column === null ? true : this.#drop(this.#column);
    const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!by) return false;
    const from = this.#column ?? Math.floor(columns / 2) - by; // the first arrow key selects the middle
    this.#at((from + by + columns) % columns);
    const taken = pieces.filter((piece, i) => piece && i % columns === this.#column).length;
    say(t("say.column", { column: this.#column + 1, n: rows - taken }));
    return true;
  }

  #drop(column) {
    const { game, position } = this.#drawn;
    const move = String(column + 1);
    if (position.over || game.players[position.turn - 1] !== "human") return true;
    if (position.legal.includes(move)) this.onmove?.(move);
    else say(t("say.full", { n: column + 1 }));
    return true;
  }
}

/** Whose stone is on a cell: 1, 2, or 0 for an empty cell. */
const side = (position, cell) => ({ first: 1, second: 2 })[position.picture.pieces[cell]?.role] ?? 0;

function cell(r, c, side, fresh, rows) {
  const what = side === 0 ? t("say.empty") : `${t(side === 1 ? "two.first" : "two.second")}, ${t(`two.mark${side}`)}`;
  return h(
    "div",
    { role: "gridcell", "aria-label": t("say.cell", { r: rows - r, c: c + 1, what }) },
    side === 0
      ? null
      : h("span", {
          key: `${side}${fresh ? "new" : ""}`,
          class: `stone s${side}${fresh ? " fresh" : ""}`,
          style: { "--fall": r + 1 },
        }),
  );
}

/** The value of each column as a bar above it. */
function bars({ moves, best }) {
  const share = shares(moves);
  return moves.map((entry) =>
    h(
      "span",
      {
        key: entry.move,
        class: `rise${entry.move === best ? " best" : ""}`,
        style: { "--c": Number(entry.move) - 1, "--share": share.get(entry.move) },
        title: lossTitle(entry, { moves, best }),
      },
      h("span", { class: "rise-fill" }),
      h(
        "span",
        { class: "rise-value" },
        entry.move === best ? icon("star", true) : null,
        lossText(entry, { moves, best }, 3),
      ),
    ),
  );
}

function winningLine(line, rows, columns) {
  const at = (cellNumber) => [(cellNumber % columns) + 0.5, Math.floor(cellNumber / columns) + 0.5];
  const [[x1, y1], [x2, y2]] = [at(line[0]), at(line.at(-1))];
  return h(
    "svg",
    { class: "wins", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" },
    line.map((cellNumber) => h("circle", { cx: at(cellNumber)[0], cy: at(cellNumber)[1], r: 0.43 })),
    h("line", { x1, y1, x2, y2 }),
  );
}

customElements.define("board-connect4", BoardConnect4);
