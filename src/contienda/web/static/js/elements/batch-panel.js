// Many games in a row, as figures: won and lost as they finish, while the board stays playable.

import "./player-picker.js";
import { complain, say } from "../announce.js";
import { fact, input } from "../fields.js";
import { milliseconds, number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { job } from "../live.js";
import { helper } from "../helper.js";
import { gameName } from "../spec.js";
import { recall, remember, set, state } from "../store.js";
import { define, h, View } from "../view.js";

const KEPT_RUNS = 8;
const SHOWN = 100; // games of a run in its table, the newest

class BatchPanel extends View {
  static uses = ["game", "batch", "specs"];

  plan = { games: 100, seed: "", ...recall("batch", {}) };

  render({ game, batch }) {
    if (!game) return null;
    return h(
      "div",
      { class: "card" },
      h("p", { class: "help" }, t("batch.help")),
      batch.status === "running" ? null : this.form(game),
      batch.runs?.map((run, i) => this.run(run, i === 0 && batch.status === "running")),
    );
  }

  form(game) {
    const name = gameName(game.game);
    const sides = [...game.players.keys()];
    return h(
      "form",
      {
        class: "stack",
        onsubmit: (event) => {
          event.preventDefault();
          this.start(game, sides);
        },
      },
      sides.map((side) =>
        h(
          "details",
          { key: `side${side}`, open: sides.length === 1 },
          h(
            "summary",
            {},
            sides.length === 1 ? t("batch.player") : t(side === 0 ? "start.first" : "start.second"),
            ": ",
            h("code", {}, this.player(name, side)),
          ),
          h("player-picker", {
            ".game": name,
            ".spec": this.player(name, side),
            onpick: (event) => this.change({ [`${name}${side}`]: event.detail }),
          }),
        ),
      ),
      h(
        "div",
        { class: "cols" },
        input(t("batch.games"), this.plan.games, (games) => this.change({ games: Number(games) }), {
          type: "number",
          min: 1,
          max: state.catalogue.limits.batch_games,
          required: true,
        }),
        input(t("seed"), this.plan.seed, (seed) => this.change({ seed }), {
          inputmode: "numeric",
          placeholder: t("start.seed.any"),
        }),
      ),
      h("button", { class: "primary wide" }, icon("play"), t("batch.run")),
    );
  }

  player(name, side) {
    return this.plan[`${name}${side}`] ?? helper(name);
  }

  change(changes) {
    Object.assign(this.plan, changes);
    remember("batch", this.plan);
    this.update();
  }

  async start(game, sides) {
    const players = sides.map((side) => this.player(gameName(game.game), side));
    const run = { id: Date.now(), players, game: game.game, progress: null, result: null, ended: [] };
    const asked = job(
      "batch",
      {
        game: game.game,
        players,
        games: this.plan.games,
        seed: this.plan.seed.trim() || undefined,
        target: game.target ?? undefined,
      },
      (progress) => {
        run.ended.push(...(progress.games ?? []));
        put({ ...run, progress });
      },
    );
    set({
      batch: {
        ...state.batch,
        status: "running",
        job: asked,
        runs: [run, ...(state.batch.runs ?? [])].slice(0, KEPT_RUNS),
      },
    });
    try {
      const result = await asked.done;
      run.ended.push(...result.games);
      put({ ...run, progress: result, result });
      say(t("batch.done", { done: result.done }));
    } catch (error) {
      complain(error);
    }
    set({ batch: { ...state.batch, status: "off", job: null } });
  }

  run(run, running) {
    const { progress, result } = run;
    const begun = progress && !progress.compiling;
    const share = begun ? progress.done / progress.total : 0;
    return h(
      "section",
      { class: "run stack", key: run.id },
      h("p", {}, h("code", {}, run.players.join(" – "))),
      running || !begun || progress.done < progress.total
        ? h("progress", { max: 1, value: String(share), "aria-label": t("batch.progress") })
        : null,
      begun
        ? this.figures(progress, run)
        : h("p", { class: "help" }, t(!running ? "batch.stopped" : progress ? "compiling" : "hint.thinking")),
      run.ended.length ? this.ended(run) : null,
      result?.tiles ? this.tiles(result.tiles, result.done) : null,
      running
        ? h("button", { class: "wide", onclick: () => state.batch.job?.cancel() }, icon("stop"), t("batch.cancel"))
        : null,
    );
  }

  figures(progress, run) {
    const percent = (n) => `${number(n)} (${number((100 * n) / (progress.done - progress.repeated), 1)} %)`;
    const two = run.players.length === 2;
    return [
      h("dl", { class: "facts" }, this.facts(progress, two, percent)),
      progress.opening ? h("p", { class: "help" }, t("batch.opening", { n: progress.opening })) : null,
      progress.repeated ? h("p", { class: "help" }, t("batch.repeated", { n: progress.repeated })) : null,
    ];
  }

  facts(progress, two, percent) {
    return [
      fact(two ? "batch.first" : "batch.won", percent(progress.won)),
      fact(two ? "batch.second" : "batch.lost", percent(progress.lost)),
      two ? fact("batch.drawn", percent(progress.drawn)) : fact("batch.score", number(progress.mean_score ?? 0)),
      fact("batch.seconds", milliseconds(1000 * progress.mean_seconds)),
      fact("batch.ms", milliseconds(progress.mean_ms)),
      fact("batch.games", `${number(progress.done)} / ${number(progress.total)}`),
      progress.left_seconds
        ? fact("batch.left", milliseconds(1000 * progress.left_seconds))
        : fact("batch.time", milliseconds(1000 * progress.seconds)),
    ];
  }

  /** A row for each finished game, the newest first. */
  ended({ ended, id }) {
    const points = "score" in ended[0];
    const columns = ["game", "result", ...(points ? ["score", "tile"] : []), "time"];
    const rows = ended.slice(-SHOWN).map((game, i) => [Math.max(0, ended.length - SHOWN) + i + 1, game]);
    return h(
      "div",
      { class: "scroll ended", tabIndex: 0, role: "region", "aria-label": t("batch.ended") },
      h(
        "table",
        { class: "data" },
        h("caption", { class: "unseen" }, t("batch.ended")),
        h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, t(`batch.column.${name}`))))),
        h(
          "tbody",
          {},
          rows.reverse().map(([n, game]) =>
            h(
              "tr",
              { key: `${id}-${n}` },
              h("td", { class: "number" }, number(n)),
              h("td", {}, t(outcome(game))),
              points ? [h("td", { class: "number" }, number(game.score)), h("td", { class: "number" }, number(game.max_tile))] : null,
              h("td", { class: "number" }, milliseconds(1000 * game.seconds)),
            ),
          ),
        ),
      ),
    );
  }

  tiles(tiles, games) {
    const entries = Object.entries(tiles).sort(([a], [b]) => Number(b) - Number(a));
    return h(
      "ul",
      { class: "bars", "aria-label": t("batch.tiles") },
      entries.map(([tile, n]) =>
        h(
          "li",
          { key: tile },
          h("span", { class: "name" }, tile),
          h(
            "span",
            { class: "bar-track", "aria-hidden": "true" },
            h("span", { class: "bar-fill", style: { "--share": n / games } }),
          ),
          h("span", { class: "value" }, `${number((100 * n) / games, 1)} %`),
        ),
      ),
    );
  }
}

/** The text key for a game's result. */
function outcome({ won, winner }) {
  if (winner !== undefined) return ["batch.result.drawn", "batch.first", "batch.second"][winner];
  return won ? "batch.result.won" : "batch.result.lost";
}

/** The current state of the newest run. */
function put(run) {
  set({ batch: { ...state.batch, runs: state.batch.runs.map((old) => (old.id === run.id ? run : old)) } });
}

define("batch-panel", BatchPanel);
