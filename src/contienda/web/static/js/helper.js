// The user's helper, a player for each game: it proposes moves, and plays on request.

import { gameName } from "./spec.js";
import { remember, set, state } from "./store.js";

/** The helper's spec, for a game's spec. */
export function helper(game) {
  const name = gameName(game);
  return state.specs[name] ?? state.catalogue?.games[name]?.default_player ?? "random";
}

export function setHelper(game, spec) {
  const specs = { ...state.specs, [gameName(game)]: spec };
  remember("specs", specs);
  set({ specs, hint: { status: "off", text: null, analysis: null } });
}
