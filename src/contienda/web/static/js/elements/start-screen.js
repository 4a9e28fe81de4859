// The first screen: which game, who plays, which algorithm. All of it comes from the catalogue.

import "./open-game.js";
import "./player-picker.js";
import "./games-list.js";
import { create } from "../game.js";
import { about, gameNames, levelsOf } from "../games.js";
import { capital, input, segments, sentence, tileSelect } from "../fields.js";
import { pick, t } from "../i18n.js";
import { helper, setHelper } from "../helper.js";
import { littleBoard } from "../pieces.js";
import { run } from "../playing.js";
import { formatSpec } from "../spec.js";
import { recall, remember } from "../store.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { gameTitle } from "../words.js";

const USUAL_LEVEL = 1;

class StartScreen extends View {
  static uses = ["specs", "catalogue"];

  choice = { game: null, mode: "hand", versus: "pm", begins: "me", own: {}, ...recall("start", {}), seed: "" };

  render() {
    const current = recall("current");
    const game = this.game;
    return h(
      "div",
      { class: "start" },
      h(
        "div",
        { class: "hero" },
        h("h1", {}, t("start.title")),
        h("p", { class: "help" }, t("app.claim")),
        current ? h("a", { class: "button", href: `#/play/${current}` }, t("start.continue"), " →") : null,
      ),
      h(
        "form",
        {
          class: "choices",
          onsubmit: (event) => {
            event.preventDefault();
            this.begin();
          },
        },
        h(
          "div",
          { class: "stack" },
          h(
            "fieldset",
            { class: "games" },
            h("legend", { class: "unseen" }, t("start.title")),
            gameNames().map((name) => this.card(name)),
          ),
          h("open-game", { onopened: ({ detail: game }) => this.choose(game) }),
          h("p", { class: "help chosen" }, sentence(pick(about(game).about))),
          h(
            "div",
            { class: "stack", key: game },
            this.isForTwo ? this.versus() : this.mode(),
            this.parameters(),
            this.luck(),
          ),
          h("button", { class: "primary big", type: "submit" }, t("start.go")),
        ),
        h("div", { class: "stack" }, this.isForTwo ? this.machines() : this.machine()),
      ),
      this.networks(),
      this.drills(),
      h("games-list", { saved: "false" }),
    );
  }

  /** The chosen game, or the first if that one is gone. */
  get game() {
    return gameNames().includes(this.choice.game) ? this.choice.game : gameNames()[0];
  }

  get isForTwo() {
    return about(this.game).sides === 2;
  }

  /** The choices for this game: its level, target, parameters and players. */
  get own() {
    return this.choice.own[this.game] ?? {};
  }

  card(name) {
    const { preview } = about(name);
    return h(
      "label",
      { class: "game", key: name },
      h("input", {
        type: "radio",
        name: "game",
        value: name,
        checked: this.game === name,
        onchange: () => this.set({ game: name }),
      }),
      h(
        "span",
        { class: "card" },
        h("span", { class: "preview" }, littleBoard(preview)),
        h("strong", {}, gameTitle(name)),
        h("span", { class: "help" }, sentence(pick(about(name).about))),
      ),
    );
  }

  // --- Who plays ---

  mode() {
    return segments(
      t("start.who"),
      [
        ["hand", t("start.hand")],
        ["auto", t("start.auto")],
      ],
      this.choice.mode,
      (mode) => this.set({ mode }),
      "mode",
    );
  }

  versus() {
    const { versus, begins } = this.choice;
    return [
      segments(
        t("start.versus"),
        [
          ["pm", t("start.pm")],
          ["mm", t("start.mm")],
          ["pp", t("start.pp")],
        ],
        versus,
        (versus) => this.set({ versus }),
        "versus",
      ),
      versus === "pm"
        ? segments(
            t("start.begins"),
            [
              ["me", t("start.begins.me")],
              ["machine", t("start.begins.machine")],
            ],
            begins,
            (begins) => this.set({ begins }),
            "begins",
          )
        : null,
      versus === "pm" && levelsOf(this.game).length ? this.levels() : null,
    ];
  }

  /** The chosen level; the one after the last is the user's own choice of player. */
  get level() {
    return Math.min(this.own.level ?? USUAL_LEVEL, levelsOf(this.game).length);
  }

  levels() {
    const levels = levelsOf(this.game);
    return h(
      "div",
      { class: "stack" },
      segments(
        t("start.level"),
        [...levels.map(({ name }, i) => [i, pick(name)]), [levels.length, t("start.level.own")]],
        this.level,
        (level) => this.setOwn({ level }),
        "level",
      ),
      levels[this.level] ? h("p", { class: "help" }, h("code", {}, levels[this.level].player)) : null,
    );
  }

