// A form for a player: algorithm, depth or other limit, evaluator, weights, and an
// explanation. Built from the catalogue.

import { capital, input, optionFields, segments, select, sentence } from "../fields.js";
import { pick, t } from "../i18n.js";
import { formatSpec, parseSpec } from "../spec.js";
import { state } from "../store.js";
import { define, h, View } from "../view.js";

const DEPTHS = [1, 2, 3, 4, 5, 6, 7];
const USUAL_DEPTH = 5; // of drawn trees, which are no game of the catalogue
const USUAL_MS = 200;
const SHOWN = ["depth", "ms", "eval", "rollouts", "sims"]; // the others are under "more options"

let last = 0;

/** Set `game` (its name) and `spec`; a "pick" event carries the new spec. */
class PlayerPicker extends View {
  static uses = ["catalogue", "heuristics"];
  static props = ["game", "spec"];

  id_ = `picker${(last += 1)}`;

  render({ catalogue }) {
    const players = catalogue.players.filter((player) => player.name !== "human" && player.games.includes(this.game));
    const spec = parseSpec(this.spec);
    const info = players.find((player) => player.name === spec.name);
    return h(
      "div",
      { class: "stack" },
      this.ready(catalogue.configurations[this.game] ?? []),
      select(
        t("pick.algorithm"),
        [...(info ? [] : [[spec.name, spec.name]]), ...players.map((player) => [player.name, player.name])],
        spec.name,
        (name) => this.choose(name),
      ),
      info ? h("p", { class: "help" }, sentence(pick(info.about))) : null,
      info ? [this.limit(info, spec), this.evaluator(info, spec), this.rest(info, spec)] : null,
      h(
        "details",
        { key: "text" },
        h("summary", {}, t("pick.spec")),
        h(
          "div",
          { class: "field" },
          h("input", {
            class: "mono",
            "aria-label": t("pick.spec"),
            value: this.spec,
            spellcheck: "false",
            autocapitalize: "off",
            onchange: (event) => this.tell(event.target.value),
          }),
          h("p", { class: "help" }, t("pick.spec.help")),
        ),
      ),
    );
  }

  /** Complete players as the documents describe them. */
  ready(players) {
    if (!players.length) return null;
    const chosen = players.some(({ player }) => player === this.spec) ? this.spec : "";
    const names = players.map(({ name, player }) => [player, pick(name)]);
    return select(t("pick.ready"), [["", t("pick.ready.own")], ...names], chosen, (player) => player && this.tell(player));
  }

  // --- How far ---

  limit(info, spec) {
    const { parameters } = info;
    const count = ["rollouts", "sims"].find((key) => key in parameters);
    if (!("depth" in parameters) && !count) return null;
    const main = count ?? "depth";
    const timed = "ms" in spec.options && "ms" in parameters;
    return h(
      "div",
      { class: "stack", key: "limit" },
      "ms" in parameters
        ? segments(
            t("pick.limit"),
            [
              [false, count ? capital(pick(parameters[count].meaning)) : t("pick.depth")],
              [true, t("pick.ms")],
            ],
            timed,
            (byTime) => this.change(byTime ? { [main]: "", ms: String(USUAL_MS) } : { ms: "" }),
            `${this.id_}limit`,
          )
        : null,
      timed ? this.time(spec) : count ? this.count(count, parameters[count], spec) : this.depth(parameters.depth, spec),
    );
  }

