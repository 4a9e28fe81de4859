// The buttons under the board.

import { canEdit } from "../drawings.js";
import { again, move } from "../game.js";
import { about } from "../games.js";
import { movesOf } from "../gestures.js";
import { number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { back, forth, pause } from "../playing.js";
import { startEditing } from "../editing.js";
import { state } from "../store.js";
import { define, h, View } from "../view.js";

const PAD = ["left", "up", "down", "right"];

class GameControls extends View {
  static uses = ["game", "auto"];

  render({ game }) {
    if (!game) return null;
    const ways = new Map(movesOf(game.position).map(({ move: name, gesture }) => [gesture.direction, name]));
    const slides = [...game.start.gestures, ...game.position.gestures].some(({ kind }) => kind === "direction");
    return [
      h(
        "div",
        { class: "controls" },
        button("new", "N", () => again(), false, t("short.new")),
        button("undo", "U", back, game.undo === null),
        button("redo", "R", forth, game.redo === null),
        slides
          ? h(
              "div",
              { class: "pad", role: "group", "aria-label": t("pad") },
              PAD.map((direction) =>
                h(
                  "button",
                  {
                    class: "icon",
                    "aria-label": t(direction),
                    title: t(direction),
                    disabled: !ways.has(direction),
                    onclick: () => slide(ways.get(direction)),
                  },
                  icon(direction),
                ),
              ),
            )
          : null,
        canEdit(game.game) ? button("edit", "", startEditing) : null,
      ),
      h(
        "p",
        { class: "under" },
        about(game.game).luck ? h("span", {}, `${t("seed")} `, h("code", {}, game.seed)) : null,
        game.length > game.cursor
          ? h("span", {}, t("moves.of", { n: number(game.cursor), all: number(game.length) }))
          : null,
      ),
    ];
  }
}

function slide(name) {
  if (state.auto.running) pause();
  move(name);
}

function button(name, key, action, disabled = false, text = null) {
  return h(
    "button",
    {
      class: text ? "" : "icon",
      disabled,
      title: key ? `${t(name)} (${key})` : t(name),
      "aria-label": t(name),
      "aria-keyshortcuts": key || null,
      onclick: action,
    },
    icon(name),
    text,
  );
}

define("game-controls", GameControls);
