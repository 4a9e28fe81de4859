// The overlay of a board drawn from its picture: the values of moves where they are made, arrows for drags, the
// winning line.

import { gestureOf, movesOf } from "../gestures.js";
import { icon } from "../icons.js";
import { lossText, lossTitle, shares } from "../values.js";
import { h } from "../view.js";
import { hintWays } from "./hint-ways.js";

const DIGITS = 3; // of a value on a cell

/** The value of a move, short. */
export function valueChip(entry, hint) {
  const { moves, best } = hint;
  return h(
    "span",
    { class: `value-chip${entry.move === best ? " best" : ""}`, style: { "--share": shares(moves).get(entry.move) }, title: lossTitle(entry, hint) },
    entry.move === best ? icon("star", true) : null,
    h("span", {}, lossText(entry, hint, DIGITS)),
  );
}

/** Values over the cells; once a drag has started, only those of drags from its cell. */
export function overCells(position, hint, picked) {
  const { rows, columns, line } = position.picture;
  /** @type {(cell: number) => [number, number]} */
  const at = (cell) => [(cell % columns) + 0.5, Math.floor(cell / columns) + 0.5];
  const valued = (hint?.moves ?? []).map((entry) => ({ entry, ...gestureOf(position, entry.move) }));
  const cells = valued.filter(({ kind }) => kind === "cell");
  const drags = valued.filter(({ kind, start }) => kind === "drag" && (picked === null || start === picked));
  const way = (drag, share) => between(at(drag.start), at(drag.at), share);
  const places = [
    ...cells.map((one) => ({ entry: one.entry, place: at(one.at) })),
    ...drags.map((drag) => ({ entry: drag.entry, place: way(drag, 0.68) })),
  ];
  return h(
    "div",
    { class: "bp-over", "aria-hidden": "true", key: "over" },
    h(
      "svg",
      { viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      drags.map((drag) => {
        const kind = drag.entry.move === hint.best ? "way best" : "way";
        return segment(kind, way(drag, 0.42), way(drag, 0.85), drag.entry.move);
      }),
      line.length > 1 ? segment("wins", at(line[0]), at(line.at(-1)), "wins") : null,
    ),
    places.map(({ entry, place: [x, y] }) =>
      h(
        "span",
        { key: entry.move, class: "bp-value", style: { "--x": x / columns, "--y": y / rows } },
        valueChip(entry, hint),
      ),
    ),
  );
}

/** @type {(from: [number, number], to: [number, number], share: number) => [number, number]} */
const between = ([x1, y1], [x2, y2], share) => [x1 + share * (x2 - x1), y1 + share * (y2 - y1)];

const segment = (kind, [x1, y1], [x2, y2], key) => h("line", { key, class: kind, x1, y1, x2, y2 });

/** The values of directions, at the edges of the board. */
export function edgeValues(position, { moves, best }) {
  const ways = new Map(movesOf(position).map(({ move, gesture }) => [move, gesture.direction]));
  const entries = moves.filter(({ move }) => ways.get(move)).map((entry) => ({ ...entry, move: ways.get(entry.move) }));
  if (!entries.length) return null;
  return h(
    "div",
    { class: "ways", "aria-hidden": "true", key: "ways" },
    hintWays({ moves: entries, best: ways.get(best) }),
  );
}

/** The value above a column, if a move can be made there. */
export function columnValue(position, hint, column) {
  const found = movesOf(position).find(({ gesture: { kind, at } }) => kind === "column" && at === column);
  const entry = found && hint?.moves.find(({ move }) => move === found.move);
  return entry ? valueChip(entry, hint) : null;
}
