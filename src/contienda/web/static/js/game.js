// The game on the board, and what a user can do with it. The server holds all state; the store has its last answer.

import { api } from "./api.js";
import { attempt, complain, notify } from "./announce.js";
import { about } from "./games.js";
import { gestureOf } from "./gestures.js";
import { t } from "./i18n.js";
import { become, go } from "./router.js";
import { gameName } from "./spec.js";
import { recall, remember, set, state } from "./store.js";

const WAITING_MOVES = 3; // moves queued when keys are hit faster than the server answers

let waiting = 0; // moves in the line
let line = Promise.resolve(); // changes are sent one after another: each carries the revision it saw
let shownAt = 0;

function inLine(action) {
  line = line.then(action).catch(settle);
  return line;
}

/** Resolves when no change is under way. */
export const settled = () => line;

/** Show a game from the server on the board; `step` is the move that led there, if any. */
export function show(game, step = null) {
  shownAt = performance.now();
  const before = state.game?.id === game.id ? state.game.position : null;
  // Where the board can animate from, and how the move was made on it.
  const told = step && {
    ...step,
    from: before?.text ?? null,
    before: before?.picture,
    gesture: before ? gestureOf(before, step.move) : null,
  };
  set({ game, step: told, bests: bestsWith(game) });
}

/** The best scores of this browser, by game. */
function bestsWith({ game, position }) {
  const name = gameName(game);
  if ((position.score ?? 0) <= (state.bests[name] ?? 0)) return state.bests;
  const bests = { ...state.bests, [name]: position.score };
  remember("bests", bests);
  return bests;
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

/** Show a new game on the board and in the address. */
function enter(game) {
  if (!game) return null;
  set({ editing: null });
  show(game);
  remember("current", game.id);
  go(`#/play/${game.id}`);
  return game;
}

/** Start a game of the same kind with a new seed. */
export function again() {
  const { game, target, players } = state.game;
  return create({ game, target: target ?? undefined, players });
}

/** Make a move, after those requested before it. */
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

/** If another tab has changed the game, the refusal contains its current state: show that. */
export function settle(error) {
  if (error.game && error.game.id === state.game?.id) show(error.game);
  complain(error);
}

/** Go to another ply of the game; `where` finds it in the current game when its turn comes. */
function jump(where) {
  return inLine(async () => {
    const { game } = state;
    const ply = where(game);
    if (ply === null) return;
    const answer = await api.cursor(game.id, game.revision, ply);
    if (state.game?.id === game.id) show(answer);
  });
}

/** Go back to a person's last turn, or on to the next one, as the server gives them. */
export const undo = () => jump((game) => game.undo);
export const redo = () => jump((game) => game.redo);

export function change(changes) {
  return inLine(async () => {
    const { game } = state;
    show(await api.change(game.id, { revision: game.revision, ...changes }));
  });
}

export async function save(id, options) {
  const saved = await attempt(() => api.save(id, options));
  if (saved) notify(t("saved.done", { name: saved.name ?? "" }));
  return saved;
}

/** Play on from a move of a game, as a new game: the old one does not change. */
export async function branch(id, ply) {
  enter(await attempt(() => api.create({ copy: id, ply })));
}

/** Start a game from a shared position. */
export async function openShared(query) {
  const spec = query.get("game");
  const options = { position: query.get("position") ?? "" };
  if (spec) options.game = spec;
  if (query.get("score")) options.score = Number(query.get("score"));
  // As on the start screen: the usual target may be too large for a board of another size.
  if (spec && spec === gameName(spec)) options.target = about(spec).default_target ?? undefined;
  try {
    const game = await api.create(options);
    become(`#/play/${game.id}`);
  } catch (error) {
    complain(error);
    go("#/");
  }
}

/** Continue beyond the target; remembered, so that a reload does not ask again. */
export function keepGoing() {
  const playedOn = [...state.playedOn, state.game.id].slice(-50);
  remember("kept", playedOn);
  set({ playedOn });
}

/** Whether this game has reached its target and the user has not chosen to continue. */
export const justWon = (game) => game.position.won && !game.start.won && !state.playedOn.includes(game.id);
