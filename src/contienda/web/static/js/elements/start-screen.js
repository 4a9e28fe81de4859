// The first screen: which game, who plays, which algorithm.

import "./player-picker.js";
import "./games-list.js";
import { create, TARGETS } from "../game.js";
import { input, segments, tileSelect } from "../fields.js";
import { pick, t } from "../i18n.js";
import { helper, setHelper } from "../helper.js";
import { run } from "../playing.js";
import { formatSpec } from "../spec.js";
import { recall, remember } from "../store.js";
import { define, h, View } from "../view.js";
import { art2048, artConnect4 } from "./start-art.js";

const SIZES = { rows: [6, 2, 9], columns: [7, 2, 9], connect: [4, 2, 9] };

class StartScreen extends View {
  static uses = ["specs"];

  choice = {
    game: "2048",
    mode: "hand",
    versus: "pm",
    begins: "me",
    level: 1,
    target: 2048,
    rows: 6,
    columns: 7,
    connect: 4,
    ...recall("start", {}),
    seed: "",
  };

  render() {
    const { choice } = this;
    const current = recall("current");
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
            this.gameCard("2048", art2048()),
            this.gameCard("connect4", artConnect4()),
          ),
          choice.game === "2048" ? this.rules2048() : this.rulesConnect4(),
          h("button", { class: "primary big", type: "submit" }, t("start.go")),
        ),
        h("div", { class: "stack" }, choice.game === "2048" ? this.machine2048() : this.machinesConnect4()),
      ),
      h("p", {}, h("a", { href: "#/train" }, t("train.link"), " →")),
      h("games-list", { saved: "false" }),
    );
  }

  gameCard(game, art) {
    return h(
      "label",
      { class: "game" },
      h("input", {
        type: "radio",
        name: "game",
        value: game,
        checked: this.choice.game === game,
        onchange: () => this.set({ game }),
      }),
      h(
        "span",
        { class: "card" },
        art,
        h("strong", {}, t(`game.${game}`)),
        h("span", { class: "help" }, t(`start.${game}`)),
      ),
    );
  }

  rules2048() {
    const { mode, target, seed } = this.choice;
    return h(
      "div",
      { class: "stack", key: "2048" },
      segments(
        t("start.who"),
        [
          ["hand", t("start.hand")],
          ["auto", t("start.auto")],
        ],
        mode,
        (mode) => this.set({ mode }),
        "mode",
      ),
      h(
        "details",
        {},
        h("summary", {}, t("start.more")),
        h(
          "div",
          { class: "cols" },
          input(t("start.seed"), seed, (seed) => (this.choice.seed = seed), {
            inputmode: "numeric",
            placeholder: t("start.seed.any"),
          }),
          tileSelect(t("start.target"), TARGETS, target, (target) => this.set({ target })),
        ),
        h("p", { class: "help" }, t("start.seed.help")),
      ),
    );
  }

  machine2048() {
    return this.picker(
      "2048",
      t(this.choice.mode === "hand" ? "start.helper" : "start.player"),
      helper("2048"),
      (spec) => setHelper("2048", spec),
    );
  }

  rulesConnect4() {
    const { versus, begins } = this.choice;
    return h(
      "div",
      { class: "stack", key: "connect4" },
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
      versus === "pm" ? this.levels(this.choice.level) : null,
      h(
        "details",
        {},
        h("summary", {}, t("start.size")),
        h(
          "div",
          { class: "cols" },
          Object.entries(SIZES).map(([key, [, min, max]]) =>
            input(t(`start.${key}`), this.choice[key], (value) => this.set({ [key]: Number(value) }), {
              type: "number",
              min,
              max,
              required: true,
            }),
          ),
        ),
      ),
    );
  }

  machinesConnect4() {
    const { versus, level } = this.choice;
    const own = (side, title) =>
      this.picker("connect4", title, this.machine(side), (spec) => this.set({ [`machine${side}`]: spec }));
    if (versus === "mm") return [own(1, t("start.first")), own(2, t("start.second"))];
    if (versus === "pm" && level >= this.connect4Levels().length) return own(1, t("start.player"));
    return this.picker("connect4", t("start.helper"), helper("connect4"), (spec) => setHelper("connect4", spec));
  }

  connect4Levels() {
    return this.seen.catalogue.levels.connect4 ?? [];
  }

  levels(level) {
    const levels = this.connect4Levels();
    return h(
      "div",
      { class: "stack" },
      segments(
        t("start.level"),
        [...levels.map(({ name }, i) => [i, pick(name)]), [levels.length, t("start.level.own")]],
        Math.min(level, levels.length),
        (level) => this.set({ level }),
        "level",
      ),
      levels[level] ? h("p", { class: "help" }, h("code", {}, levels[level].player)) : null,
    );
  }

  picker(game, title, spec, onPick) {
    return h(
      "section",
      { class: "card", key: `${game} ${title}` },
      h("h2", {}, title),
      h("player-picker", { ".game": game, ".spec": spec, onpick: (event) => onPick(event.detail) }),
    );
  }

  machine(side) {
    return this.choice[`machine${side}`] ?? helper("connect4");
  }

  set(changes) {
    Object.assign(this.choice, changes);
    remember("start", { ...this.choice, seed: undefined });
    this.update();
  }

  async begin() {
    const { choice } = this;
    const made = await create(choice.game === "2048" ? this.game2048() : this.gameConnect4());
    if (made && (choice.game === "2048" ? choice.mode === "auto" : choice.versus === "mm")) run();
  }

  game2048() {
    return { game: "2048", target: this.choice.target, seed: this.choice.seed.trim() || undefined };
  }

  gameConnect4() {
    const { versus, begins, level, rows, columns, connect } = this.choice;
    const sizes = Object.entries({ rows, columns, connect }).filter(([key, value]) => value !== SIZES[key][0]);
    const opponent = this.connect4Levels()[level]?.player ?? this.machine(1);
    const players = {
      pp: ["human", "human"],
      mm: [this.machine(1), this.machine(2)],
      pm: begins === "me" ? ["human", opponent] : [opponent, "human"],
    }[versus];
    return { game: formatSpec({ name: "connect4", options: Object.fromEntries(sizes) }), players };
  }
}

define("start-screen", StartScreen);
