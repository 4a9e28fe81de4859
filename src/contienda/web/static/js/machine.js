// The machine at the user's side: it proposes, asks, plays by itself, and answers as an opponent.

import { complain, say } from "./announce.js";
import { is2048, justWon, redo, settle, settled, show, undo } from "./game.js";
import { t } from "./i18n.js";
import { job } from "./live.js";
import { gameName } from "./spec.js";
import { remember, set, state, subscribe } from "./store.js";
import { moveName } from "./words.js";

const FASTEST = 60; // moves a second; the slider's end means no waiting at all
const ANSWER = 350; // ms: an answer that comes at once is not seen as one
const KEPT_MOVES = 200; // of the live chart

export function startMachine() {
  subscribe(tick);
}

/** The spec of the player at the user's side, for a game's spec. */
export function helper(game) {
  const name = gameName(game);
  return state.specs[name] ?? state.catalogue?.games[name]?.default_player ?? "random";
}

export function setHelper(game, spec) {
  const specs = { ...state.specs, [gameName(game)]: spec };
  remember("specs", specs);
  set({ specs, hint: { status: "off", text: null, analysis: null } });
}

/** What can change between two turns: each is looked at once, here. */
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

// --- It plays --------------------------------------------------------------------------------------------------------

let turn = null; // the machine's move under way
let turnEnded = Promise.resolve();

/** Who is to move by itself: a machine at its turn, or the helper while it solves; null when a person is awaited. */
export function toMove(game) {
  const { running } = state.auto;
  if (is2048(game)) return running && !justWon(game) ? helper(game.game) : null;
  const player = game.players[game.position.turn - 1];
  if (player === "human") return running ? helper(game.game) : null;
  const answers = game.players.includes("human") && game.cursor === game.length; // moves to redo are not overwritten
  return answers || running ? player : null;
}

export function run() {
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

/** Back and forth in the game; whatever the machine is thinking is dropped. */
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

/** One move by the machine, whoever is to move. */
export async function step() {
  pause();
  await turnEnded;
  const { game } = state;
  const player = is2048(game) ? "human" : game.players[game.position.turn - 1];
  play(player === "human" ? helper(game.game) : player);
}

function play(player) {
  if (turn) return;
  turn = { job: null, stopped: false, wake: () => {} };
  turnEnded = takeTurn(turn, state.game, player);
}

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
  const nodes = made.nodes ?? analysis?.counters.nodes ?? 0;
  const moves = [...state.auto.moves, { nodes, ms: made.ms, id: game.id, at: performance.now() }];
  set({ auto: { ...state.auto, moves: moves.slice(-KEPT_MOVES) } });
}

export { FASTEST };

// --- It proposes -----------------------------------------------------------------------------------------------------

const SLOW = 1200; // ms after which a search is surely being compiled

let proposing = null; // the last search for a proposal
let wish = 0; // counts proposals: only the newest is still wanted

/** The proposal is for another position now. A quiz still wants to hear what it was. */
function forget() {
  wish += 1;
  if (!state.quiz.on) proposing?.cancel();
  set({ hint: { status: "off", text: null, analysis: null } });
}

/** Ask for the value of every move; with a quiz on it is kept hidden until the user has moved. */
export async function propose() {
  await settled(); // moves on their way first: the proposal is for the board they lead to
  const { game } = state;
  if (!game || game.position.over) return;
  const { text, score } = game.position;
  wish += 1;
  const mine = wish;
  const put = (hint) => wish === mine && set({ hint: { text, analysis: null, ...hint } });
  put({ status: "thinking" });
  const slow = setTimeout(() => put({ status: "thinking", slow: true }), SLOW);
  try {
    if (!state.quiz.on) proposing?.cancel();
    await proposing?.ended; // one at a time: a server shared by a class is not asked for what nobody will read
    if (wish !== mine) return;
    proposing = job("hint", { game: game.game, position: text, score: score ?? undefined, player: helper(game.game) });
    if (state.quiz.on) examine(proposing, game);
    const analysis = await proposing.done;
    put({ status: "ready", analysis });
    if (wish === mine && !state.quiz.on && analysis.best) say(t("say.hint", { move: moveName(analysis.best) }));
  } catch (error) {
    put({ status: "failed" });
    if (wish === mine) complain(error);
  } finally {
    clearTimeout(slow);
  }
}

export function toggleHints(hintsOn) {
  set({ hintsOn, quiz: { ...state.quiz, on: hintsOn ? false : state.quiz.on } });
  if (!hintsOn) forget();
}

export function toggleQuiz(on) {
  forget();
  set({ hintsOn: on ? false : state.hintsOn, quiz: { on, right: 0, total: 0, last: null } });
}

/** The user's next move is compared with what the machine says of the same position. */
function examine(asked, game) {
  const stop = subscribe(async () => {
    const now = state.game;
    if (!state.quiz.on || now?.id !== game.id || now.position.text === game.position.text) {
      if (!state.quiz.on || now?.id !== game.id) stop();
      return;
    }
    stop();
    const made = state.step;
    if (!made || made.ply !== game.cursor + 1) return; // undone, or edited: no answer
    const analysis = await asked.done.catch(() => null);
    if (!analysis || !state.quiz.on) return;
    const values = new Map(analysis.moves.map((entry) => [entry.move, entry.value]));
    const right = made.move === analysis.best || values.get(made.move) === values.get(analysis.best);
    const { quiz } = state;
    const verdict = { mine: made.move, right, analysis, position: game.position };
    set({ quiz: { ...quiz, total: quiz.total + 1, right: quiz.right + (right ? 1 : 0), last: verdict } });
    say(
      right
        ? t("quiz.right", { move: moveName(made.move) })
        : t("quiz.wrong", { mine: moveName(made.move), best: moveName(analysis.best) }),
    );
  });
}
