// A running experiment in a notebook: the lab's table and curves.

import { live } from "../elements/lab-live.js";
import { number, pick, setLanguage, t } from "../i18n.js";
import { icon } from "../icons.js";
import { clock, status } from "../lab/figures.js";
import { set, state } from "../store.js";
import { define, h, View } from "../view.js";
import { listen, tell } from "./line.js";

class WidgetRun extends View {
  static uses = ["lab", "catalogue"];

  render({ lab: { run } }) {
    if (!run) return null;
    return h("section", { class: "widget run", "aria-label": run.name }, this.head(run), live(run));
  }

  head(run) {
    const running = run.status === "running";
    const done = run.total === null ? number(run.done) : `${number(run.done)} / ${number(run.total)}`;
    const rate = running && run.rate ? ` · ${t("lab.rate")} ${number(run.rate, run.rate < 10 ? 1 : 0)}` : "";
    const left = running && run.seconds_left !== null ? ` · ${t("lab.left")} ${clock(run.seconds_left)}` : "";
    return h(
      "header",
      { class: "spread wrap", key: "head" },
      h("h2", { class: "title" }, run.name),
      status(run.status),
      h("span", { class: "number help" }, `${t("lab.done")} ${done}${rate}${left}`),
      running
        ? h("button", { onclick: () => tell({ do: "stop" }), disabled: run.stopping }, icon("stop"), t(run.stopping ? "lab.stopping" : "lab.stop"))
        : null,
      run.status === "stopped" || run.status === "failed"
        ? h("button", { class: "primary", onclick: () => tell({ do: "resume" }) }, icon("play"), t("lab.resume"))
        : null,
      run.total === null ? null : h("progress", { max: 1, value: String(run.done / run.total), "aria-label": t("lab.progress") }),
      run.error ? h("p", { class: "error", role: "alert" }, pick(run.error)) : null,
    );
  }
}

listen(({ language, catalogue, run }) => {
  set({ catalogue, lab: { ...state.lab, run } });
  if (state.language !== language) setLanguage(language, false);
});
define("widget-run", WidgetRun);
