// The board editor of 2048: tiles are painted on a copy of the board, and the server says whether it can be.

import { api } from "./api.js";
import { create } from "./game.js";
import { pause } from "./machine.js";
import { set, state } from "./store.js";

export const FACES = [0, ...Array.from({ length: 17 }, (_, i) => 2 ** (i + 1))];

const textOf = (cells) => [0, 4, 8, 12].map((i) => cells.slice(i, i + 4).join(" ")).join("/");

export function startEditing() {
  pause();
  const { board, score, text } = state.game.position;
  set({ editing: { cells: board.flat(), score, brush: 2, cell: 0, text, error: null } });
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
  set({ editing: { ...state.editing, cells, cell, text: textOf(cells) } });
  verify();
}

/** One tile more or less than the cell holds. */
export function raise(cell, by) {
  const at = FACES.indexOf(state.editing.cells[cell]) + by;
  if (at >= 0 && at < FACES.length) paint(cell, FACES[at]);
}

async function verify() {
  const asked = state.editing;
  const answer = await api.position("2048", asked.text, asked.score).then(
    () => null,
    (error) => error.text,
  );
  if (state.editing?.text === asked.text) set({ editing: { ...state.editing, error: answer } });
}

export async function playEdited() {
  const { text, score } = state.editing;
  const { target, players } = state.game;
  if (await create({ game: "2048", position: text, score, target: target ?? undefined, players })) stopEditing();
}
