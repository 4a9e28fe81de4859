// The user's own evaluator: a few lines of Python, compiled on the server and run inside the search.

import { api } from "../api.js";
import { attempt, complain, notify, say } from "../announce.js";
import { pick, t } from "../i18n.js";
import { helper, setHelper } from "../helper.js";
import { icon } from "../icons.js";
import { begin } from "../lab/lab.js";
import { formatSpec, gameName, parseSpec } from "../spec.js";
import { recall, remember, set, state } from "../store.js";
import { define, h, View } from "../view.js";
import { about } from "../games.js";

class HeuristicEditor extends View {
  static uses = ["game", "heuristics"];

  error = null;
  check = null; // { found }: what the check of the draft found, or null while it runs
  mayLeave = false; // after Esc, Tab leaves the editor
  drafts = recall("drafts", {});

  render({ game, heuristics }) {
    if (!game) return null;
    const name = gameName(game.game);
    const draft = (this.drafts[name] ??= { name: "mine", source: about(name).example_evaluator });
    const lines = draft.source.split("\n").length;
    const own = heuristics.filter((one) => one.game === name);
    return h(
      "div",
      { class: "card" },
      h("p", { class: "help" }, t(state.catalogue.safe_heuristics ? "own.safe" : about(name).compiled ? "own.help" : "own.help.plain")),
      h(
        "label",
        { class: "field" },
        t("own.name"),
        h("input", {
          value: draft.name,
          maxlength: 31,
          pattern: "[a-z][a-z0-9_\\-]*",
          spellcheck: "false",
          autocapitalize: "off",
          oninput: (event) => this.draft({ name: event.target.value }),
        }),
      ),
      h(
        "div",
        { class: "code" },
        h(
          "ol",
          { class: "lines", "aria-hidden": "true" },
          [...Array(lines).keys()].map((i) => h("li", { class: this.error?.line === i + 1 ? "wrong" : "" }, i + 1)),
        ),
        h("textarea", {
          class: "mono",
          "aria-label": t("own.code"),
          "aria-describedby": "own-keys own-error",
          "aria-invalid": String(Boolean(this.error)),
          wrap: "off",
          spellcheck: "false",
          autocapitalize: "off",
          rows: 16,
          value: draft.source,
          oninput: (event) => this.draft({ source: event.target.value }),
          onkeydown: (event) => this.key(event),
          onscroll: (event) => (event.target.previousElementSibling.scrollTop = event.target.scrollTop),
          onblur: () => (this.mayLeave = false),
        }),
      ),
      h(
        "p",
        { id: "own-error", class: "error", role: "alert" },
        this.error
          ? `${this.error.line ? `${t("own.line", { n: this.error.line })}: ` : ""}${pick(this.error.text)}`
          : "",
      ),
      h("p", { id: "own-keys", class: "help" }, t("own.keys")),
      h(
        "div",
        { class: "row" },
        h("button", { class: "primary grow", onclick: () => this.keep(name) }, t(about(name).compiled ? "own.keep" : "own.keep.plain")),
        state.catalogue.safe_heuristics
          ? null // only the local user's, on loopback
          : h(
              "button",
              { class: "grow", "aria-disabled": String(Boolean(this.check && !this.check.found)), onclick: () => this.look(name) },
              icon("check"),
              t("own.check"),
            ),
        h("button", { class: "grow", onclick: () => this.draft({ source: about(name).example_evaluator }, true) }, t("own.example")),
      ),
      h("div", { class: "stack tight", role: "status" }, this.check ? this.verdict(this.check.found) : null),
      own.length
        ? h(
            "ul",
            { class: "list" },
            own.map((one) =>
              h(
                "li",
                { key: one.name },
                h(
                  "div",
                  { class: "what" },
                  h("strong", {}, one.name),
                  h("code", { class: "help" }, `eval=mine/${one.name}`),
                ),
                h(
                  "div",
                  { class: "row acts" },
                  h(
                    "button",
                    { class: "quiet", onclick: () => this.draft({ name: one.name, source: one.source }, true) },
                    t("open"),
                  ),
                  h("button", { class: "quiet", onclick: () => use(name, one.name) }, t("own.use")),
                  state.catalogue.safe_heuristics
                    ? null
                    : h(
                        "button",
                        { class: "quiet", title: t("own.compare.help"), onclick: () => attempt(() => compare(one.name)) },
                        t("own.compare"),
                      ),
                  h("button", { class: "quiet", onclick: () => this.drop(one.name) }, t("delete")),
                ),
              ),
            ),
          )
        : null,
    );
  }

