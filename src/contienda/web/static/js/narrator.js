// Announces each change on the board to screen readers.

import { say } from "./announce.js";
import { capital } from "./fields.js";
import { justWon } from "./game.js";
import { cellName, moveText } from "./gestures.js";
import { number, pick, t } from "./i18n.js";
import { isTurn } from "./motions.js";
import { state, subscribe } from "./store.js";
import { forfeitText } from "./words.js";

const QUIET = 400; // ms: a machine that plays fast is narrated at its pauses

let told = null;
let timer = 0;

export function startNarrator() {
  subscribe(() => {
    const { game, route } = state;
    if (!game || route.name !== "play" || told === `${game.id} ${game.revision}`) return;
    told = `${game.id} ${game.revision}`;
    clearTimeout(timer);
    if (state.auto.running) timer = setTimeout(tell, QUIET);
    else tell();
  });
}

function tell() {
  const { game, step } = state;
  if (!game) return;
  if (step) say(tellStep(game, step));
  else if (game.position.forfeit) say(forfeitText(game));
  else say(game.cursor ? t("say.back", { n: game.cursor }) : t("say.new"));
}

/** A move, its effect on the pieces, the chance event after it, and the state of the game. */
function tellStep(game, step) {
  const { picture } = step.position;
  const move = moveText(step.move, step.gesture, picture);
  return [
    game.players.length === 2
      ? t("say.who", { who: t(step.side === 1 ? "two.first" : "two.second"), move: lower(move) })
      : t("say.move", { move }),
    ...tellMotions(step, picture),
    ...tellLuck(step, picture),
    ...tellScore(game),
    ...tellEnd(game),
  ].join(" ");
}

function tellMotions({ motions, before }, picture) {
  const merged = [...new Set(motions.filter((motion) => motion.merged).map(({ end }) => end))];
  const taken = motions.filter(({ end }) => end < 0).length;
  const turned = before ? motions.filter((motion) => isTurn(motion, before, picture)).length : 0;
  return [
    merged.length ? t("say.merged", { tiles: merged.map((cell) => picture.pieces[cell].label).join(", ") }) : null,
    taken ? t("say.taken", { n: taken }) : null,
    turned ? t("say.turned", { n: turned }) : null,
  ].filter(Boolean);
}

/** New pieces; if chance placed none, the caption of the board, such as the number on a die. */
function tellLuck({ luck, position }, picture) {
  const come = luck.flatMap(({ motions }) => motions).filter(({ start, end }) => start < 0 && end >= 0);
  const told = come.map(({ end }) =>
    t("say.spawn", { face: picture.pieces[end].label, at: cellName(picture, end) }),
  );
  return luck.length && !come.length && picture?.caption ? [`${capital(pick(position.picture.caption))}.`] : told;
}

function tellScore({ position: { score, over } }) {
  if (score === null || score === undefined) return [];
  return [t(over ? "say.lost" : "say.score", { score: number(score) })];
}

function tellEnd(game) {
  const { forfeit, winner, over, score } = game.position;
  if (forfeit) return [forfeitText(game)];
  if (justWon(game)) return [t("say.won")];
  if (!over || (score !== null && score !== undefined)) return [];
  if (game.players.length === 1) return [t("lost.title")];
  return [winner ? t("two.won", { who: t(winner === 1 ? "two.first" : "two.second") }) : t("two.draw")];
}

const lower = (text) => text.charAt(0).toLocaleLowerCase(state.language) + text.slice(1);
