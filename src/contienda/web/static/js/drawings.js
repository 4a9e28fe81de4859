// Chooses the element that draws a game: the one that the game names (`Game.drawing`), or `board-picture`, which draws
// any picture. A drawing has `draw({ game, position, step, hint, pace, edit })`, reports moves to its `onmove`, and
// returns from `key(key)` whether the board used the key. Its class gives the ratio of width to height (`ratio`), the
// symbol of a player beside the board (`side`), and whether it can be edited (`edits`).

// all-drawings.js is generated from elements/board-*.js (contienda.web.pages).
import "./all-drawings.js";
import { about } from "./games.js";
import { h } from "./view.js";

const ANY = "board-picture";

/** The tag of the element that draws a game. */
export function drawingOf(spec) {
  const { drawing } = about(spec);
  return customElements.get(drawing || ANY) ? drawing || ANY : ANY;
}

const classOf = (spec) => customElements.get(drawingOf(spec));

export const boardOf = (spec, props = {}) => h(drawingOf(spec), { ...props, key: drawingOf(spec), "data-board": true });

/** The board that a screen shows. */
export const shownBoard = (screen) => screen.querySelector("[data-board]");

export const ratioOf = (spec, picture) => (picture?.pieces.length ? classOf(spec).ratio(picture) : 1.5);

/** The symbol of a player beside the board: 1 for the first player, 2 for the other. */
export const sideMark = (spec, side) => classOf(spec).side(side, about(spec));

export const canEdit = (spec) => Boolean(classOf(spec).edits);
