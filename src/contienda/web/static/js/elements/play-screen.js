// The board with its figures and buttons, and beside it the machine and the tools.

import "./batch-panel.js";
import "./game-controls.js";
import "./game-panel.js";
import "./games-panel.js";
import "./heuristic-editor.js";
import "./machine-panel.js";
import "./path-panel.js";
import "./score-row.js";
import { is2048, move } from "../game.js";
import { focusCell, paint, raise } from "../editing.js";
import { editPanel } from "./edit-panel.js";
import { ending } from "./endings.js";
import { t } from "../i18n.js";
import { FASTEST, pause } from "../machine.js";
import { sizes } from "../spec.js";
import { set, state } from "../store.js";
import { define, h, View } from "../view.js";
import { gameTitle } from "../words.js";

// The tools beside the board: name -> the element, and whether a game has it.
const TABS = [
  ["machine", "machine-panel", () => true],
  ["game", "game-panel", () => true],
  ["games", "games-panel", () => true],
  ["batch", "batch-panel", () => true],
  ["path", "path-panel", is2048],
  ["own", "heuristic-editor", () => state.catalogue.heuristics],
];

class PlayScreen extends View {
  static uses = ["game", "step", "hint", "hintsOn", "quiz", "auto", "editing", "tab", "kept"];

  render({ game, editing }) {
    if (!game) return h("p", { class: "help loading", role: "status" }, t("loading"));
    const { rows, columns } = sizes(game.game);
    return h(
      "div",
      { class: "play" },
      h("h1", { class: "unseen" }, gameTitle(game.game)),
      h(
        "section",
        {
          class: "stage",
          "aria-label": gameTitle(game.game),
          style: { "--ratio": is2048(game) ? 1 : columns / (rows + 1) },
        },
        h("score-row", { ".game": game, ".position": game.position, ".moves": game.cursor, ".step": state.step }),
        h(
          "div",
          { class: "frame", key: game.game },
          is2048(game)
            ? h("board-2048", {
                ".onswipe": (direction) => {
                  pause();
                  move(direction);
                },
              })
            : h("board-connect4", { ".oncolumn": (column) => move(column) }),
          editing ? null : ending(game),
        ),
        editing ? null : h("game-controls"),
      ),
      h("aside", { class: "side", "aria-label": t("tabs") }, editing ? editPanel(editing) : this.tabs(game)),
    );
  }

  tabs(game) {
    const shown = TABS.filter(([, , has]) => has(game));
    const tab = shown.some(([name]) => name === state.tab) ? state.tab : "machine";
    const element = shown.find(([name]) => name === tab)[1];
    const turn = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = shown[(shown.findIndex(([name]) => name === tab) + by + shown.length) % shown.length][0];
      set({ tab: next });
      queueMicrotask(() => this.querySelector(`#tab-${next}`)?.focus());
    };
    return [
      h(
        "div",
        { class: "tabs", role: "tablist", "aria-label": t("tabs"), onkeydown: turn },
        shown.map(([name]) =>
          h(
            "button",
            {
              role: "tab",
              id: `tab-${name}`,
              "aria-selected": String(name === tab),
              "aria-controls": "tab-panel",
              tabIndex: name === tab ? 0 : -1,
              onclick: () => set({ tab: name }),
            },
            t(`tab.${name}`),
          ),
        ),
      ),
      h("div", { role: "tabpanel", id: "tab-panel", "aria-labelledby": `tab-${tab}` }, h(element, { key: element })),
    ];
  }

  update() {
    super.update();
    const { game, step, editing, auto } = state;
    const board = this.querySelector("board-2048, board-connect4");
    if (!board || !game) return;
    const position = editing
      ? { board: [0, 4, 8, 12].map((i) => editing.cells.slice(i, i + 4)), text: editing.text }
      : game.position;
    board.draw({
      game,
      position,
      step: editing ? null : step,
      hint: this.shownHint(),
      pace: auto.running ? paceOf(auto.speed) : 1,
      edit: editing && { cell: editing.cell, paint, key: editKey },
    });
  }

  shownHint() {
    const { hint, quiz, game } = state;
    return hint.status === "ready" && hint.text === game.position.text && !quiz.on && !state.editing
      ? hint.analysis
      : null;
  }
}

/** How long tiles take to slide, of their usual time: a fast machine leaves them less. */
const paceOf = (speed) => (speed >= FASTEST ? 0 : Math.min(1, 5 / speed));

const STEPS = { ArrowUp: -4, ArrowRight: 1, ArrowDown: 4, ArrowLeft: -1 };

function editKey(event, cell) {
  const to = cell + (STEPS[event.key] ?? 0);
  if (event.key in STEPS && to >= 0 && to < 16) {
    focusCell(to);
    queueMicrotask(() => document.querySelectorAll("board-2048 [role=gridcell]")[to].focus());
  } else if (event.key === "Enter" || event.key === " ") paint(cell);
  else if (event.key === "+") raise(cell, 1);
  else if (event.key === "-") raise(cell, -1);
  else if (event.key === "Delete" || event.key === "0") paint(cell, 0);
  else return;
  event.preventDefault();
}

define("play-screen", PlayScreen);
