// The game on the board: what a user can do with it. All state is the server's; here is its last answer.

import { api } from "./api.js";
import { attempt, complain, notify } from "./announce.js";
import { t } from "./i18n.js";
import { become, go } from "./router.js";
import { gameName } from "./spec.js";
import { recall, remember, set, state } from "./store.js";

const WAITING_MOVES = 3; // keys hit faster than the server answers; more would outrun the eye
const waiting = [];
let busy = false;
let shownAt = 0;

/** Put a game on the board, as the server gave it; `step` is the move that led there, if a move did. */
export function show(game, step = null) {
  const score = game.position.score ?? 0;
  if (score > state.best) remember("best", score);
  shownAt = performance.now();
  const from = state.game?.id === game.id ? state.game.position.text : null; // what the board can animate from
  set({ game, step: step && { ...step, from }, best: Math.max(score, state.best) });
}

export async function open(id) {
  waiting.length = 0;
  set({ game: null, step: null, editing: null });
  try {
    show(await api.game(id));
    remember("current", id);
  } catch (error) {
    complain(error);
    if (recall("current") === id) remember("current", null);
    go("#/");
  }
}

export async function create(options) {
  const game = await attempt(() => api.create(options));
  if (game) go(`#/play/${game.id}`);
  return game;
}

/** The same kind of game from its beginning, with new luck. */
export function again() {
  const { game, target, players } = state.game;
  return create({ game, target: target ?? undefined, players });
}

/** Make a move, or let it wait for those before it. */
export async function move(name) {
  if (waiting.length < WAITING_MOVES) waiting.push(name);
  if (busy) return;
  busy = true;
  while (waiting.length) await make(waiting.shift());
  busy = false;
}

async function make(name) {
  const { game } = state;
  if (!game || game.position.over || !game.position.legal.includes(name)) return;
  try {
    const answer = await api.move(game.id, game.revision, name, Math.round(performance.now() - shownAt));
    if (state.game?.id === game.id) show(answer.game, answer.step);
  } catch (error) {
    waiting.length = 0;
    settle(error);
  }
}

/** A game that another tab moved on comes with the refusal: show it as it stands. */
export function settle(error) {
  if (error.game && error.game.id === state.game?.id) show(error.game);
  complain(error);
}

export function to(ply) {
  const { game } = state;
  if (!game || ply < 0 || ply > game.length || ply === game.cursor) return;
  waiting.length = 0;
  api.cursor(game.id, game.revision, ply).then(show, settle);
}

const isHuman = (game, ply) =>
  game.players.length === 1 || game.players[(game.start.turn - 1 + ply) % 2] === "human";

/** Where undo leads: the last position at which a person was to move; between machines, one move back. */
export function undoPly(game) {
  if (!game.players.includes("human")) return game.cursor - 1;
  let ply = game.cursor - 1;
  while (ply >= 0 && !isHuman(game, ply)) ply -= 1;
  return ply;
}

export function redoPly(game) {
  if (game.cursor === game.length) return -1;
  let ply = game.cursor + 1;
  while (ply < game.length && game.players.includes("human") && !isHuman(game, ply)) ply += 1;
  return ply;
}

export const undo = () => state.game && to(undoPly(state.game));
export const redo = () => state.game && to(redoPly(state.game));

export async function change(changes) {
  const { game } = state;
  await attempt(async () => show(await api.change(game.id, { revision: game.revision, ...changes })));
}

export async function save(id, options) {
  const kept = await attempt(() => api.save(id, options));
  if (kept) notify(t("saved.done", { name: kept.name ?? "" }));
  return kept;
}

/** Play on from a move of a game, as a new game: the old one stays as it was. */
export async function branch(id, ply) {
  const game = await attempt(() => api.create({ copy: id, ply }));
  if (game) go(`#/play/${game.id}`);
}

/** A shared position becomes a game of its own. */
export async function openShared(query) {
  const options = { game: query.get("game") ?? "2048", position: query.get("position") ?? "" };
  if (query.get("score")) options.score = Number(query.get("score"));
  try {
    const game = await api.create(options);
    become(`#/play/${game.id}`);
  } catch (error) {
    complain(error);
    go("#/");
  }
}

/** Go on beyond the target; remembered, so that a reload does not ask again. */
export function keepGoing() {
  const kept = [...state.kept, state.game.id].slice(-50);
  remember("kept", kept);
  set({ kept });
}

export const is2048 = (game) => gameName(game.game) === "2048";
