// The game on the board: what a user can do with it. All state is the server's; here is its last answer.

import { api } from "./api.js";
import { attempt, complain, notify } from "./announce.js";
import { t } from "./i18n.js";
import { become, go } from "./router.js";
import { gameName } from "./spec.js";
import { recall, remember, set, state } from "./store.js";

const WAITING_MOVES = 3; // keys hit faster than the server answers; more would outrun the eye

let waiting = 0; // moves in the line
let line = Promise.resolve(); // what is done to the game goes one after the other: each carries the revision it saw
let shownAt = 0;

function inLine(action) {
  line = line.then(action).catch(settle);
  return line;
}

/** When nothing is under way. */
export const settled = () => line;

/** Put a game on the board, as the server gave it; `step` is the move that led there, if a move did. */
export function show(game, step = null) {
  const score = game.position.score ?? 0;
  if (score > state.best) remember("best", score);
  shownAt = performance.now();
  const from = state.game?.id === game.id ? state.game.position.text : null; // what the board can animate from
  set({ game, step: step && { ...step, from }, best: Math.max(score, state.best) });
}

export async function open(id) {
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
  return enter(await attempt(() => api.create(options)));
}

/** A new game takes its place on the board and in the address. */
function enter(game) {
  if (!game) return null;
  set({ editing: null });
  show(game);
  remember("current", game.id);
  go(`#/play/${game.id}`);
  return game;
}

/** The same kind of game from its beginning, with new luck. */
export function again() {
  const { game, target, players } = state.game;
  return create({ game, target: target ?? undefined, players });
}

/** Make a move, after those that were asked for before it. */
export function move(name) {
  if (waiting >= WAITING_MOVES) return line;
  waiting += 1;
  return inLine(() => make(name).finally(() => (waiting -= 1)));
}

async function make(name) {
  const { game } = state;
  if (!game || game.position.over || !game.position.legal.includes(name)) return;
  const answer = await api.move(game.id, game.revision, name, Math.round(performance.now() - shownAt));
  if (state.game?.id === game.id) show(answer.game, answer.step);
}

/** A game that another tab moved on comes with the refusal: show it as it stands. */
export function settle(error) {
  if (error.game && error.game.id === state.game?.id) show(error.game);
  complain(error);
}

/** Go to another ply of the game; `where` finds it in the game as it stands when its turn comes. */
function jump(where) {
  return inLine(async () => {
    const { game } = state;
    const ply = where(game);
    if (ply < 0 || ply > game.length || ply === game.cursor) return;
    const answer = await api.cursor(game.id, game.revision, ply);
    if (state.game?.id === game.id) show(answer);
  });
}

export const undo = () => jump(undoPly);
export const redo = () => jump(redoPly);

const isHuman = (game, ply) => game.players.length === 1 || game.players[(game.start.turn - 1 + ply) % 2] === "human";

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

export function change(changes) {
  return inLine(async () => {
    const { game } = state;
    show(await api.change(game.id, { revision: game.revision, ...changes }));
  });
}

export async function save(id, options) {
  const kept = await attempt(() => api.save(id, options));
  if (kept) notify(t("saved.done", { name: kept.name ?? "" }));
  return kept;
}

/** Play on from a move of a game, as a new game: the old one stays as it was. */
export async function branch(id, ply) {
  enter(await attempt(() => api.create({ copy: id, ply })));
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

/** The target was reached in this game, and nobody has said yet to go on. */
export const justWon = (game) => game.position.won && !game.start.won && !state.kept.includes(game.id);

export const is2048 = (game) => gameName(game.game) === "2048";
