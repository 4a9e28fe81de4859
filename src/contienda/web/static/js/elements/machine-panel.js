// The user's helper: which player it is, its proposal, a quiz, and letting it play.

import "./live-chart.js";
import "./player-picker.js";
import { check, fact } from "../fields.js";
import { move } from "../game.js";
import { has, place } from "../games.js";
import { milliseconds, number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { helper, setHelper } from "../helper.js";
import { FASTEST, pause, run, setSpeed, step } from "../playing.js";
import { propose, toggleHints, toggleQuiz } from "../proposing.js";
import { treeUrl } from "../router.js";
import { gameName } from "../spec.js";
import { set, state } from "../store.js";
import { define, h, View } from "../view.js";
import { moveName } from "../words.js";
import { hintList } from "./hint-list.js";

class MachinePanel extends View {
  static uses = ["game", "hint", "hintsOn", "quiz", "auto", "specs", "catalogue"];

  render({ game }) {
    if (!game) return null;
    return h(
      "div",
      { class: "card" },
      this.proposal(game),
      h("hr", {}),
      this.playing(game),
      h("hr", {}),
      this.choice(game),
    );
  }

  proposal(game) {
    const { hint, hintsOn, quiz } = state;
    const shown = hint.status === "ready" && hint.text === game.position.text && !quiz.on;
    const best = shown ? hint.analysis.best : null;
    return h(
      "section",
      { class: "stack", "aria-label": t("hint.propose") },
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "primary grow",
            disabled: game.position.over || quiz.on,
            "aria-keyshortcuts": "H",
            onclick: propose,
          },
          icon("hint"),
          hint.status === "thinking" && !quiz.on ? t("hint.thinking") : t("hint.propose"),
        ),
        h(
          "button",
          { class: "grow", disabled: !best, "aria-keyshortcuts": "J", onclick: () => move(best) },
          icon("check"),
          best ? t("hint.play", { move: moveName(best, game.position) }) : t("hint.play", { move: "…" }),
        ),
        h(
          "a",
          {
            class: "button",
            title: t("tree.see.help"),
            href: treeUrl([{ ...place(game, game.position), player: helper(game.game) }]),
          },
          icon("tree"),
          t("tree.see"),
        ),
      ),
      h(
        "div",
        { class: "row" },
        check(t("hint.on"), hintsOn, toggleHints),
        h("span", { class: "grow" }),
        check(t("hint.quiz"), quiz.on, toggleQuiz),
      ),
      has(game.game, "exact")
        ? check(t("hint.perfect"), hintsOn && isPerfect(game), (on) => togglePerfect(game, on))
        : null,
      quiz.on
        ? this.quiz(game)
        : shown
          ? hintList(hint.analysis, game)
          : h("p", { class: "help" }, hint.waiting ? t("hint.waiting", { place: String(hint.waiting) }) : t(hint.compiling ? "compiling" : "hint.none")),
    );
  }

  quiz(game) {
    const { last, right, total } = state.quiz;
    return h(
      "div",
      { class: "stack", key: "quiz" },
      h("p", { class: "help" }, last ? t("quiz.tally", { right, total }) : t("hint.quiz.help")),
      last
        ? h(
            "p",
            { class: `verdict${last.right ? "" : " wrong"}` },
            last.right
              ? t("quiz.right", { move: moveName(last.mine, last.position) })
              : t("quiz.wrong", {
                  mine: moveName(last.mine, last.position),
                  best: moveName(last.analysis.best, last.position),
                }),
          )
        : null,
      last ? hintList(last.analysis, { ...game, position: last.position }, last.mine) : null,
    );
  }

  playing(game) {
    const { running, speed, moves } = state.auto;
    const over = game.position.over;
    const own = moves.filter((one) => one.id === game.id);
    return h(
      "section",
      { class: "stack", "aria-label": t("auto.title") },
      h(
        "div",
        { class: "row" },
        running
          ? h(
              "button",
              { key: "pause", class: "grow", "aria-keyshortcuts": "Space", onclick: pause },
              icon("pause"),
              t("auto.pause"),
            )
          : h(
              "button",
              { key: "run", class: "grow", disabled: over, "aria-keyshortcuts": "Space", onclick: run },
              icon("play"),
              t("auto.solve"),
            ),
        h(
          "button",
          { class: "grow", disabled: over, "aria-keyshortcuts": ".", onclick: step },
          icon("step"),
          t("auto.step"),
        ),
        h("button", { class: "grow", disabled: !running && !own.length, onclick: stop }, icon("stop"), t("auto.stop")),
      ),
      h(
        "label",
        { class: "speed" },
        t("auto.speed"),
        h("input", {
          type: "range",
          min: 0,
          max: SPEEDS.length - 1,
          value: String(nearest(speed)),
          "aria-valuetext": speedText(speed),
          oninput: (event) => setSpeed(SPEEDS[event.target.value]),
        }),
        h("span", { class: "help" }, speedText(speed)),
      ),
      own.length ? this.figures(own) : null,
    );
  }

  figures(own) {
    const mean = (key) => own.reduce((sum, one) => sum + one[key], 0) / own.length;
    const recent = own.slice(-20);
    const rate = recent.length > 1 ? (1000 * (recent.length - 1)) / (recent.at(-1).at - recent[0].at) : 0;
    return h(
      "div",
      { class: "stack", key: "figures" },
      h(
        "dl",
        { class: "facts" },
        fact("auto.nodes", number(mean("nodes"))),
        fact("auto.ms", milliseconds(mean("ms"))),
        fact("auto.rate", number(rate, 1)),
      ),
      h("live-chart", {
        ".series": [{ values: own.map((one) => one.ms), zero: true }],
        ".label": t("auto.chart", { n: own.length }),
      }),
      h("p", { class: "legend" }, h("span", {}, t("auto.chart", { n: own.length }))),
    );
  }

  choice(game) {
    const name = gameName(game.game);
    return h(
      "section",
      { class: "stack", "aria-label": t("start.helper") },
      h("h2", {}, t("start.helper")),
      h("p", { class: "help" }, h("code", {}, helper(game.game))),
      h("player-picker", {
        ".game": name,
        ".spec": helper(game.game),
        onpick: (event) => setHelper(name, event.detail),
      }),
      game.players.length === 1
        ? null
        : h(
            "p",
            { class: "help" },
            t("hint.opponent", { players: game.players.filter((player) => player !== "human").join(" – ") || "–" }),
          ),
    );
  }
}

const SPEEDS = [0.5, 1, 2, 4, 8, 15, 30, FASTEST];
const nearest = (speed) => SPEEDS.findIndex((one) => one >= speed);
const speedText = (speed) =>
  speed >= FASTEST ? t("auto.max") : t("auto.perSecond", { n: speed < 1 ? number(speed, 1) : speed });

const PERFECT = "solver:ms=2000"; // long enough for nearly all positions, short enough to play by
const isPerfect = (game) => helper(game.game) === PERFECT;

/** The values of perfect play stay above the columns for all players. */
function togglePerfect(game, on) {
  if (on) setHelper(gameName(game.game), PERFECT);
  toggleHints(on);
}

function stop() {
  pause();
  set({ auto: { ...state.auto, running: false, moves: [] } });
}

define("machine-panel", MachinePanel);