  depth(parameter, spec) {
    const usual = Number(parameter.default) || state.catalogue.games[this.game]?.usual_depth;
    const depth = Number(spec.options.depth) || usual || USUAL_DEPTH;
    const means = this.means(spec.name);
    return h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "depths" },
        segments(
          t("pick.depth"),
          DEPTHS.map((n) => [n, String(n)]),
          depth,
          (n) => this.change({ depth: String(n) }),
          `${this.id_}depth`,
        ),
        h(
          "label",
          { class: "field other" },
          h("span", { class: "unseen" }, t("pick.depth.other")),
          h("input", {
            type: "number",
            min: 1,
            max: state.catalogue.limits.depth,
            value: String(depth),
            title: t("pick.depth.other"),
            onchange: (event) => this.change({ depth: event.target.value }),
          }),
        ),
      ),
      h("p", { class: "help" }, means ? t(means, { n: depth }) : sentence(pick(parameter.meaning))),
    );
  }

  /** The meaning of a level in this game; path searches and drawn trees have their own. */
  means(name) {
    const game = state.catalogue.games[this.game];
    const info = state.catalogue.players.find((player) => player.name === name);
    if (!game || info.features.includes("paths")) return null;
    return `pick.depth.${game.sides === 2 ? "two" : "one"}${game.luck ? ".luck" : ""}`;
  }

  time(spec) {
    return h(
      "div",
      { class: "stack" },
      input(t("pick.ms.label"), spec.options.ms, () => {}, {
        type: "number",
        min: 1,
        max: state.catalogue.limits.ms,
        onchange: (event) => this.change({ ms: event.target.value || String(USUAL_MS) }),
      }),
      h("p", { class: "help" }, t("pick.ms.means", { n: Number(spec.options.ms) })),
    );
  }

  count(key, parameter, spec) {
    return input(capital(pick(parameter.meaning)), spec.options[key] ?? pick(parameter.default), () => {}, {
      type: "number",
      min: 1,
      onchange: (event) => this.change({ [key]: event.target.value }),
    });
  }

  // --- By what ---

  evaluator(info, spec) {
    if (!("eval" in info.parameters)) return null;
    const usual = this.usual(info);
    const evaluators = state.catalogue.evaluators.filter((evaluator) => evaluator.games.includes(this.game));
    const own = state.heuristics
      .filter((heuristic) => heuristic.game === this.game)
      .map((heuristic) => `mine/${heuristic.name}`);
    const chosen = spec.options.eval ?? usual;
    const about = evaluators.find((evaluator) => evaluator.name === chosen);
    const names = [...evaluators.map((evaluator) => evaluator.name), ...own];
    if (!names.includes(chosen)) names.push(chosen);
    return h(
      "div",
      { class: "stack", key: "eval" },
      select(
        t("pick.evaluator"),
        names.map((name) => [name, name === usual ? t("pick.default", { name }) : name]),
        chosen,
        (name) => this.evaluate(info, name, usual),
      ),
      about
        ? [
            h("p", { class: "help" }, pick(about.about)),
            h(
              "details",
              { key: "formula" },
              h("summary", {}, t("pick.formula")),
              h("p", { class: "help" }, h("code", {}, pick(about.formula))),
              h("p", { class: "help" }, t("pick.origin", { origin: pick(about.origin) })),
            ),
            info.weights && Object.keys(about.weights).length ? this.weights(info, spec, about) : null,
          ]
        : null,
    );
  }

  /** The default evaluator of this player. */
  usual(info) {
    const own = pick(info.parameters.eval.default);
    if (state.catalogue.evaluators.some((evaluator) => evaluator.name === own)) return own;
    return info.evaluators[this.game] ?? "none"; // a drawn tree has no other
  }

  weights(info, spec, about) {
    const changed = Object.keys(about.weights).some((name) => name in spec.options);
    return h(
      "details",
      { key: "weights" },
      h("summary", {}, t("pick.weights")),
      h(
        "div",
        { class: "cols" },
        Object.entries(about.weights).map(([name, value]) =>
          h(
            "label",
            { class: "field mini" },
            name,
            h("input", {
              type: "number",
              step: "any",
              value: spec.options[name] ?? String(value),
              onchange: (event) =>
                this.change({ [name]: Number(event.target.value) === value ? "" : event.target.value }),
            }),
          ),
        ),
      ),
      h(
        "button",
        {
          class: "quiet",
          disabled: !changed,
          onclick: () => this.change(Object.fromEntries(Object.keys(about.weights).map((name) => [name, ""]))),
        },
        t("pick.reset"),
      ),
    );
  }

  rest(info, spec) {
    const hidden = [...SHOWN, ...(info.refused[this.game] ?? [])];
    const others = Object.entries(info.parameters).filter(([key]) => !hidden.includes(key));
    if (!others.length) return null;
    return h(
      "details",
      { key: "rest" },
      h("summary", {}, t("pick.more")),
      optionFields(Object.fromEntries(others), spec.options, (options) => this.change(options)),
    );
  }

  // --- Changes ---

  /** Change the algorithm, keeping the options that the new one has too. */
  choose(name) {
    const info = state.catalogue.players.find((player) => player.name === name);
    const { options } = parseSpec(this.spec);
    const kept = Object.entries(options).filter(
      ([key]) => ["depth", "ms", "eval"].includes(key) && key in info.parameters,
    );
    this.tell(formatSpec({ name, options: Object.fromEntries(kept) }));
  }

  /** Change the evaluator, dropping the weights of the old one. */
  evaluate(info, name, usual) {
    const spec = parseSpec(this.spec);
    const options = Object.fromEntries(Object.entries(spec.options).filter(([key]) => key in info.parameters));
    this.tell(formatSpec({ name: spec.name, options: { ...options, eval: name === usual ? "" : name } }));
  }

  change(options) {
    const spec = parseSpec(this.spec);
    this.tell(formatSpec({ name: spec.name, options: { ...spec.options, ...options } }));
  }

  tell(spec) {
    this.spec = spec;
    this.dispatchEvent(new CustomEvent("pick", { detail: spec }));
  }
}

define("player-picker", PlayerPicker);
