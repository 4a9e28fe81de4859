// Moves, players and games in the user's words.

import { about } from "./games.js";
import { DIRECTIONS, gestureOf } from "./gestures.js";
import { number, pick, t } from "./i18n.js";
import { state } from "./store.js";

/** A move in a sentence: as the game writes it, except directions, and buttons of its position. */
export function moveName(move, position = null) {
  const gesture = position && gestureOf(position, move);
  if (gesture?.kind === "button") return pick(gesture.label) || move;
  return DIRECTIONS.includes(move) ? t(move).toLocaleLowerCase(state.language) : move;
}

export const playerName = (spec) => (spec === "human" ? t("two.human") : spec);

/** Who lost a game by rule, and the reason. */
export const forfeitText = ({ players, position: { forfeit } }) =>
  t("two.forfeit", { who: playerName(players[forfeit.side - 1]), why: pick(forfeit.reason) });

/** The result of a game for two, in words for its players. */
export function outcomeText(game) {
  const { forfeit, winner } = game.position;
  const { players } = game;
  if (forfeit) return forfeitText(game);
  if (players.length === 1) return t(winner === 1 ? "two.youwon" : "lost.title");
  if (winner === 0) return t("two.draw");
  const person = players.indexOf("human") + 1;
  if (person > 0 && players.some((player) => player !== "human"))
    return t(winner === person ? "two.youwon" : "two.youlost");
  return t("two.won", { who: t(winner === 1 ? "two.first" : "two.second") });
}

export const gameTitle = (spec) => pick(about(spec).title);

/** A game in one line. */
export function summary({ score, max_tile, winner, over, moves }) {
  const parts = [t("list.moves", { n: moves })];
  if (score !== null && score !== undefined)
    parts.unshift(
      t("list.points", { n: score }),
      ...(max_tile === null || max_tile === undefined ? [] : [t("list.tile", { tile: number(max_tile) })]),
    );
  if (over && winner !== null && winner !== undefined && (score === null || score === undefined))
    parts.unshift(winner === 0 ? t("two.draw") : t("two.won", { who: t(winner === 1 ? "two.first" : "two.second") }));
  return parts.join(" · ");
}
