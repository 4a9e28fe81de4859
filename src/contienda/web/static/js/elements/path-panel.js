// Path searches: a path from this board to a tile is found first, then replayed.

import { complain } from "../announce.js";
import { check, fact, optionFields, select, tileSelect } from "../fields.js";
import { about } from "../games.js";
import { milliseconds, number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { job } from "../live.js";
import { formatSpec, parseSpec } from "../spec.js";
import { recall, remember, set, state } from "../store.js";
import { define, h, View } from "../view.js";

class PathPanel extends View {
  static uses = ["game", "path", "catalogue"];

  plan = { spec: "astar", target: null, options: {}, here: true, ...recall("path", {}) };

  render({ game, path, catalogue }) {
    if (!game) return null;
    const spec = parseSpec(this.plan.spec);
    const { choices, targets } = catalogue.problems[about(game.game).problem];
    const info = catalogue.solvers.find((solver) => solver.name === spec.name) ?? catalogue.solvers[0];
    return h(
      "div",
      { class: "card" },
      h("p", { class: "help" }, t("path.help")),
      h(
        "form",
        {
          class: "stack",
          onsubmit: (event) => {
            event.preventDefault();
            this.start(game);
          },
        },
        select(
          t("pick.algorithm"),
          catalogue.solvers.map((solver) => [solver.name, solver.name]),
          info.name,
          (name) => this.change({ spec: name }),
        ),
        h("p", { class: "help" }, pick(info.about), "."),
        h(
          "details",
          { key: "rest" },
          h("summary", {}, t("pick.more")),
          optionFields(info.parameters, spec.options, (options) =>
            this.change({ spec: formatSpec({ name: info.name, options: { ...spec.options, ...options } }) }),
          ),
        ),
        h("p", { class: "help" }, h("code", {}, this.plan.spec)),
        tileSelect(t("target"), targets, this.targetOf(game), (target) => this.change({ target })),
        Object.entries(choices).map(([key, { title, values }]) =>
          select(
            pick(title),
            Object.entries(values).map(([value, text]) => [value, pick(text)]),
            this.plan.options[key] ?? Object.keys(values)[0],
            (value) => this.change({ options: { ...this.plan.options, [key]: value } }),
          ),
        ),
        check(t("path.here"), this.plan.here, (here) => this.change({ here })),
        path.status === "running"
          ? h(
              "button",
              { key: "stop", class: "wide", type: "button", onclick: () => path.job.cancel() },
              icon("stop"),
              t("batch.cancel"),
            )
          : h("button", { key: "run", class: "primary wide" }, icon("play"), t("path.run")),
      ),
      this.result(path),
    );
  }

  targetOf(game) {
    return this.plan.target ?? about(game.game).default_target;
  }

  change(changes) {
    Object.assign(this.plan, changes);
    remember("path", this.plan);
    this.update();
  }

  async start(game) {
    const { spec, options, here } = this.plan;
    const target = this.targetOf(game);
    const { text } = game.position;
    const asked = job(
      "solution",
      { game: game.game, options, position: here ? text : game.start.text, seed: game.seed, player: spec, target },
      (progress) => set({ path: { ...state.path, progress } }),
    );
    set({ path: { status: "running", job: asked, progress: null, result: null } });
    try {
      set({ path: { status: "off", progress: null, result: await asked.done } });
    } catch (error) {
      complain(error);
      set({ path: { status: "off", progress: null, result: null } });
    }
  }

  result({ status, progress, result }) {
    if (status === "running")
      return h(
        "p",
        { class: "help", role: "status" },
        progress?.compiling ? t("compiling") : t("path.progress", { time: milliseconds(1000 * (progress?.seconds ?? 0)) }),
      );
    if (!result) return null;
    return h(
      "section",
      { class: "stack", role: "status" },
      h(
        "p",
        { class: `verdict${result.found ? "" : " wrong"}` },
        result.found ? t("path.found", { n: result.steps }) : result.message ? pick(result.message) : t("path.none"),
      ),
      h(
        "dl",
        { class: "facts" },
        fact("path.states", number(result.states)),
        fact("path.steps", number(result.steps ?? 0)),
        fact("batch.time", milliseconds(1000 * result.seconds)),
      ),
      result.game
        ? h("a", { class: "button wide", href: `#/replay/${result.game.id}` }, icon("play"), t("path.replay"))
        : null,
    );
  }
}

define("path-panel", PathPanel);
