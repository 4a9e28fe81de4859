// The editor of boards of tiles, for the drawings that have one: tiles are painted on a copy of the board, and the
// server checks whether it is legal.

import { api } from "./api.js";
import { create } from "./game.js";
import { pause } from "./playing.js";
import { set, state } from "./store.js";

export const FACES = [0, ...Array.from({ length: 17 }, (_, i) => 2 ** (i + 1))];

/** The board as a game of tiles writes it: rows of faces. */
function textOf(cells, { rows, columns }) {
  const row = (_, r) => cells.slice(r * columns, (r + 1) * columns).join(" ");
  return Array.from({ length: rows }, row).join("/");
}

/** The position that the board shows while it is edited. */
export function editedPosition({ cells, text }) {
  const pieces = cells.map((face) => (face ? { role: "tile", label: String(face) } : null));
  return { ...state.game.position, text, picture: { ...state.game.position.picture, pieces } };
}

export function startEditing() {
  pause();
  const { picture, score, text } = state.game.position;
  const cells = picture.pieces.map((piece) => (piece ? Number(piece.label) : 0));
  set({ editing: { cells, score, brush: 2, cell: 0, text, error: null } });
  verify();
}

export const stopEditing = () => set({ editing: null });

export function setBrush(brush) {
  set({ editing: { ...state.editing, brush } });
}

export function focusCell(cell) {
  set({ editing: { ...state.editing, cell } });
}

export function setScore(score) {
  set({ editing: { ...state.editing, score } });
  verify();
}

export function paint(cell, face = state.editing.brush) {
  const cells = state.editing.cells.with(cell, face);
  set({ editing: { ...state.editing, cells, cell, text: textOf(cells, state.game.position.picture) } });
  verify();
}

/** Paint the next larger or smaller tile on a cell. */
export function raise(cell, by) {
  const at = FACES.indexOf(state.editing.cells[cell]) + by;
  if (at >= 0 && at < FACES.length) paint(cell, FACES[at]);
}

async function verify() {
  const asked = state.editing;
  const answer = await api.position(state.game.game, asked.text, asked.score).then(
    () => null,
    (error) => error.text,
  );
  if (state.editing?.text === asked.text) set({ editing: { ...state.editing, error: answer } });
}

export async function playEdited() {
  const { text, score } = state.editing;
  const { game, target, players } = state.game;
  if (await create({ game, position: text, score, target: target ?? undefined, players })) stopEditing();
}
