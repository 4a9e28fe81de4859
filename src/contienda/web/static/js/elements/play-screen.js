// The board with its figures and buttons, and beside it the machine and the tools.

import "./batch-panel.js";
import "./game-controls.js";
import "./game-panel.js";
import "./games-panel.js";
import "./heuristic-editor.js";
import "./machine-panel.js";
import "./path-panel.js";
import "./score-row.js";
import { boardOf, ratioOf, shownBoard } from "../drawings.js";
import { editedPosition, focusCell, paint, raise } from "../editing.js";
import { move, open } from "../game.js";
import { has } from "../games.js";
import { editPanel } from "./edit-panel.js";
import { ending } from "./endings.js";
import { t } from "../i18n.js";
import { FASTEST, pause } from "../playing.js";
import { recall, set, state } from "../store.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { gameTitle } from "../words.js";

// The tools beside the board: the name, the element, and whether a game has the tool.
/** @type {[string, string, (game: any) => boolean][]} */
const TABS = [
  ["machine", "machine-panel", () => true],
  ["game", "game-panel", () => true],
  ["games", "games-panel", () => true],
  ["batch", "batch-panel", () => true],
  ["path", "path-panel", ({ game }) => has(game, "paths")],
  ["own", "heuristic-editor", () => state.catalogue.heuristics],
];

class PlayScreen extends View {
  static uses = ["game", "step", "hint", "hintsOn", "quiz", "auto", "editing", "tab", "playedOn"];

  render({ game, editing }) {
    if (!game) return h("p", { class: "help loading", role: "status" }, t("loading"));
    return h(
      "div",
      { class: "play" },
      h("h1", { class: "unseen" }, gameTitle(game.game)),
      h(
        "section",
        {
          class: "stage",
          "aria-label": gameTitle(game.game),
          style: { "--ratio": ratioOf(game.game, game.position.picture) },
        },
        h("score-row", { ".game": game, ".position": game.position, ".moves": game.cursor, ".step": state.step }),
        h(
          "div",
          { class: "frame", key: game.game },
          boardOf(game.game, { ".onmove": play }),
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
    const board = shownBoard(this);
    if (!board || !game) return;
    board.draw({
      game,
      position: editing ? editedPosition(editing) : game.position,
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

/** The duration of a slide, as a share of the usual one: shorter when the machine plays fast. */
const paceOf = (speed) => (speed >= FASTEST ? 0 : Math.min(1, 5 / speed));

/** Makes a person's move; a machine that is playing by itself stops. */
function play(name) {
  if (state.auto.running) pause();
  move(name);
}

function editKey(event, cell) {
  const { pieces, columns } = state.game.position.picture;
  const by = { ArrowUp: -columns, ArrowRight: 1, ArrowDown: columns, ArrowLeft: -1 }[event.key];
  const to = cell + by;
  if (by && to >= 0 && to < pieces.length) {
    focusCell(to);
    queueMicrotask(() => document.querySelectorAll("[data-board] [role=gridcell]")[to].focus());
  } else if (event.key === "Enter" || event.key === " ") paint(cell);
  else if (event.key === "+") raise(cell, 1);
  else if (event.key === "-") raise(cell, -1);
  else if (event.key === "Delete" || event.key === "0") paint(cell, 0);
  else return;
  event.preventDefault();
}

defineScreen("play", PlayScreen, {
  place: {
    order: 1,
    text: "nav.play",
    address: () => (recall("current") ? `#/play/${recall("current")}` : "#/"),
    routes: ["play", "replay", "at"],
  },
  enter: ({ id }) => id !== state.game?.id && open(id),
});
