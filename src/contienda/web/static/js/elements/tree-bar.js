// The bar under a tree: forward, back, play, a speed, a slider.

import { number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { goBy, goTo, momentOf, pause, play, setInto, setTreeSpeed, SPEEDS } from "../tree/explorer.js";
import { h } from "../view.js";

export function stepBar(tree) {
  const { moment, playing, speed, lanes, lane, mode } = tree;
  const last = Math.max(0, tree.stops.length - 1);
  const trace = lanes[lane]?.trace;
  const foldable = lanes.some(({ folds }) => folds.size); // otherwise there is nothing to enter
  const move = (name, way, disabled, key) =>
    h(
      "button",
      {
        class: "icon",
        disabled,
        "aria-label": t(`tree.step.${name}`),
        title: `${t(`tree.step.${name}`)} (${key})`,
        onclick: () => {
          pause();
          way();
        },
      },
      icon(name),
    );
  return h(
    "div",
    { class: "step-bar", key: "bar" },
    h(
      "p",
      { class: "says", "aria-hidden": "true" },
      trace && mode !== "two" ? trace.sentence(momentOf(tree, lane)) : bothSay(tree),
    ),
    h("input", {
      type: "range",
      min: 0,
      max: last,
      value: String(moment),
      disabled: !last,
      "aria-label": t("tree.place"),
      "aria-valuetext": t("tree.moment", { n: moment, all: last }),
      oninput: (event) => {
        pause();
        goTo(Number(event.target.value), { speak: false });
      },
    }),
    h(
      "div",
      { class: "controls" },
      move("first", () => goTo(0), moment === 0, "Home"),
      move("back", () => goBy(-1), moment === 0, "←"),
      h(
        "button",
        { class: "primary", disabled: !last, onclick: () => play() },
        icon(playing ? "pause" : "play"),
        t(playing ? "auto.pause" : "tree.play"),
      ),
      move("step", () => goBy(1), moment === last, "→"),
      move("end", () => goTo(last), moment === last, "End"),
      h(
        "label",
        { class: "speed-pick" },
        h("span", { class: "unseen" }, t("auto.speed")),
        h(
          "select",
          { value: String(speed), onchange: (event) => setTreeSpeed(Number(event.target.value)) },
          SPEEDS.map((one) =>
            h("option", { value: String(one), selected: one === speed }, t("tree.speed", { n: number(one, 1) })),
          ),
        ),
      ),
      foldable
        ? h(
            "label",
            { class: "check", title: `${t("tree.into.help")} (I)` },
            h("input", { type: "checkbox", checked: tree.into, onchange: (event) => setInto(event.target.checked) }),
            t("tree.into"),
          )
        : null,
      h(
        "span",
        { class: "help number moment" },
        tree.passed ? `${t("tree.passed", { n: tree.passed })} · ` : "",
        t("tree.moment", { n: moment, all: last }),
      ),
    ),
  );
}

/** With two searches: what each does, or that it waits. */
function bothSay(tree) {
  const before = tree.stops[tree.moment - 1];
  return tree.lanes.map(({ trace }, i) => {
    const now = momentOf(tree, i);
    const waits = before && before[i] === now;
    return h(
      "span",
      { class: waits ? "waits" : "" },
      waits ? t(now === trace.length ? "tree.done" : "tree.waits") : trace.sentence(now),
    );
  });
}
