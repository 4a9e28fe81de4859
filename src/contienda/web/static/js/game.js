// The game on the board: what a user can do with it. All state is the server's; here is its last answer.

import { api } from "./api.js";
import { attempt, complain, notify } from "./announce.js";
import { about } from "./games.js";
import { gestureOf } from "./gestures.js";
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
    if (ply === null) return;
    const answer = await api.cursor(game.id, game.revision, ply);
    if (state.game?.id === game.id) show(answer);
  });
}

/** Back to a person's last turn, or on to the next: the server knows whose turn each position is. */
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

/** Play on from a move of a game, as a new game: the old one stays as it was. */
export async function branch(id, ply) {
  enter(await attempt(() => api.create({ copy: id, ply })));
}

/** A shared position becomes a game of its own. */
export async function openShared(query) {
  const spec = query.get("game");
  const options = { position: query.get("position") ?? "" };
  if (spec) options.game = spec;
  if (query.get("score")) options.score = Number(query.get("score"));
  // As the start screen does: a board of another size may have no room for the usual target.
  if (spec && spec === gameName(spec)) options.target = about(spec).default_target ?? undefined;
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
  const playedOn = [...state.playedOn, state.game.id].slice(-50);
  remember("kept", playedOn);
  set({ playedOn });
}

/** The target was reached in this game, and nobody has said yet to go on. */
export const justWon = (game) => game.position.won && !game.start.won && !state.playedOn.includes(game.id);
