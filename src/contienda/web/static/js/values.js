// Formats the values of an analysis: as text, and as the length of a bar.

import { compact, figures, number, pick, t } from "./i18n.js";

const SAME = 1e-12; // share of a value: rounding errors between the sums of two mirrored boards

const isDecided = ({ ends_in: moves }) => moves !== null && moves !== undefined;

/** The value of a move: a number, or for a decided game who wins and in how many moves; `digits` shortens it. */
export function valueText(entry, digits = null) {
  const { value, bound, words, mark } = entry;
  if (words) return digits ? figures(mark) : pick(words);
  if (value === null) return "–";
  const text = isDecided(entry) ? decidedText(entry.ends_in, digits) : digits ? compact(value, digits) : number(value, 2);
  return bound === "upper" ? `≤ ${text}` : text;
}

/** On the board: what a move loses against the best one, in the unit of the values; decided values are shown as such. */
export function lossText(entry, hint, digits) {
  const loss = lossOf(entry, hint);
  if (loss === null) return beside(entry, hint) ? "–" : valueText(entry, digits);
  if (loss === 0) return "0";
  const text = `${loss > 0 ? "−" : "+"}${compact(Math.abs(loss), digits)}`;
  return entry.bound === "upper" ? `≤ ${text}` : text;
}

/** Whether a move is open while the best one is decided: their values have no common unit. */
function beside(entry, { moves, best }) {
  const top = moves.find(({ move }) => move === best);
  return top && isDecided(top) && !isDecided(entry) && !entry.words;
}

/** The same in words, with the value itself. */
export function lossTitle(entry, hint) {
  const raw = entry.words && !isDecided(entry) && entry.value !== null ? ` (${number(entry.value, 2)})` : "";
  const value = [valueText(entry) + raw, entry.remark ? pick(entry.remark) : null].filter(Boolean).join(", ");
  const loss = lossOf(entry, hint);
  if (entry.move === hint.best) return t("hint.is.best", { value });
  if (loss === null || loss < 0) return value;
  return loss === 0 ? t("hint.as.good", { value }) : t("hint.loses", { value, loss: number(loss, 2) });
}

/** What a move loses; null if its value or the best one is decided or in words. */
const lossOf = ({ move }, { moves, best }) => difference(moves, move, best);

/** How much less a move is worth than another; null if one of them is decided or in words. */
export function difference(moves, move, than) {
  const [entry, top] = [move, than].map((name) => moves.find((one) => one.move === name));
  const open = (one) => one && one.value !== null && !one.words && !isDecided(one);
  if (!open(entry) || !open(top)) return null;
  const loss = top.value - entry.value;
  return Math.abs(loss) <= SAME * Math.max(Math.abs(top.value), Math.abs(entry.value)) ? 0 : loss;
}

function decidedText(moves, digits) {
  if (digits) return `${moves > 0 ? "+" : "−"}${Math.abs(moves)}`;
  return t(moves > 0 ? "hint.win" : "hint.loss", { n: Math.abs(moves) });
}

/** The length of each move's bar: from the worst value to the best, with room beyond for decided values. */
export function shares(moves) {
  const open = moves.filter((entry) => entry.value !== null && !isDecided(entry)).map(({ value }) => value);
  const decided = open.length < moves.length;
  const [empty, full] = decided ? [0.2, 0.8] : [0.12, 1];
  const top = Math.max(...open);
  const span = top - Math.min(...open);
  const share = (entry) => {
    if (entry.value === null) return 0;
    if (isDecided(entry)) return entry.value > 0 ? 1 : 0.05;
    return span === 0 ? full : full - ((full - empty) * (top - entry.value)) / span;
  };
  return new Map(moves.map((entry) => [entry.move, share(entry)]));
}
