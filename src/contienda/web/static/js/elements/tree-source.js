// The form for a search: its player, and a preset, a typed tree, the game on the board or any other position.

import "./player-picker.js";
import { input, select } from "../fields.js";
import { about, gameNames, place } from "../games.js";
import { helper } from "../helper.js";
import { pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { gameName } from "../spec.js";
import { set, state } from "../store.js";
import { look } from "../tree/explorer.js";
import { define, h, View } from "../view.js";
import { gameTitle } from "../words.js";

// Search spaces besides the games of the catalogue.
const OTHERS = {
  tree: { example: "max[min[3 12 8] min[2 4 6] min[14 5 2]]", player: "alphabeta" },
  puzzle8: { example: "1 2 3/5 0 6/4 7 8", player: "astar:h=manhattan" },
};

const exampleOf = (name) => (name in OTHERS ? OTHERS[name].example : about(name).example);
const playerOf = (name) => (name in OTHERS ? OTHERS[name].player : about(name).default_player);

class TreeSource extends View {
  static uses = ["tree", "game", "catalogue"];

  draft = null; // the lanes being edited
  of = null; // the question from which the draft started

  render({ tree, game }) {
    if (this.of !== tree.asked) {
      this.of = tree.asked;
      this.draft = tree.asked.map((one) => ({ ...one }));
    }
    const two = tree.mode === "two";
    return h(
      "div",
      { class: "card" },
      h("h2", {}, t("tree.presets")),
      h(
        "div",
        { class: "presets" },
        state.catalogue.trace_examples.map(({ title, asked, mode }) =>
          h("button", { key: title.en, class: "wide", onclick: () => show(asked, mode) }, pick(title)),
        ),
        game
          ? h(
              "button",
              { key: "game", class: "wide", onclick: () => show([fromGame(game)]) },
              t("tree.preset.game", { game: gameTitle(game.game) }),
            )
          : null,
      ),
      h("hr", {}),
      this.draft.length
        ? h(
            "form",
            {
              class: "stack",
              onsubmit: (event) => {
                event.preventDefault();
                show(this.draft.map(tidied), tree.mode);
              },
            },
            h("h2", {}, t("tree.own")),
            this.what(0),
            this.who(0, two ? t("tree.first") : null),
            two ? [h("hr", {}), this.second(), this.who(1, t("tree.second"))] : null,
            h("button", { class: "primary wide" }, icon("play"), t("tree.look")),
          )
        : null,
    );
  }

  change(lane, changes) {
    Object.assign(this.draft[lane], changes);
    this.update();
  }

  what(lane) {
    const { game, position } = this.draft[lane];
    const name = gameName(game);
    return [
      select(
        t("tree.game"),
        ["tree", ...gameNames(), "puzzle8"].map((one) => [one, one in OTHERS ? t(`tree.game.${one}`) : gameTitle(one)]),
        name,
        (one) => {
          this.draft = this.draft.map(() => ({ game: one, position: exampleOf(one), player: playerOf(one) }));
          this.update();
        },
      ),
      this.position(0, position, name),
    ];
  }

  position(lane, position, name) {
    return h(
      "label",
      { class: "field" },
      t(name === "tree" ? "tree.text" : "tree.position"),
      h("textarea", {
        class: "mono",
        rows: 3,
        spellcheck: "false",
        value: position,
        placeholder: exampleOf(name),
        oninput: (event) => {
          const text = event.target.value.trim();
          this.draft[lane].position = text;
          if (lane === 0 && this.same) for (const one of this.draft) one.position = text;
        },
      }),
      h("span", { class: "help" }, name in OTHERS ? t(`tree.position.${name}`) : pick(about(name).position_help)),
    );
  }

  /** Whether both search the same position. */
  get same() {
    return this.of.every((one) => one.position === this.of[0].position);
  }

  second() {
    return this.same ? null : this.position(1, this.draft[1].position, gameName(this.draft[1].game));
  }

  who(lane, title) {
    const { game, player } = this.draft[lane];
    const name = gameName(game);
    return h(
      "fieldset",
      { key: `who${lane}`, class: "stack" },
      title ? h("legend", {}, title) : null,
      name === "puzzle8"
        ? [
            select(
              t("pick.algorithm"),
              state.catalogue.solvers.map((solver) => [solver.name, solver.name]),
              player.split(":")[0],
              (one) => this.change(lane, { player: one }),
            ),
            input(t("pick.spec"), player, (text) => (this.draft[lane].player = text), { class: "mono" }),
          ]
        : h("player-picker", {
            ".game": name,
            ".spec": player,
            onpick: (event) => this.change(lane, { player: event.detail }),
          }),
    );
  }
}

/** Start the search, and go to its steps. */
function show(asked, mode) {
  set({ treeTab: "steps" });
  look(asked, mode);
}

const tidied = ({ game, position, player, score, target }) => ({
  game,
  position,
  player,
  ...(score ? { score } : {}),
  ...(target ? { target } : {}),
});

/** The game on the board, as a question. */
const fromGame = (game) => ({ ...place(game, game.position), player: helper(game.game) });

define("tree-source", TreeSource);