  machine() {
    return this.picker(t(this.choice.mode === "hand" ? "start.helper" : "start.player"), helper(this.game), (spec) =>
      setHelper(this.game, spec),
    );
  }

  machines() {
    const { versus } = this.choice;
    const own = (side, title) =>
      this.picker(title, this.player(side), (spec) => this.setOwn({ [`machine${side}`]: spec }));
    if (versus === "mm") return [own(1, t("start.first")), own(2, t("start.second"))];
    if (versus === "pm" && this.level >= levelsOf(this.game).length) return own(1, t("start.player"));
    return this.picker(t("start.helper"), helper(this.game), (spec) => setHelper(this.game, spec));
  }

  player(side) {
    return this.own[`machine${side}`] ?? helper(this.game);
  }

  picker(title, spec, onPick) {
    return h(
      "section",
      { class: "card", key: `${this.game} ${title}` },
      h("h2", {}, title),
      h("player-picker", { ".game": this.game, ".spec": spec, onpick: (event) => onPick(event.detail) }),
    );
  }

  // --- What is played ---

  parameters() {
    const parameters = Object.entries(about(this.game).parameters);
    if (!parameters.length) return null;
    return h(
      "details",
      { key: "parameters" },
      h("summary", {}, t("start.size")),
      h(
        "div",
        { class: "cols" },
        parameters.map(([key, { default: usual, least, most, meaning }]) =>
          input(capital(pick(meaning)), this.own[key] ?? usual, (value) => this.setOwn({ [key]: Number(value) }), {
            key,
            type: "number",
            min: least,
            max: most,
            required: true,
          }),
        ),
      ),
    );
  }

  luck() {
    const { luck, targets } = about(this.game);
    if (!luck && !targets.length) return null;
    const title = luck && targets.length ? "start.more" : luck ? "start.seed" : "start.target";
    return h(
      "details",
      { key: "luck" },
      h("summary", {}, t(title)),
      h(
        "div",
        { class: "cols" },
        luck
          ? input(t("start.seed"), this.choice.seed, (seed) => (this.choice.seed = seed), {
              inputmode: "numeric",
              placeholder: t("start.seed.any"),
            })
          : null,
        targets.length
          ? tileSelect(t("start.target"), targets, this.target, (target) => this.setOwn({ target }))
          : null,
      ),
      luck ? h("p", { class: "help" }, t("start.seed.help")) : null,
    );
  }

  get target() {
    return this.own.target ?? about(this.game).default_target;
  }

  /** A link to training, for games that networks can learn. */
  networks() {
    return gameNames()
      .filter((name) => about(name).features.includes("network"))
      .map((name) =>
        h(
          "p",
          { key: name },
          h("a", { href: `#/train?game=${encodeURIComponent(name)}` }, t("train.link", { game: gameTitle(name) }), " →"),
        ),
      );
  }

  /** A link to practice, for games with endgame tables. */
  drills() {
    return gameNames()
      .filter((name) => about(name).features.includes("tables"))
      .map((name) => h("p", { key: `drill ${name}` }, h("a", { href: "#/drill" }, t("drill.link", { game: gameTitle(name) }), " →")));
  }

  // --- Changes ---

  /** Choose and focus a game that was just opened. */
  choose(game) {
    this.set({ game });
    this.querySelector("input[name=game]:checked").focus();
  }

  set(changes) {
    Object.assign(this.choice, changes);
    remember("start", { ...this.choice, seed: undefined });
    this.update();
  }

  setOwn(changes) {
    this.set({ own: { ...this.choice.own, [this.game]: { ...this.own, ...changes } } });
  }

  async begin() {
    const { mode, versus, seed } = this.choice;
    const { parameters, luck, targets } = about(this.game);
    const changed = Object.keys(parameters).filter((key) => ![undefined, parameters[key].default].includes(this.own[key]));
    const options = Object.fromEntries(changed.map((key) => [key, this.own[key]]));
    const made = await create({
      game: formatSpec({ name: this.game, options }),
      players: this.isForTwo ? this.players() : undefined,
      seed: (luck && seed.trim()) || undefined,
      // The usual target may be beyond a board of another size.
      target: targets.length && (this.own.target || !changed.length) ? this.target : undefined,
    });
    if (made && (this.isForTwo ? versus === "mm" : mode === "auto")) run();
  }

  players() {
    const { versus, begins } = this.choice;
    if (versus === "pp") return ["human", "human"];
    if (versus === "mm") return [this.player(1), this.player(2)];
    const opponent = levelsOf(this.game)[this.level]?.player ?? this.player(1);
    return begins === "me" ? ["human", opponent] : [opponent, "human"];
  }
}

defineScreen("start", StartScreen);
