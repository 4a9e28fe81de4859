// How the values of an analysis are shown: as text, and as the share of a bar.

import { compact, number, t } from "./i18n.js";

const WIN = 1e9; // what a won position of Connect 4 counts, less one for each stone on the board
const SURE = WIN / 2;

/** The value of a move: a number, or for a decided game who wins and in how many of one's moves. */
export function valueText(entry, stones = null, short = false) {
  if (entry.value === null) return "–";
  const sure = stones !== null && Math.abs(entry.value) > SURE;
  const moves = sure ? Math.max(1, Math.ceil((WIN - Math.abs(entry.value) - stones) / 2)) : 0;
  if (sure && short) return `${entry.value > 0 ? "+" : "−"}${moves}`;
  const text = sure ? t(entry.value > 0 ? "hint.win" : "hint.loss", { n: moves }) : short ? compact(entry.value) : number(entry.value, 2);
  if (entry.bound !== "upper") return text;
  return `≤ ${text}`;
}

/** Bars from the worst value to the best; all alike are all full. */
export function shares(moves) {
  const values = moves.map((entry) => entry.value).filter((value) => value !== null);
  const top = Math.max(...values);
  const span = top - Math.min(...values);
  return new Map(moves.map((entry) => [entry.move, entry.value === null ? 0 : span === 0 ? 1 : 0.12 + 0.88 * (1 - (top - entry.value) / span)]));
}