  /** What the check found. */
  verdict(found) {
    if (!found) return h("p", { class: "help" }, t("own.checking"));
    const { faults, remarks } = found;
    const list = (texts) => h("ul", {}, texts.map((text) => h("li", {}, pick(text))));
    const n = found.positions;
    return [
      h("p", { class: `verdict ${faults.length ? "wrong" : ""}` }, t(faults.length ? "own.faults" : "own.sound", { n })),
      faults.length ? list(faults) : null,
      remarks.length ? [h("p", {}, t("own.remarks")), list(remarks)] : null,
    ];
  }

  draft(changes, whole = false) {
    const name = gameName(state.game.game);
    Object.assign(this.drafts[name], changes);
    remember("drafts", this.drafts);
    if (whole || this.error) this.error = null;
    this.check = null;
    this.update();
  }

  key(event) {
    const area = event.target;
    if (event.key === "Escape") {
      this.mayLeave = true;
      say(t("own.leave"));
    } else if (event.key === "Tab" && !this.mayLeave && !event.shiftKey) {
      this.insert(event, area, "    ");
    } else if (event.key === "Enter") {
      const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
      this.insert(event, area, `\n${/^ */.exec(line)[0]}${line.trimEnd().endsWith(":") ? "    " : ""}`);
    } else if (event.key !== "Shift") this.mayLeave = false;
  }

  insert(event, area, text) {
    event.preventDefault();
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    this.draft({ source: area.value });
  }

  async keep(game) {
    const { name, source } = this.drafts[game];
    try {
      await api.keepHeuristic(name, { game, source });
      this.error = null;
      set({ heuristics: await api.heuristics() });
      use(game, name);
    } catch (error) {
      this.error = error.text ? error : null;
      if (!error.text) complain(error);
    }
    this.update();
  }

  /** Try the draft on many positions; an answer that comes after the draft was changed is not shown. */
  async look(game) {
    if (this.check && !this.check.found) return;
    const { name, source } = this.drafts[game];
    const check = (this.check = { found: null });
    this.error = null;
    this.update();
    try {
      check.found = await api.checkHeuristic(name, { game, source });
    } catch (error) {
      if (this.check !== check) return;
      this.check = null;
      this.error = error.text ? error : null;
      if (!error.text) complain(error);
    }
    this.update();
  }

  async drop(name) {
    try {
      await api.dropHeuristic(name);
      set({ heuristics: await api.heuristics() });
    } catch (error) {
      complain(error);
    }
  }
}

/** Let the user's helper use it. */
function use(game, name) {
  const spec = parseSpec(helper(game));
  const info = state.catalogue.players.find((player) => player.name === spec.name);
  const able = info && "eval" in info.parameters ? spec : parseSpec(state.catalogue.games[game].default_player);
  const kept = Object.entries(able.options).filter(([key]) => ["depth", "ms"].includes(key));
  setHelper(game, formatSpec({ name: able.name, options: { ...Object.fromEntries(kept), eval: `mine/${name}` } }));
  notify(t("own.used", { name: helper(game) }));
}

/** Play it against the evaluators of its game, and watch that in the Lab. */
async function compare(name) {
  const { plan } = await api.lab.planFor(name);
  await begin(plan);
}

define("heuristic-editor", HeuristicEditor);
