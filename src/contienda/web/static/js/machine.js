// Decides when the machine acts: after every change it plays, proposes, or waits for the user.

import { pause, play, toMove } from "./playing.js";
import { forget, propose } from "./proposing.js";
import { state, subscribe } from "./store.js";

export function startMachine() {
  subscribe(tick);
}

/** Everything that can change between two turns, checked once, here. */
function tick() {
  if (state.auto.running && (state.route.name !== "play" || state.editing || state.auto.id !== state.game?.id)) pause();
  if (state.route.name !== "play" || !state.game || state.editing) return;
  if (state.hint.text !== null && state.hint.text !== state.game.position.text) forget();
  const { position } = state.game;
  if (position.over) {
    if (state.auto.running) pause();
    return;
  }
  const mover = toMove(state.game);
  if (mover) play(mover);
  else if ((state.hintsOn || state.quiz.on) && state.hint.status === "off" && !state.auto.running) propose();
}
