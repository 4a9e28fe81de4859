// The overlay on the board of a finished game.

import { again, justWon, keepGoing } from "../game.js";
import { targetOf } from "../games.js";
import { number, t } from "../i18n.js";
import { state } from "../store.js";
import { h } from "../view.js";
import { forfeitText, outcomeText } from "../words.js";

export function ending(game) {
  const { over, score } = game.position;
  if (over) return game.players.length === 2 || score === null ? outcome(game) : lost(game);
  return justWon(game) ? won(game) : null;
}

function lost(game) {
  const text = t("lost.text", { n: game.cursor, score: number(game.position.score) });
  const why = game.position.forfeit ? `${forfeitText(game)} ` : "";
  return overlay(
    "lost",
    t("lost.title"),
    why + text,
    h("button", { class: "primary big", onclick: () => again() }, t("again")),
  );
}

function won(game) {
  const text = t(state.step && state.step.by !== "human" ? "won.machine" : "won.text");
  return overlay("won", t("won.title", { tile: String(targetOf(game)) }), text, [
    h("button", { class: "primary big", onclick: keepGoing }, t("won.on")),
    h("button", { class: "big", onclick: () => again() }, t("again")),
  ]);
}

function overlay(kind, title, text, buttons) {
  return h(
    "div",
    { class: `overlay ${kind}`, key: kind, role: "group", "aria-label": title },
    h("h2", {}, title),
    h("p", {}, text),
    h("div", { class: "row" }, buttons, replayLink()),
  );
}

/** In a game without points the board stays visible: one line says who won. */
function outcome(game) {
  return h(
    "div",
    { class: "outcome", key: "outcome" },
    h("span", {}, outcomeText(game)),
    h("button", { class: "primary", onclick: () => again() }, t("again")),
    replayLink(),
  );
}

const replayLink = () => h("a", { class: "button", href: `#/replay/${state.game.id}` }, t("replay"));
