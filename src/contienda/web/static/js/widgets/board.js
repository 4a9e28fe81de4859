// A board in a notebook: the app's drawings and figures; moves are sent to the kernel, which answers.

import "../elements/score-row.js";
import { boardOf, ratioOf, shownBoard } from "../drawings.js";
import { isFields } from "../fields.js";
import { show } from "../game.js";
import { number, pick, setLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { startNarrator } from "../narrator.js";
import { set, state } from "../store.js";
import { valueText } from "../values.js";
import { define, h, View } from "../view.js";
import { forfeitText, gameTitle, moveName, outcomeText } from "../words.js";
import { listen, tell } from "./line.js";

const KEYS = { u: "undo", r: "redo", h: "hint", n: "new" };

/** Send a person's request about the current game; the kernel ignores outdated ones. */
const ask = (wish, more = {}) => tell({ do: wish, revision: state.game.revision, ...more });

class WidgetBoard extends View {
  static uses = ["game", "step", "hint", "auto", "error"];

  render({ game, hint, auto, error }) {
    if (!game) return null;
    const { position } = game;
    const button = (wish, key, disabled, text = null) =>
      h(
        "button",
        {
          class: text ? "" : "icon",
          disabled: disabled || auto.thinking,
          title: `${text ?? t(wish)} (${key})`,
          "aria-label": text ? null : t(wish),
          "aria-keyshortcuts": key,
          onclick: () => ask(wish),
        },
        text ?? icon(wish),
      );
    return h(
      "section",
      { class: "widget", "aria-label": gameTitle(game.game), style: { "--ratio": ratioOf(game.game, position.picture) } },
      h("score-row", { ".game": game, ".position": position, ".moves": game.cursor, ".step": state.step }),
      h(
        "div",
        { class: "frame", key: game.game },
        boardOf(game.game, { ".onmove": (move) => position.legal.includes(move) && !auto.thinking && ask("move", { move }) }),
      ),
      position.over ? h("p", { class: "ended", role: "status", key: "ended" }, ended(game)) : null,
      error ? h("p", { class: "error", role: "alert", key: "error" }, pick(error)) : null,
      h(
        "div",
        { class: "controls" },
        button("new", "N", false),
        button("undo", "U", game.undo === null),
        button("redo", "R", game.redo === null),
        button("hint", "H", position.over, t("hint.propose")),
        h("span", { class: "help number", "aria-live": "polite" }, auto.thinking ? t("hint.thinking") : advice(hint)),
      ),
    );
  }

  update() {
    super.update();
    const { game, step, hint } = state;
    const board = shownBoard(this);
    if (board) board.draw({ game, position: game.position, step, hint: hint.analysis });
  }
}

function ended(game) {
  const { forfeit, score } = game.position;
  if (forfeit) return forfeitText(game);
  if (score === null || (game.players.length === 2 && game.position.winner !== null)) return outcomeText(game);
  return `${t("lost.title")} ${t("lost.text", { n: game.cursor, score: number(score) })}`;
}

const advice = ({ analysis }) =>
  analysis
    ? `${moveName(analysis.best, state.game.position)}: ${valueText(analysis.moves[0])} · ${t("hint.counts", { n: analysis.counters.nodes })}`
    : "";

listen(({ language, catalogue, game, step, hint, thinking, error }) => {
  set({ catalogue, error, auto: { ...state.auto, thinking }, hint: { ...state.hint, analysis: hint }, route: { name: "play" } });
  if (state.language !== language) setLanguage(language, false);
  if (game.id !== state.game?.id || game.revision !== state.game.revision) show(game, step);
});
define("widget-board", WidgetBoard);
startNarrator();
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !state.game || isFields(event)) return;
  if (event.target.closest?.("button") && (event.key === " " || event.key === "Enter")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (shownBoard(document)?.key(key)) event.preventDefault();
  else if (key in KEYS && !state.auto.thinking) {
    ask(KEYS[key]);
    event.preventDefault();
  }
});
