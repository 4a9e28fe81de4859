// Exercises: solve those of the course or a random one, or make one by marking questions on a tree.

import "./exercise-solver.js";
import "./exercise-maker.js";
import { notify } from "../announce.js";
import { drawOne, exerciseFile, fileOf, openLessons } from "../exercise/lessons.js";
import { input, select } from "../fields.js";
import { pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { go } from "../router.js";
import { defineScreen } from "../screens.js";
import { state } from "../store.js";
import { h, View } from "../view.js";

const KINDS = ["minimax", "alphabeta", "expectiminimax", "astar", "mcts"];
const DIFFICULTIES = ["easy", "medium", "hard"];

class ExerciseScreen extends View {
  static uses = ["lessons", "exercise", "catalogue"];

  render({ lessons, exercise }) {
    const told = [
      lessons?.status === "running" ? h("p", { class: "help loading", role: "status", key: "busy" }, t("exercise.searching")) : null,
      lessons?.error ? h("p", { class: "error", role: "alert", key: "error" }, pick(lessons.error)) : null,
    ];
    if (lessons?.make) return [h("h1", { class: "unseen", key: "h" }, t("exercise.make")), told, h("exercise-maker", { key: "make" })];
    if (exercise) return [this.head(exercise), told, h("exercise-solver", { key: exercise.data.link })];
    if (lessons?.status === "running") return [h("h1", { class: "unseen", key: "h" }, t("exercise.title")), told];
    return [h("div", { class: "exercise-index", key: "index" }, h("h1", {}, t("exercise.title")), told, this.course(), this.others())];
  }

  head({ data }) {
    const tool = (text, action) =>
      h(
        "button",
        {
          class: "wide quiet",
          key: text,
          onclick: (event) => {
            event.target.closest("details").open = false;
            action();
          },
        },
        t(text),
      );
    return h(
      "div",
      { class: "exercise-title", key: "title" },
      h("h1", {}, pick(data.title) || data.exercise.player),
      h("a", { class: "button quiet", href: "#/exercise" }, t("exercise.all")),
      h(
        "details",
        { class: "menu", key: "share" },
        h("summary", { class: "button quiet" }, icon("share"), t("tree.export")),
        h(
          "div",
          { class: "card" },
          tool("exercise.link", () => copy(data.link)),
          tool("exercise.file", exerciseFile),
          tool("exercise.page", () => fileOf("page")),
          tool("exercise.sheet", () => fileOf("sheet")),
          tool("exercise.solved", () => fileOf("solved")),
        ),
      ),
    );
  }

  course() {
    return h(
      "section",
      { class: "card", key: "course" },
      h("h2", {}, t("exercise.course")),
      h("p", { class: "help" }, t("exercise.course.help")),
      h(
        "ol",
        {},
        state.catalogue.exercises.map(({ name, title, player }) =>
          h("li", { key: name }, h("a", { href: `#/exercise/${name}` }, pick(title)), " ", h("code", { class: "help" }, player)),
        ),
      ),
    );
  }

  others() {
    this.random ??= { kind: "minimax", difficulty: "easy", seed: 7 };
    const { random } = this;
    return h(
      "div",
      { class: "stack", key: "others" },
      h(
        "form",
        {
          class: "card stack",
          onsubmit: (event) => {
            event.preventDefault();
            drawOne({ ...random, seed: Math.max(0, Math.floor(Number(random.seed)) || 0) });
          },
        },
        h("h2", {}, t("exercise.random")),
        h("p", { class: "help" }, t("exercise.random.help")),
        select(t("exercise.kind"), KINDS.map((kind) => [kind, kind]), random.kind, (kind) => Object.assign(random, { kind })),
        select(
          t("exercise.difficulty"),
          DIFFICULTIES.map((name) => [name, t(`exercise.${name}`)]),
          random.difficulty,
          (difficulty) => Object.assign(random, { difficulty }),
        ),
        input(t("exercise.seed"), String(random.seed), (seed) => Object.assign(random, { seed }), { inputmode: "numeric" }),
        h("button", { class: "primary wide" }, t("exercise.draw")),
      ),
      h(
        "section",
        { class: "card stack" },
        h("h2", {}, t("exercise.make")),
        h("p", { class: "help" }, t("exercise.make.help")),
        h(
          "button",
          { class: "wide", onclick: () => go("#/exercise?make=1&game=tree&position=max[min[3+12+8]+min[2+4+6]+min[14+5+2]]&player=alphabeta") },
          icon("edit"),
          t("exercise.make"),
        ),
      ),
    );
  }
}

async function copy(link) {
  const url = `${location.origin}${location.pathname}${link}`;
  try {
    await navigator.clipboard.writeText(url);
    notify(t("share.copied"));
  } catch {
    prompt(t("share.copy"), url);
  }
}

defineScreen("exercise", ExerciseScreen, {
  place: { order: 3, text: "nav.exercise" },
  enter: openLessons,
});
