// Lets the machine play: by itself, step by step, or as an opponent.

import { justWon, redo, settle, show, undo } from "./game.js";
import { helper } from "./helper.js";
import { job } from "./live.js";
import { remember, set, state } from "./store.js";

export const FASTEST = 60; // moves a second; the end of the slider means no pauses
const ANSWER = 350; // ms: an answer that comes at once is not seen as one
const KEPT_MOVES = 200; // of the live chart

let turn = null; // the machine's move under way
let turnEnded = Promise.resolve();
let refused = null; // the game and its revision at which a turn failed: it is not tried again by itself

/** Who moves next without being asked: a machine at its turn, or the helper while it solves; null for a person. */
export function toMove(game) {
  const { running } = state.auto;
  if (game.players.length === 1) return running && !justWon(game) ? helper(game.game) : null;
  const player = game.players[game.position.turn - 1];
  if (player === "human") return running ? helper(game.game) : null;
  const answers = game.players.includes("human") && game.cursor === game.length; // moves to redo are not overwritten
  return answers || running ? player : null;
}

export function run() {
  refused = null;
  set({ auto: { ...state.auto, running: true, id: state.game.id } });
}

export function pause() {
  if (turn) {
    turn.stopped = true;
    turn.wake();
    turn.job?.cancel();
  }
  set({ auto: { ...state.auto, running: false } });
}

/** Go back and forth in the game; a running search of the machine is cancelled. */
export function back() {
  pause();
  undo();
}

export function forth() {
  pause();
  redo();
}

export function setSpeed(speed) {
  remember("speed", speed);
  set({ auto: { ...state.auto, speed } });
}

/** One move by the machine, for either side. */
export async function step() {
  pause();
  await turnEnded;
  refused = null;
  const { game } = state;
  const player = game.players.length === 1 ? "human" : game.players[game.position.turn - 1];
  play(player === "human" ? helper(game.game) : player);
}

/** Let a player move, unless one is already searching. */
export function play(player) {
  if (turn || refused === stateOf(state.game)) return;
  turn = { job: null, stopped: false, wake: () => {} };
  turnEnded = takeTurn(turn, state.game, player);
}

const stateOf = (game) => `${game.id} ${game.revision}`;

/** A move, with a pause before an answer to a person and between the moves of machines. */
async function takeTurn(mine, game, player) {
  const answers = !state.auto.running && game.players.length === 2 && game.players.includes("human");
  set({ auto: { ...state.auto, thinking: true } });
  let failed = null;
  try {
    if (answers) await nap(mine, ANSWER);
    if (!mine.stopped && state.game?.revision === game.revision) {
      const started = performance.now();
      mine.job = job("move", { id: game.id, revision: game.revision, player });
      const answer = await mine.job.done;
      note(answer);
      if (state.game?.id === game.id) show(answer.game, answer.step);
      if (state.auto.running) await nap(mine, pauseBetween() - (performance.now() - started));
    }
  } catch (error) {
    failed = error;
  }
  turn = null;
  if (failed && failed.name !== "Cancelled") refused = stateOf(game);
  set({ auto: { ...state.auto, thinking: false, running: state.auto.running && !failed } });
  if (failed) settle(failed);
}

function nap(mine, ms) {
  if (ms <= 0 || mine.stopped) return null;
  return new Promise((resolve) => {
    mine.wake = resolve;
    setTimeout(resolve, ms);
  });
}

const pauseBetween = () => (state.auto.speed >= FASTEST ? 0 : 1000 / state.auto.speed);

function note({ step: made, analysis, game }) {
  if (!made) return; // the machine lost by rule
  const nodes = made.nodes ?? analysis?.counters.nodes ?? 0;
  const moves = [...state.auto.moves, { nodes, ms: made.ms, id: game.id, at: performance.now() }];
  set({ auto: { ...state.auto, moves: moves.slice(-KEPT_MOVES) } });
}
