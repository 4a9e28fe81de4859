// The machine proposes: the value of every move, at once or, in a quiz, after the user's own.

import { complain, say } from "./announce.js";
import { settled } from "./game.js";
import { place } from "./games.js";
import { helper } from "./helper.js";
import { t } from "./i18n.js";
import { job } from "./live.js";
import { set, state, subscribe } from "./store.js";
import { moveName } from "./words.js";

let proposing = null; // the last search for a proposal
let wish = 0; // counts proposals: only the newest is still wanted

/** The proposal is for an earlier position. A quiz still needs it. */
export function forget() {
  wish += 1;
  if (!state.quiz.on) proposing?.cancel();
  set({ hint: { status: "off", text: null, analysis: null } });
}

/** Ask for the value of every move; in a quiz it stays hidden until the user has moved. */
export async function propose() {
  await settled(); // pending moves come first: the proposal is for the board after them
  const { game } = state;
  if (!game || game.position.over) return;
  const { text } = game.position;
  wish += 1;
  const mine = wish;
  const put = (hint) => wish === mine && set({ hint: { text, analysis: null, ...hint } });
  put({ status: "thinking" });
  try {
    if (!state.quiz.on) proposing?.cancel();
    await proposing?.ended; // one at a time: a server shared by a class gets no request whose answer would be dropped
    if (wish !== mine) return;
    const asked = { ...place(game, game.position), player: helper(game.game) };
    proposing = job("hint", asked, ({ compiling, waiting }) => put({ status: "thinking", compiling, waiting }));
    if (state.quiz.on) examine(proposing, game);
    const analysis = await proposing.done;
    put({ status: "ready", analysis });
    if (wish === mine && !state.quiz.on && analysis.best) say(t("say.hint", { move: moveName(analysis.best, game.position) }));
  } catch (error) {
    put({ status: "failed" });
    if (wish === mine) complain(error);
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

/** Compare the user's next move with the machine's values for the same position. */
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
        ? t("quiz.right", { move: moveName(made.move, game.position) })
        : t("quiz.wrong", {
            mine: moveName(made.move, game.position),
            best: moveName(analysis.best, game.position),
          }),
    );
  });
}
