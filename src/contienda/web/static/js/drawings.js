// Who draws a game: the element that the game itself names (`Game.drawing`), or `board-picture`, which draws any picture.
// A drawing takes `draw({ game, position, step, hint, pace, edit })`, tells moves to its `onmove`, and answers whether a
// `key(key)` meant something on the board. Its class tells its width by its height (`ratio`), what stands for a player
// beside it (`side`), and whether it can be edited (`edits`).

// all-drawings.js is made of elements/board-*.js (contienda.web.pages).
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

/** What stands for a player beside the board: 1 who began, 2 the other. */
export const sideMark = (spec, side) => classOf(spec).side(side, about(spec));

export const canEdit = (spec) => Boolean(classOf(spec).edits);
