// The lab: the list of experiments, one experiment, or the documents played again.

import "./lab-documents.js";
import "./lab-plan.js";
import "./lab-run.js";
import { moment, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { status } from "../lab/figures.js";
import { remove } from "../lab/lab.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { gameTitle } from "../words.js";

class LabScreen extends View {
  static uses = ["route", "lab", "catalogue"];

  render({ route, lab }) {
    return h(
      "div",
      { class: "lab" },
      places(route.id),
      route.id === "documents"
        ? h("lab-documents", { key: "documents" })
        : route.id
          ? h("lab-run", { key: "run" })
          : this.home(lab),
    );
  }

  home({ runs }) {
    return [
      h("div", { class: "hero", key: "hero" }, h("h1", {}, t("lab.title")), h("p", { class: "help" }, t("lab.claim"))),
      h(
        "div",
        { class: "lab-home", key: "home" },
        h("section", { class: "card", "aria-label": t("lab.new") }, h("lab-plan")),
        h(
          "section",
          { class: "card" },
          h("h2", {}, t("lab.yours")),
          runs === null
            ? h("p", { class: "help", role: "status" }, t("loading"))
            : runs.length
              ? h("ul", { class: "list" }, runs.map(listed))
              : h("p", { class: "help" }, t("lab.none")),
        ),
      ),
    ];
  }
}

/** Experiments, or documents. */
function places(id) {
  const place = (hash, text, here) => h("a", { href: hash, "aria-current": here ? "page" : null }, t(text));
  return h(
    "nav",
    { class: "tabs places", "aria-label": t("lab.places"), key: "places" },
    place("#/lab", "lab.experiments", id !== "documents"),
    place("#/lab/documents", "lab.documents", id === "documents"),
  );
}

function listed(run) {
  return h(
    "li",
    { key: run.id },
    h(
      "div",
      { class: "what" },
      run.status === "unreadable" ? h("span", {}, run.name) : h("a", { href: `#/lab/${run.id}` }, run.name),
      run.status === "unreadable"
        ? h("span", { class: "error" }, pick(run.error))
        : h(
            "span",
            { class: "help" },
            `${gameTitle(run.game)} · `,
            run.total === null ? t("lab.games", { n: run.done }) : t("lab.of", { done: run.done, total: run.total }),
          ),
      run.status === "running" && run.total
        ? h("progress", { max: 1, value: String(run.done / run.total), "aria-label": t("lab.progress") })
        : null,
      h("span", { class: "help" }, moment(run.updated)),
    ),
    status(run.status),
    h(
      "button",
      {
        class: "quiet icon",
        title: t("delete"),
        "aria-label": `${t("delete")}: ${run.name}`,
        onclick: () => remove(run),
      },
      icon("bin"),
    ),
  );
}

defineScreen("lab", LabScreen, { place: { order: 4, text: "nav.lab" } });
