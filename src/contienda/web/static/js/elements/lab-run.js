// One experiment: its progress, its results, its figures, its plan.

import { api } from "../api.js";
import { fact } from "../fields.js";
import { number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { clock, status } from "../lab/figures.js";
import { put, remove, resume, stop } from "../lab/lab.js";
import { fromPlan } from "../lab/plan.js";
import { go } from "../router.js";
import { remember } from "../store.js";
import { dark } from "../theme.js";
import { define, h, View } from "../view.js";
import { gameTitle } from "../words.js";
import { comparison } from "./lab-comparison.js";
import { live } from "./lab-live.js";

const TABS = ["live", "compare", "figures", "plan"];
const EXPORTS = ["html", "csv", "parquet", "toml", "sqlite"];

class LabRun extends View {
  static uses = ["lab", "theme"];

  render({ lab, language }) {
    const { run, tab = "live" } = lab;
    if (!run)
      return h(
        "div",
        { class: "help loading", role: "status" },
        h("h1", { class: "unseen" }, t("lab.title")),
        t(lab.missing ? "lab.missing" : "loading"),
      );
    return [
      this.head(run, language),
      this.tabs(tab),
      h(
        "div",
        { role: "tabpanel", id: "lab-panel", class: "stack", "aria-labelledby": `lab-tab-${tab}`, key: tab },
        tab === "live" ? live(run) : null,
        tab === "compare" ? comparison(lab) : null,
        tab === "figures" ? figures(lab, language) : null,
        tab === "plan" ? plan(run) : null,
      ),
    ];
  }

  head(run, language) {
    const running = run.status === "running";
    return h(
      "section",
      { class: "card run-head", key: "head" },
      h(
        "div",
        { class: "spread wrap" },
        h("h1", { class: "title" }, run.name),
        status(run.status),
        h(
          "div",
          { class: "row end" },
          running
            ? h(
                "button",
                { disabled: Boolean(run.stopping), onclick: () => stop(run.id) },
                icon("stop"),
                t(run.stopping ? "lab.stopping" : "lab.stop"),
              )
            : null,
          run.status === "stopped" || run.status === "failed"
            ? h("button", { class: "primary", onclick: () => resume(run.id) }, icon("play"), t("lab.resume"))
            : null,
          h(
            "details",
            { class: "menu", key: "export" },
            h("summary", { class: "button" }, icon("download"), t("lab.export")),
            h(
              "div",
              { class: "card" },
              EXPORTS.map((kind) =>
                h(
                  "a",
                  {
                    class: "button quiet wide",
                    href: api.lab.exportUrl(run.id, kind, language),
                    download: "",
                    onclick: (event) => (event.target.closest("details").open = false),
                  },
                  t(`lab.export.${kind}`),
                ),
              ),
            ),
          ),
          h(
            "button",
            { class: "quiet icon", title: t("delete"), "aria-label": t("delete"), onclick: () => remove(run) },
            icon("bin"),
          ),
        ),
      ),
      run.total === null
        ? null
        : h("progress", { max: 1, value: String(run.done / run.total), "aria-label": t("lab.progress") }),
      h(
        "dl",
        { class: "facts" },
        fact("lab.game", gameTitle(run.game) + (run.plan.target ? ` → ${run.plan.target}` : "")),
        fact("lab.done", run.total === null ? number(run.done) : `${number(run.done)} / ${number(run.total)}`),
        running && run.rate ? fact("lab.rate", number(run.rate, run.rate < 10 ? 1 : 0)) : null,
        running && run.seconds_left !== null ? fact("lab.left", clock(run.seconds_left)) : null,
      ),
      running && !run.done ? h("p", { class: "help", role: "status" }, t("lab.compiling")) : null,
      run.late ? h("p", { class: "help" }, t("lab.late")) : null,
      run.error ? h("p", { class: "error", role: "alert" }, pick(run.error)) : null,
    );
  }

  tabs(tab) {
    const turn = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length];
      put({ tab: next });
      queueMicrotask(() => this.querySelector(`#lab-tab-${next}`)?.focus());
    };
    return h(
      "div",
      { class: "tabs", role: "tablist", "aria-label": t("lab.tabs"), onkeydown: turn, key: "tabs" },
      TABS.map((name) =>
        h(
          "button",
          {
            role: "tab",
            key: name,
            id: `lab-tab-${name}`,
            "aria-selected": String(name === tab),
            "aria-controls": "lab-panel",
            tabIndex: name === tab ? 0 : -1,
            onclick: () => put({ tab: name }),
          },
          t(`lab.tab.${name}`),
        ),
      ),
    );
  }
}

// --- Figures and plan ---

function figures({ run, comparison }, language) {
  if (!comparison?.figures.length) return h("p", { class: "help", key: "wait" }, t("lab.figures.wait"));
  const theme = dark() ? "dark" : "light";
  return h(
    "div",
    { class: "figures", key: "figures" },
    comparison.figures.map((name) =>
      h(
        "figure",
        { class: "card", key: name },
        h("img", {
          src: api.lab.figureUrl(run.id, name, { language, theme, games: comparison.games }),
          alt: t("lab.figure", { name: pick(comparison.figure_titles[name]) }),
        }),
      ),
    ),
  );
}

function plan(run) {
  return h(
    "section",
    { class: "card", key: "plan" },
    h("pre", { class: "toml", tabIndex: 0, "aria-label": t("lab.text") }, h("code", {}, run.plan.toml)),
    h(
      "button",
      {
        onclick: () => {
          remember("lab", fromPlan(run.plan));
          remember("labText", run.plan.paths ? run.plan.toml : null); // a form knows no path searches
          go("#/lab");
        },
      },
      icon("edit"),
      t("lab.again"),
    ),
  );
}

define("lab-run", LabRun);
