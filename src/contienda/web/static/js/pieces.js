// Pieces and little boards, drawn from a game's picture: a role gives a colour, a shape a form, a label a text or sign.

import { isSign } from "./gestures.js";
import { pick } from "./i18n.js";
import { h } from "./view.js";

const CROSS = "M6.5 6.5l11 11m0-11l-11 11";
const RING = "M12 5.8a6.2 6.2 0 1 0 .01 0z";

/** One piece; it fills the box that it stands in. */
export function pieceBody(piece) {
  const { role, shape, label, rank } = piece;
  return h(
    "span",
    {
      class: `piece ${shape} ${role}`,
      "data-face": role === "tile" ? 2 ** rank : null,
      "data-digits": label.length,
      "data-colour": piece.colour || null,
    },
    isSign(piece) ? sign(label) : h("b", {}, label),
  );
}

const sign = (label) =>
  label
    ? h(
        "svg",
        { viewBox: "3 3 18 18", "aria-hidden": "true" },
        h("path", { d: label === "X" ? CROSS : RING, fill: "none", stroke: "currentColor" }),
      )
    : null;

/** The symbol of a player beside the board: one of their pieces in the picture, without its number. */
export function sidePiece(side, picture) {
  const role = side === 1 ? "first" : "second";
  const own = picture?.pieces.find((piece) => piece?.role === role);
  const label = side === 1 ? "X" : "O";
  if (!own) return { role, shape: "disc", label, rank: 0, name: null };
  return isSign(own) ? own : { ...own, label: "" };
}

/** A small picture, hidden from screen readers. */
export function littleBoard(picture) {
  if (!picture?.pieces.length)
    return h("span", { class: "small-picture none", "aria-hidden": "true" }, pick(picture?.caption) || "?");
  const { rows, columns, pieces, ground } = picture;
  return h(
    "span",
    {
      class: `small-picture ${ground}`,
      style: { "--rows": rows, "--columns": columns, "--most": Math.max(rows, columns) },
      "aria-hidden": "true",
    },
    pieces.map((piece, cell) =>
      h(
        "span",
        { class: `small-cell${isDark(cell, columns) ? " dark" : ""}` },
        piece ? pieceBody(piece) : null,
      ),
    ),
  );
}

/** Whether a square of a checkered board is dark: the top left one is light. */
export const isDark = (cell, columns) => (Math.floor(cell / columns) + (cell % columns)) % 2 === 1;
