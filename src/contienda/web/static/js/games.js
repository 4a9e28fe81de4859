// What the catalogue says about a game. All code asks here for the features of a game, never for its name.

import { gameName } from "./spec.js";
import { state } from "./store.js";

const UNKNOWN = { title: null, sides: 2, luck: false, features: [], targets: [], parameters: {}, drawing: "", compiled: true };

/** A game's entry in the catalogue, by its spec; safe defaults for a game that is gone. */
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

/** The default target of a game; null if it has no targets. */
export const targetOf = ({ game, target }) => target ?? about(game).default_target;

/** A position in the form of a search request: the tree ends where the game's target is reached. */
export const place = ({ game, target }, { text, score }) => ({
  game,
  position: text,
  ...(score ? { score } : {}),
  ...(target ? { target } : {}),
});
