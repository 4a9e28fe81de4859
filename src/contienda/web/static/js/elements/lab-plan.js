// A plan: as a form, or as the text of its file. An error is shown at its line.

import "./player-picker.js";
import { api } from "../api.js";
import { complain } from "../announce.js";
import { capital, check, input, segments, select } from "../fields.js";
import { pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { begin } from "../lab/lab.js";
import { asToml, entrants, fromExample, fromPlan, GRID } from "../lab/plan.js";
import { about, isForTwo } from "../games.js";
import { helper } from "../helper.js";
import { gameName } from "../spec.js";
import { recall, remember, state } from "../store.js";
import { define, h, View } from "../view.js";
import { gameTitle } from "../words.js";

class LabPlan extends View {
  static uses = ["catalogue"];

  draft = { ...fromExample(state.catalogue.lab_examples[0], ""), ...recall("lab", {}) };
  text = recall("labText", null); // the plan, while it is edited as text
  adding = {}; // the player that would be added next, by game and side
  error = null;
  right = null; // the server's reading of a text
  busy = false;

  render() {
    return h(
      "form",
      {
        class: "stack",
        onsubmit: (event) => {
          event.preventDefault();
          this.start();
        },
      },
      h(
        "div",
        { class: "spread wrap" },
        h("h2", {}, t("lab.new")),
        segments(
          t("lab.as"),
          [
            ["form", t("lab.as.form")],
            ["text", t("lab.as.text")],
          ],
          this.text === null ? "form" : "text",
          (as) => this.write(as),
          "lab-as",
        ),
      ),
      this.text === null ? this.form() : this.editor(),
      h("p", { class: "error", role: "alert", id: "plan-error" }, this.error ? this.complaint() : ""),
      this.text === null ? h("p", { class: "help number", key: "total" }, this.total()) : null,
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { class: "primary big grow", disabled: this.busy || (this.text === null && !entrants(this.draft)) },
          icon("play"),
          t("lab.start"),
        ),
        this.text === null
          ? null
          : h("button", { type: "button", class: "big", onclick: () => this.check() }, icon("check"), t("lab.check")),
      ),
    );
  }

  /** A form has no lines to refer to. */
  complaint() {
    const text = pick(this.error.text);
    return capital(this.text === null ? text.replace(/^(line|línea) \d+: /, "") : text);
  }

  total() {
    const { by, games, interval } = this.draft;
    const n = entrants(this.draft);
    if (by === "interval") return t("lab.open.right", { entrants: n, percent: Number(interval) });
    return t("lab.total", { entrants: n, games: Number(games), total: n * games });
  }

  // --- The form ---

  form() {
    const { draft } = this;
    const two = isForTwo(draft.game);
    const games = Object.keys(state.catalogue.games);
    const targets = [["", t("lab.target.none")], ...about(draft.game).targets.map((tile) => [String(tile), String(tile)])];
    return h(
      "div",
      { class: "stack", key: "form" },
      h(
        "div",
        { class: "presets", role: "group", "aria-label": t("lab.presets") },
        state.catalogue.lab_examples.map((example) =>
          h("button", { type: "button", class: "preset", onclick: () => this.take(example) }, pick(example.question)),
        ),
      ),
      h(
        "div",
        { class: "cols" },
        input(t("lab.name"), draft.name, (name) => this.change({ name }), {
          maxlength: 100,
          placeholder: t("lab.name.any"),
        }),
        select(
          t("lab.game"),
          [...new Set([...games, draft.game])].map((game) => [game, games.includes(game) ? gameTitle(game) : game]),
          draft.game,
          (game) => this.change({ game, players: [], opponents: [], target: "" }),
        ),
      ),
      this.specs("players", "lab.players", "lab.add"),
      two
        ? [
            this.specs("opponents", "lab.opponents", "lab.add.opponent"),
            segments(
              t("lab.sides"),
              ["first", "second", "both"].map((side) => [side, t(`lab.sides.${side}`)]),
              draft.sides,
              (sides) => this.change({ sides }),
              "lab-sides",
            ),
            input(t("lab.opening"), draft.opening, (opening) => this.change({ opening }), {
              key: "opening",
              type: "number",
              min: 0,
              max: 20,
              placeholder: t("lab.opening.usual"),
            }),
          ]
        : null,
      h(
        "div",
        { class: "cols" },
        segments(
          t("lab.by"),
          ["games", "interval"].map((by) => [by, t(`lab.by.${by}`)]),
          draft.by,
          (by) => this.change({ by }),
          "lab-by",
        ),
        draft.by === "games"
          ? input(t("lab.each"), draft.games, (games) => this.change({ games }), {
              key: "games",
              type: "number",
              min: 1,
              max: Math.max(1, Math.floor(state.catalogue.limits.lab_games / Math.max(1, entrants(draft)))),
              required: true,
            })
          : input(t("lab.interval"), draft.interval, (interval) => this.change({ interval }), {
              key: "interval",
              type: "number",
              min: 0.1,
              max: 99,
              step: "any",
              required: true,
            }),
        targets.length === 1 ? null : select(t("lab.target"), targets, draft.target, (target) => this.change({ target })),
      ),
      h(
        "details",
        { key: "more" },
        h("summary", {}, t("lab.more")),
        h(
          "div",
          { class: "stack" },
          input(t("lab.seed"), draft.seed, (seed) => this.change({ seed }), {
            inputmode: "numeric",
            pattern: "[0-9]+",
          }),
          check(t("lab.turns"), draft.turns, (turns) => this.change({ turns })),
        ),
      ),
    );
  }

  /** The chosen players, or opponents, and a picker for one more. */
  specs(key, title, add) {
    const { game } = this.draft;
    const name = gameName(game);
    const next = this.adding[`${key} ${name}`] ?? helper(name);
    const chosen = this.draft[key];
    return h(
      "fieldset",
      { class: "stack tight", key },
      h("legend", { class: "field" }, t(title)),
      key === "opponents" ? h("p", { class: "help" }, t("lab.opponents.help")) : null,
      chosen.length
        ? h(
            "ul",
            { class: "chips" },
            chosen.map((spec) =>
              h(
                "li",
                { key: spec },
                h("code", {}, spec),
                h(
                  "button",
                  {
                    type: "button",
                    class: "quiet",
                    title: t("lab.remove", { name: spec }),
                    "aria-label": t("lab.remove", { name: spec }),
                    onclick: () => this.change({ [key]: chosen.filter((one) => one !== spec) }),
                  },
                  icon("close"),
                ),
              ),
            ),
          )
        : h("p", { class: "help" }, t("lab.players.none")),
      h(
        "details",
        { key: `add ${key}` },
        h("summary", {}, t(add)),
        h(
          "div",
          { class: "adding stack" },
          h("player-picker", {
            ".game": name,
            ".spec": next,
            onpick: (event) => {
              this.adding[`${key} ${name}`] = event.detail;
              this.update();
            },
          }),
          h(
            "button",
            {
              type: "button",
              class: "wide",
              disabled: chosen.includes(next),
              onclick: () => this.change({ [key]: [...chosen, next] }),
            },
            icon("new"),
            h("span", { class: "spec" }, t("lab.add.this", { spec: next })),
          ),
        ),
      ),
    );
  }

  take(example) {
    this.draft = fromExample(example, pick(example.question));
    this.change({});
  }

  change(changes) {
    Object.assign(this.draft, changes);
    remember("lab", this.draft);
    this.error = null;
    this.update();
  }

  // --- The text ---

  editor() {
    const lines = this.text.split("\n").length;
    return h(
      "div",
      { class: "stack", key: "text" },
      h(
        "div",
        { class: "code plan" },
        h(
          "ol",
          { class: "lines", "aria-hidden": "true" },
          [...Array(lines).keys()].map((i) => h("li", { class: this.error?.line === i + 1 ? "wrong" : "" }, i + 1)),
        ),
        h("textarea", {
          class: "mono",
          "aria-label": t("lab.text"),
          "aria-describedby": "plan-error",
          "aria-invalid": String(Boolean(this.error)),
          wrap: "off",
          spellcheck: "false",
          autocapitalize: "off",
          rows: 16,
          value: this.text,
          oninput: (event) => this.type(event.target.value),
          onscroll: (event) => (event.target.previousElementSibling.scrollTop = event.target.scrollTop),
        }),
      ),
      this.right
        ? h("p", { class: "verdict", role: "status" }, this.understood())
        : h("p", { class: "help" }, t("lab.text.help")),
    );
  }

  understood() {
    const { entrants, games, interval } = this.right;
    if (games === null) return t("lab.open.right", { entrants, percent: 100 * interval });
    return t("lab.right", { entrants, games, total: entrants * games });
  }

  type(text) {
    this.text = text;
    remember("labText", text);
    this.error = this.right = null;
    this.update();
  }

  toml() {
    return this.text ?? asToml(this.draft, state.catalogue.limits.lab_games);
  }

  /** Switch from the form to its text, or back if the text is valid. */
  async write(as) {
    if (as === "text") this.type(this.toml() + GRID);
    else if (await this.check()) {
      this.draft = fromPlan(this.right);
      this.text = this.right = null;
      remember("labText", null);
      this.change({});
    } else this.update(); // the choice goes back to "text"
  }

  async check() {
    this.right = await this.ask(() => api.lab.check(this.toml()));
    this.update();
    return this.right;
  }

  async start() {
    this.busy = true;
    this.update();
    await this.ask(() => begin(this.toml()));
    this.busy = false;
    this.update();
  }

  /** Ask the server, and show here what is wrong with the plan. */
  async ask(action) {
    try {
      this.error = null;
      return await action();
    } catch (error) {
      this.error = error.text ? error : null;
      if (!error.text) complain(error);
      return null;
    }
  }
}

define("lab-plan", LabPlan);
