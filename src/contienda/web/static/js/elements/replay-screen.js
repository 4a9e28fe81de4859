// A replay: the board, a slider, charts, and a button to play on from any move.

import "./game-review.js";
import "./live-chart.js";
import "./points-review.js";
import "./score-row.js";
import "./why-not.js";
import { api } from "../api.js";
import { select } from "../fields.js";
import { boardOf, ratioOf, shownBoard } from "../drawings.js";
import { branch, save } from "../game.js";
import { has, isForTwo, place } from "../games.js";
import { milliseconds, moment, number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { helper } from "../helper.js";
import { goBy, goTo, loadChart, openReplay, playReplay, setReplaySpeed } from "../replay.js";
import { treeUrl } from "../router.js";
import { gameName } from "../spec.js";
import { state } from "../store.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { gameTitle, moveName, playerName } from "../words.js";
import { shareButton } from "./share-button.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 40, 120, 400];

class ReplayScreen extends View {
  static uses = ["replay", "catalogue"];

  render({ replay }) {
    if (!replay) return h("p", { class: "help loading", role: "status" }, t("loading"));
    const { game, ply, position, previous, step } = replay;
    return h(
      "div",
      { class: "play" },
      h(
        "section",
        {
          class: "stage",
          "aria-label": gameTitle(game.game),
          style: { "--ratio": ratioOf(game.game, position.picture) },
        },
        h("score-row", { ".game": game, ".position": position, ".moves": ply, ".step": step }),
        h("div", { class: "frame", key: game.game }, boardOf(game.game)),
        this.bar(replay),
      ),
      h(
        "aside",
        { class: "side" },
        h("div", { class: "card" }, this.about(replay), this.charts(replay), this.actions(replay)),
        h("div", { class: "card", key: "why" }, h("why-not", { ".game": game, ".position": previous ?? position, ".made": previous ? step?.move : null })),
        has(game.game, "exact") ? h("game-review", { key: `review ${game.id}`, ".game": game, ".ply": ply }) : null,
        has(game.game, "points") && !isForTwo(game.game)
          ? h("points-review", { key: `review ${game.id}`, ".game": game, ".ply": ply })
          : null,
      ),
    );
  }

  bar({ game, ply, playing, speed }) {
    const move = (name, way, disabled) =>
      h(
        "button",
        {
          class: "icon",
          disabled,
          "aria-label": t(`replay.${name}`),
          title: t(`replay.${name}`),
          onclick: () => {
            playReplay(false);
            way();
          },
        },
        icon(name),
      );
    return h(
      "div",
      { class: "replay-bar" },
      h("input", {
        type: "range",
        min: 0,
        max: game.length,
        value: String(ply),
        "aria-label": t("replay.place"),
        "aria-valuetext": t("moves.of", { n: ply, all: game.length }),
        oninput: (event) => {
          playReplay(false);
          goTo(Number(event.target.value));
        },
      }),
      h(
        "div",
        { class: "controls" },
        move("first", () => goTo(0), ply === 0),
        move("back", () => goBy(-1), ply === 0),
        h(
          "button",
          { class: "primary", onclick: () => playReplay() },
          icon(playing ? "pause" : "play"),
          t(playing ? "auto.pause" : "replay.run"),
        ),
        move("step", () => goBy(1), ply === game.length),
        move("end", () => goTo(game.length), ply === game.length),
        h(
          "label",
          { class: "speed-pick" },
          h("span", { class: "unseen" }, t("auto.speed")),
          h(
            "select",
            { value: String(speed), onchange: (event) => setReplaySpeed(Number(event.target.value)) },
            SPEEDS.map((one) =>
              h("option", { value: String(one), selected: one === speed }, t("replay.speed", { n: number(one, 1) })),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "under" },
        h("span", {}, t("moves.of", { n: ply, all: game.length })),
        h(
          "label",
          { class: "jump" },
          t("replay.jump"),
          h("input", {
            type: "number",
            min: 0,
            max: game.length,
            step: 1,
            placeholder: String(ply), // not its value, which must not change while the user types
            onchange: (event) => {
              playReplay(false);
              goTo(Math.round(Number(event.target.value) || 0));
              event.target.value = "";
            },
          }),
        ),
      ),
    );
  }

  about({ game, step, ply }) {
    return h(
      "section",
      { class: "stack" },
      h("h1", { class: "title" }, game.name ?? `${t("replay")}: ${gameTitle(game.game)}`),
      h(
        "p",
        { class: "help" },
        [gameTitle(game.game), game.players.map(playerName).join(" – "), moment(game.updated)].join(" · "),
      ),
      h(
        "p",
        { class: "step-line", role: "status" },
        step
          ? [h("strong", {}, `${number(ply)}. ${moveName(step.move)}`), stepFacts(step).map((fact) => ` · ${fact}`)]
          : t("replay.start"),
      ),
    );
  }

  charts({ game, ply, chart, evaluator }) {
    const evaluators = this.seen.catalogue.evaluators
      .filter((one) => one.games.includes(gameName(game.game)) && one.name !== "none")
      .map((one) => one.name);
    const own = this.seen.heuristics.filter((one) => one.game === gameName(game.game)).map((one) => `mine/${one.name}`);
    const series = chart
      ? [{ values: chart.values }, ...(chart.scores ? [{ values: chart.scores, second: true }] : [])]
      : [];
    const jump = (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      goTo(Math.round(((event.clientX - box.left) / box.width) * game.length));
    };
    return h(
      "section",
      { class: "stack", "aria-label": t("replay.chart") },
      h(
        "div",
        { class: "chart-box", onclick: jump },
        h("live-chart", { ".series": series, ".label": t("replay.chart"), ".at": game.length ? ply / game.length : 0 }),
      ),
      h(
        "p",
        { class: "legend" },
        h("span", {}, t("replay.value", { name: evaluator })),
        chart?.scores ? h("span", { class: "second" }, t("score")) : null,
      ),
      select(
        t("pick.evaluator"),
        [...evaluators, ...own].map((name) => [name, name]),
        evaluator,
        loadChart,
      ),
    );
  }

  actions({ game, ply, position }) {
    return h(
      "section",
      { class: "stack" },
      h("button", { class: "primary wide", onclick: () => branch(game.id, ply) }, icon("play"), t("replay.branch")),
      h(
        "div",
        { class: "row" },
        game.saved
          ? null
          : h("button", { class: "grow", onclick: () => save(game.id, { ply }) }, icon("save"), t("save")),
        h(
          "a",
          { class: "button grow", href: api.fileUrl(game.id), download: "" },
          icon("download"),
          t("list.download"),
        ),
        h(
          "a",
          {
            class: "button grow",
            title: t("tree.see.help"),
            href: treeUrl([{ ...place(game, position), player: helper(game.game) }]),
          },
          icon("tree"),
          t("tree.see"),
        ),
        shareButton(game.game, position),
      ),
    );
  }

  update() {
    super.update();
    const { replay } = state;
    const board = shownBoard(this);
    if (board && replay)
      board.draw({
        game: replay.game,
        position: replay.position,
        step: replay.step,
        pace: replay.playing ? Math.min(1, 5 / replay.speed) : 1,
      });
  }
}

/** Who made a move, and what it cost and brought. */
function stepFacts({ by, ms, nodes, gained }) {
  return [
    playerName(by),
    ms ? milliseconds(ms) : null,
    nodes ? t("hint.counts", { n: nodes }) : null,
    gained ? `+${number(gained)}` : null,
  ].filter(Boolean);
}

defineScreen("replay", ReplayScreen, { enter: ({ id }) => openReplay(id) });
