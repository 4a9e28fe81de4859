// The questions about a tree, and the answers.

import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { again, check, marksAllowed, setValue } from "../tree/guess.js";
import { h } from "../view.js";

export function guessCard(tree) {
  const { guess } = tree;
  const { trace } = tree.lanes[0];
  return h(
    "section",
    { class: "card", key: "guess" },
    h("h2", {}, t("tree.guess.title")),
    h("p", { class: "help" }, h("code", {}, trace.player)),
    guess.checked ? answers(guess.checked, trace) : questions(tree),
  );
}

function questions(tree) {
  return h(
    "form",
    {
      class: "stack",
      key: "ask",
      onsubmit: (event) => {
        event.preventDefault();
        check();
      },
    },
    h(
      "label",
      { class: "field" },
      t("tree.guess.value"),
      h("input", {
        inputmode: "decimal",
        autocomplete: "off",
        value: tree.guess.value,
        oninput: (event) => setValue(event.target.value),
      }),
    ),
    marksAllowed(tree)
      ? [
          h("p", {}, t("tree.guess.marks")),
          h("p", { class: "help", role: "status" }, t("tree.guess.marked", { n: tree.guess.marks.size })),
        ]
      : null,
    h("button", { class: "primary wide" }, icon("check"), t("tree.guess.check")),
  );
}

function answers({ value, right, wrong, missed, cut }, trace) {
  const real = trace.shown(0, trace.length).label;
  return h(
    "div",
    { class: "stack", key: "answer", role: "status" },
    h(
      "p",
      { class: `verdict${value === false ? " wrong" : ""}` },
      value === null
        ? t("tree.guess.is", { value: real })
        : t(value ? "tree.guess.right" : "tree.guess.wrong", { value: real }),
    ),
    trace.windows
      ? h(
          "p",
          { class: `verdict${wrong || missed ? " wrong" : ""}` },
          t("tree.guess.cuts", { right, wrong, missed, n: cut }),
        )
      : null,
    h("p", { class: "help" }, t("tree.guess.see")),
    h("button", { class: "wide", onclick: again }, t("tree.guess.again")),
  );
}
