// What is said of each change on the board, for those who listen.

import { say } from "./announce.js";
import { is2048, justWon } from "./game.js";
import { number, t } from "./i18n.js";
import { state, subscribe } from "./store.js";

const QUIET = 400; // ms: a machine that plays faster than one can listen is told at its pauses

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
  if (!step) {
    say(game.cursor ? t("say.back", { n: game.cursor }) : t("say.new"));
  } else {
    say(is2048(game) ? tell2048(game, step) : tellConnect4(game, step));
  }
}

function tell2048(game, { move, slides, spawn }) {
  const parts = [t("say.move", { move: t(move) })];
  const merged = new Map((slides ?? []).filter((slide) => slide.merged).map((slide) => [slide.end, 2 * slide.face]));
  if (merged.size) parts.push(t("say.merged", { tiles: [...merged.values()].join(", ") }));
  if (spawn)
    parts.push(
      t("say.spawn", { face: String(spawn.face), r: Math.floor(spawn.cell / 4) + 1, c: (spawn.cell % 4) + 1 }),
    );
  parts.push(
    game.position.over
      ? t("say.lost", { score: number(game.position.score) })
      : t("say.score", { score: number(game.position.score) }),
  );
  if (justWon(game)) parts.push(t("say.won"));
  return parts.join(" ");
}

function tellConnect4(game, { move, side }) {
  const { winner } = game.position;
  const parts = [t("say.stone", { who: t(side === 1 ? "c4.first" : "c4.second"), n: move })];
  if (winner === 0) parts.push(t("c4.draw"));
  else if (winner) parts.push(t("c4.won", { who: t(winner === 1 ? "c4.first" : "c4.second") }));
  return parts.join(" ");
}
