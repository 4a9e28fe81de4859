// What the catalogue says of a game. Everything asks here for what a game has, and nothing asks for its name.

import { gameName } from "./spec.js";
import { state } from "./store.js";

const UNKNOWN = { title: null, sides: 2, luck: false, features: [], targets: [], parameters: {}, drawing: "" };

/** A game's entry in the catalogue, by its spec; of a game that is no longer there, what can be taken for granted. */
export function about(spec) {
  const name = gameName(spec);
  return state.catalogue?.games[name] ?? { ...UNKNOWN, title: name };
}

export const has = (spec, feature) => about(spec).features.includes(feature);

/** Two play against each other. */
export const isForTwo = (spec) => about(spec).sides === 2;

/** Opponents to choose from, weak ones first. */
export const levelsOf = (spec) => state.catalogue?.levels[gameName(spec)] ?? [];

/** The games to choose from, by name. */
export const gameNames = () => Object.keys(state.catalogue.games);

/** What a game is played for unless somebody says otherwise; null if it has no targets. */
export const targetOf = ({ game, target }) => target ?? about(game).default_target;

/** A position of a game as a search is asked for it: the tree ends where the game's target is reached. */
export const place = ({ game, target }, { text, score }) => ({
  game,
  position: text,
  ...(score ? { score } : {}),
  ...(target ? { target } : {}),
});
