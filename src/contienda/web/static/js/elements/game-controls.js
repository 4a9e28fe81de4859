// The buttons under the board.

import { again, is2048, move, redoPly, undoPly } from "../game.js";
import { number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { back, forth, pause } from "../machine.js";
import { startEditing } from "../editing.js";
import { state } from "../store.js";
import { define, h, View } from "../view.js";

const PAD = ["left", "up", "down", "right"];

class GameControls extends View {
  static uses = ["game", "auto"];

  render({ game }) {
    if (!game) return null;
    return [
      h(
        "div",
        { class: "controls" },
        button("new", "N", () => again(), false, t("short.new")),
        button("undo", "U", back, undoPly(game) < 0),
        button("redo", "R", forth, redoPly(game) < 0),
        is2048(game)
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
                    disabled: !game.position.legal.includes(direction),
                    onclick: () => slide(direction),
                  },
                  icon(direction),
                ),
              ),
            )
          : null,
        is2048(game) ? button("edit", "", startEditing) : null,
      ),
      h(
        "p",
        { class: "under" },
        is2048(game) ? h("span", {}, `${t("seed")} `, h("code", {}, game.seed)) : null,
        game.length > game.cursor
          ? h("span", {}, t("moves.of", { n: number(game.cursor), all: number(game.length) }))
          : null,
      ),
    ];
  }
}

function slide(direction) {
  if (state.auto.running) pause();
  move(direction);
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
