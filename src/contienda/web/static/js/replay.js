// A replay: any move of a game, forward and back, or automatically at a chosen speed.

import { api } from "./api.js";
import { attempt, complain } from "./announce.js";
import { gestureOf } from "./gestures.js";
import { go } from "./router.js";
import { gameName } from "./spec.js";
import { remember, recall, set, state } from "./store.js";

const CHUNK = 500; // steps asked for at once
const FRAMES = 40; // a second: at higher speeds it skips steps

let chunks = new Map();
let timer = 0;
let wanted = 0; // the ply requested last; the one shown may lag behind

export async function openReplay(id) {
  clearTimeout(timer);
  chunks = new Map();
  wanted = 0;
  set({ replay: null });
  try {
    const game = await api.game(id);
    if (state.route.id !== id) return;
    const evaluator = state.catalogue?.games[gameName(game.game)]?.default_evaluator;
    set({
      replay: {
        game,
        ply: 0,
        position: game.start,
        previous: null, // the position before the step
        step: null,
        playing: false,
        speed: recall("replaySpeed", 4),
        chart: null,
        evaluator,
      },
    });
    loadChart(evaluator);
    await stepAt(1);
  } catch (error) {
    complain(error);
    go("#/");
  }
}

export async function loadChart(evaluator) {
  const { game } = state.replay;
  set({ replay: { ...state.replay, evaluator, chart: null } });
  const chart = await attempt(() => api.chart(game.id, evaluator));
  if (state.replay?.game.id === game.id && chart) set({ replay: { ...state.replay, chart } });
}

/** The step to a ply, counted from 1. */
async function stepAt(ply) {
  const { game } = state.replay;
  if (ply < 1 || ply > game.length) return null;
  const number = Math.floor((ply - 1) / CHUNK);
  if (!chunks.has(number)) chunks.set(number, api.steps(game.id, number * CHUNK, CHUNK));
  const { steps } = await chunks.get(number);
  return steps[(ply - 1) % CHUNK];
}

const positionAt = async (ply) => (ply === 0 ? state.replay.game.start : (await stepAt(ply))?.position ?? null);

export async function goTo(ply) {
  const { game } = state.replay;
  wanted = Math.max(0, Math.min(game.length, ply));
  const asked = wanted;
  const step = await attempt(() => stepAt(asked));
  if (state.replay?.game.id !== game.id || wanted !== asked) return; // a slider can be faster than the server
  const before = asked === state.replay.ply + 1 ? state.replay.position : null; // only one step forward is animated
  const previous = asked > 0 ? (before ?? (await attempt(() => positionAt(asked - 1)))) : null;
  if (state.replay?.game.id !== game.id || wanted !== asked) return;
  const told = step && { ...step, from: before?.text ?? null, gesture: before ? gestureOf(before, step.move) : null };
  const position = asked === 0 ? game.start : step?.position;
  if (position) set({ replay: { ...state.replay, ply: asked, position, previous, step: told } });
}

export const goBy = (plies) => goTo(wanted + plies);

export function playReplay(playing = !state.replay.playing) {
  clearTimeout(timer);
  set({ replay: { ...state.replay, playing } });
  if (!playing) return;
  if (state.replay.ply === state.replay.game.length) goTo(0).then(next);
  else next();
}

async function next() {
  if (!state.replay?.playing || state.route.name !== "replay") return;
  await goBy(Math.max(1, Math.round(state.replay.speed / FRAMES)));
  if (!state.replay) return;
  if (state.replay.ply === state.replay.game.length) playReplay(false);
  else timer = setTimeout(next, 1000 / Math.min(state.replay.speed, FRAMES));
}

export function setReplaySpeed(speed) {
  remember("replaySpeed", speed);
  set({ replay: { ...state.replay, speed } });
}

const MOVES = {
  ArrowLeft: () => goBy(-1),
  ArrowRight: () => goBy(1),
  PageUp: () => goBy(-20),
  PageDown: () => goBy(20),
  Home: () => goTo(0),
  End: (length) => goTo(length),
};

export function replayKey(key) {
  const { replay } = state;
  if (!replay) return false;
  const way = MOVES[key];
  if (way) {
    playReplay(false);
    way(replay.game.length);
  } else if (key === " ") playReplay();
  else return false;
  return true;
}
