// Help: the glossary, with pictures and a search; the algorithms; the keys.

import { attempt } from "../announce.js";
import { api } from "../api.js";
import { segments } from "../fields.js";
import { entriesFor, linked, onTerm } from "../glossary.js";
import { pick, t } from "../i18n.js";
import { KEY_HELP } from "../keys.js";
import { pictureOf } from "../pictures.js";
import { set, state } from "../store.js";
import { define, h, View } from "../view.js";

const TABS = ["glossary", "algorithms", "keys"];

class HelpDialog extends View {
  static uses = ["help", "glossary", "algorithms"];

  render({ help }) {
    return h(
      "dialog",
      { class: "help-dialog", "aria-labelledby": "help-title" },
      h(
        "div",
        { class: "help-head" },
        h("h2", { id: "help-title" }, t("help")),
        segments(
          t("help"),
          TABS.map((tab) => [tab, t(`help.${tab}`)]),
          help.tab,
          (tab) => show({ tab }),
          "help-tab",
        ),
      ),
      h("div", { class: "help-body", key: help.tab }, this[help.tab](help)),
      h("form", { method: "dialog" }, h("button", { class: "primary" }, t("close"))),
    );
  }

  glossary({ text }) {
    const found = entriesFor(text);
    return [
      h(
        "label",
        { class: "field" },
        t("help.search"),
        h("input", {
          type: "search",
          class: "help-search",
          value: text,
          autocomplete: "off",
          oninput: (event) => show({ text: event.target.value }),
        }),
      ),
      h("p", { class: "help", role: "status" }, t("help.found", { n: found.length })),
      h(
        "dl",
        { class: "glossary" },
        found.map(({ name, word, meaning }) =>
          h(
            "div",
            { key: name, "data-term": name },
            pictureOf(name),
            h("dt", {}, word[state.language]),
            h("dd", {}, linked(meaning[state.language])),
          ),
        ),
      ),
    ];
  }

  algorithms() {
    return h(
      "ul",
      { class: "algorithm-list" },
      (state.algorithms ?? []).map(({ name, title, idea }) =>
        h(
          "li",
          { key: name },
          h("a", { href: `#/algorithms/${name}`, onclick: closeHelp }, pick(title)),
          h("p", { class: "help" }, pick(idea)),
        ),
      ),
    );
  }

  keys() {
    return [
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          KEY_HELP.map(([keys, text]) =>
            h(
              "tr",
              {},
              h(
                "td",
                {},
                keys.split(/ +/).map((key) => [h("kbd", {}, key), " "]),
              ),
              h("td", {}, t(text)),
            ),
          ),
        ),
      ),
      h("p", { class: "help" }, t("help.swipe")),
    ];
  }
}

function show(changes) {
  set({ help: { ...state.help, ...changes } });
  if (state.help.tab === "algorithms" && !state.algorithms) loadAlgorithms();
}

export async function loadAlgorithms() {
  if (!state.algorithms) await attempt(async () => set({ algorithms: await api.algorithms() }));
}

const dialog = () => document.querySelector("help-dialog dialog");

function closeHelp() {
  dialog().close();
}

export function openHelp(tab = "glossary") {
  show({ tab, text: "" });
  dialog().showModal();
}

/** Opens the entry of a term by searching for its word, which finds it first. */
function openTerm(name) {
  const entry = state.glossary.find((one) => one.name === name);
  show({ tab: "glossary", text: entry?.word[state.language] ?? "" });
  if (!dialog().open) dialog().showModal();
}

onTerm(openTerm);
define("help-dialog", HelpDialog);
