// Moves as gestures: where on the board each one is made, and what it is called.

import { pick, t } from "./i18n.js";

export const DIRECTIONS = ["up", "right", "down", "left"];

/** The legal moves of a position, each with its gesture. */
export const movesOf = ({ legal, gestures }) => legal.map((move, i) => ({ move, gesture: gestures[i] }));

/** The gesture of a move; undefined where it is not legal. */
export const gestureOf = ({ legal, gestures }, move) => gestures[legal.indexOf(move)];

/** A cell by its labels, "d3", or by its row and column in words. */
export function cellName({ columns, row_labels: rows, column_labels: across }, cell) {
  const [r, c] = [Math.floor(cell / columns), cell % columns];
  if (rows.length && across.length) return `${across[c]}${rows[r]}`;
  return t("say.at", { r: rows[r] || String(r + 1), c: across[c] || String(c + 1) });
}

/** A move in words, by its gesture; without a gesture, as the game writes it. */
export function moveText(move, gesture, picture) {
  switch (gesture?.kind) {
    case "direction":
      return t(gesture.direction);
    case "column":
      return t("hint.column", { n: picture?.column_labels[gesture.at] || String(gesture.at + 1) });
    case "cell":
      return cellName(picture, gesture.at);
    case "drag":
      return t("say.drag", { from: cellName(picture, gesture.start), to: cellName(picture, gesture.at) });
    case "button":
      return pick(gesture.label) || move;
    default:
      return DIRECTIONS.includes(move) ? t(move) : move;
  }
}

/** A move by its short name, for a list: "Column 3", "Cell d3". */
export function moveLabel(move, position) {
  const gesture = gestureOf(position, move);
  if (gesture?.kind === "cell") return t("hint.cell", { n: move });
  return gesture?.kind === "drag" ? move : moveText(move, gesture, position.picture);
}

/** What stands on a cell, for a screen reader. */
export function pieceName(piece) {
  if (!piece) return t("say.empty");
  const name = pick(piece.name);
  if (!name) return piece.label;
  return isSign(piece) || name.includes(piece.label) ? name : `${name}, ${piece.label}`;
}

/** Whether the label only says whose piece it is. */
export const isSign = ({ label, role }) => role !== "tile" && (label === "" || label === "X" || label === "O");
