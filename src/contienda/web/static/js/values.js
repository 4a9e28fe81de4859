// How the values of an analysis are shown: as text, and as the share of a bar.

import { compact, number, pick, t } from "./i18n.js";

const WIN = 1e9; // what a won position of Connect 4 counts, less one for each stone on the board
const SURE = WIN / 2;

const isSure = (value) => Math.abs(value) > SURE;

/** The value of a move: a number, or for a decided game who wins and in how many of one's moves. */
export function valueText({ value, bound, words, mark }, stones = null, short = false) {
  if (words) return short ? mark : pick(words);
  if (value === null) return "–";
  const text =
    stones !== null && isSure(value) ? sureText(value, stones, short) : short ? compact(value) : number(value, 2);
  return bound === "upper" ? `≤ ${text}` : text;
}

function sureText(value, stones, short) {
  const moves = Math.max(1, Math.ceil((WIN - Math.abs(value) - stones) / 2));
  if (short) return `${value > 0 ? "+" : "−"}${moves}`;
  return t(value > 0 ? "hint.win" : "hint.loss", { n: moves });
}

/** How full the bar of each move is: from the worst value to the best, with room beyond for what is decided. */
export function shares(moves) {
  const open = moves.map(({ value }) => value).filter((value) => value !== null && !isSure(value));
  const decided = open.length < moves.length;
  const [empty, full] = decided ? [0.2, 0.8] : [0.12, 1];
  const top = Math.max(...open);
  const span = top - Math.min(...open);
  const share = (value) => {
    if (value === null) return 0;
    if (isSure(value)) return value > 0 ? 1 : 0.05;
    return span === 0 ? full : full - ((full - empty) * (top - value)) / span;
  };
  return new Map(moves.map(({ move, value }) => [move, share(value)]));
}
