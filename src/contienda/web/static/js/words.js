// Moves, players and games in the user's words.

import { number, pick, t } from "./i18n.js";
import { gameName } from "./spec.js";
import { state } from "./store.js";

/** "left", or a column. */
export function moveName(move) {
  return /^\d+$/.test(move) ? move : t(move).toLocaleLowerCase(state.language);
}

export const playerName = (spec) => (spec === "human" ? t("c4.human") : spec);

export const gameTitle = (spec) => pick(state.catalogue?.games[gameName(spec)]?.title ?? spec);

/** One line on a game: what happened in it. */
export function summary({ score, max_tile, winner, over, moves }) {
  const parts = [t("list.moves", { n: moves })];
  if (score !== null && score !== undefined)
    parts.unshift(t("list.points", { n: score }), t("list.tile", { tile: number(max_tile) }));
  if (over && winner !== null && winner !== undefined && score === null)
    parts.unshift(winner === 0 ? t("c4.draw") : t("c4.won", { who: t(winner === 1 ? "c4.first" : "c4.second") }));
  return parts.join(" · ");
}
