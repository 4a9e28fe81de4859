// The documents' experiments played again: each published table beside ours.

import { api } from "../api.js";
import { segments } from "../fields.js";
import { interval, number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { documentHash, withDocument } from "../lab/lab.js";
import { go } from "../router.js";
import { dark } from "../theme.js";
import { define, h, View } from "../view.js";
import { clock, percent, status } from "../lab/figures.js";

class LabDocuments extends View {
  static uses = ["lab"];

  render({ lab, language }) {
    const { documents, documentName: name, quick } = lab;
    const now = documents?.find((one) => one.name === name);
    const shown = lab.document && now ? { ...lab.document, ...now } : null; // progress is polled more often
    return h(
      "div",
      { class: "stack documents" },
      h("div", { class: "hero" }, h("h1", {}, t("lab.docs.title")), h("p", { class: "help" }, t("lab.docs.claim"))),
      h(
        "div",
        { class: "spread wrap" },
        segments(
          t("lab.docs.which"),
          (documents ?? []).map((one) => [one.name, [one.name, mark(one)]]),
          name,
          (chosen) => go(documentHash(chosen, quick)),
          "lab-document",
        ),
        segments(
          t("lab.docs.size"),
          [
            [true, t("lab.docs.quick")],
            [false, t("lab.docs.all")],
          ],
          quick,
          (chosen) => go(documentHash(name, chosen)),
          "lab-quick",
        ),
      ),
      shown ? [this.head(shown, language), notes(shown)] : null,
      shown ? h("p", { class: "help", key: "legend" }, t("lab.docs.legend")) : null,
      shown?.experiments.map((experiment) => [
        table(experiment),
        experiment.pooled.map((pooled, i) => pooledTable(experiment, pooled, i)),
        experiment.improvements.map((improvement, i) => gainsTable(experiment, improvement, i)),
        figures(shown, experiment, language),
      ]),
      shown ? null : h("p", { class: "help loading", role: "status" }, t("loading")),
    );
  }

  head(shown, language) {
    const running = shown.status === "running";
    const fresh = shown.origin && shown.status === "new"; // the shipped results are shown, and nothing runs
    return h(
      "section",
      { class: "card", key: "head" },
      h(
        "div",
        { class: "spread wrap" },
        h("h2", { class: "title" }, pick(shown.title)),
        fresh ? null : status(shown.status),
        h(
          "div",
          { class: "row end" },
          running
            ? h("button", { onclick: () => withDocument("stop", shown) }, icon("stop"), t("lab.stop"))
            : shown.status === "done"
              ? null
              : h(
                  "button",
                  { class: "primary", onclick: () => withDocument("start", shown) },
                  icon("play"),
                  t(shown.done ? "lab.resume" : "lab.docs.run"),
                ),
          shown.done || shown.origin
            ? h(
                "a",
                { class: "button", href: api.lab.documentUrl(shown.name, shown.quick, language), download: "" },
                icon("download"),
                t("lab.docs.report"),
              )
            : null,
          shown.done && !running
            ? h(
                "button",
                {
                  class: "quiet icon",
                  title: t("lab.docs.forget"),
                  "aria-label": t("lab.docs.forget"),
                  onclick: () =>
                    confirm(t("lab.docs.forget.sure", { name: shown.name })) && withDocument("remove", shown),
                },
                icon("bin"),
              )
            : null,
        ),
      ),
      fresh
        ? null
        : h("progress", { max: 1, value: String(shown.done / shown.total), "aria-label": t("lab.progress") }),
      h(
        "p",
        { class: "help number" },
        fresh ? null : [t("lab.of", { done: shown.done, total: shown.total }), ". "],
        running && shown.seconds_left
          ? `${t("lab.left")}: ${clock(shown.seconds_left)}.`
          : t(shown.quick ? "lab.docs.quick.help" : "lab.docs.all.help"),
      ),
      shown.origin ? h("p", { class: "help origin" }, came(shown.origin)) : null,
      shown.error ? h("p", { class: "error", role: "alert" }, pick(shown.error)) : null,
    );
  }
}

/** Who played the results that came with the package. */
function came({ contienda, code, machine, cores, begun, ended, done, total }) {
  const date = new Date(1000 * (ended ?? begun)).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  const who = t("lab.docs.origin", { version: contienda, code, machine, cores, date });
  return done < total ? `${who} ${t("lab.docs.part", { done, total })}` : who;
}

/** The progress of a document, as one sign. */
function mark({ status: name }) {
  const signs = { done: "check", running: "play" };
  return name in signs ? [icon(signs[name]), h("span", { class: "unseen" }, t(`lab.status.${name}`))] : null;
}

function notes({ notes: found }) {
  return h(
    "section",
    { class: "notes", key: "notes", "aria-label": t("lab.docs.notes") },
    h("h2", {}, t("lab.docs.notes")),
    h(
      "ul",
      {},
      found.map((note) => h("li", {}, pick(note))),
    ),
  );
}

function table(experiment) {
  const id = `document-${experiment.name}`;
  return h(
    "section",
    { class: "card", key: experiment.name },
    h("h3", { id }, experiment.name.replace(/-quick$/, "")),
    experiment.title ? h("p", { class: "help" }, pick(experiment.title)) : null,
    experiment.verdict ? h("p", { class: "verdict" }, `${pick(experiment.verdict)}.`) : null,
    linesTable(experiment.lines, id, t("lab.player")),
  );
}

/** A table of games that the document pools. */
function pooledTable(experiment, { title, lines }, i) {
  const id = `document-${experiment.name}-${i}`;
  return h(
    "section",
    { class: "card", key: id },
    h("h4", { id }, pick(title)),
    linesTable(lines, id, t("lab.docs.pooled")),
  );
}

/** The gain from one of the document's players to another, absolute and in percent. */
function gainsTable(experiment, { title, gains }, i) {
  const id = `gains-${experiment.name}-${i}`;
  return h(
    "section",
    { class: "card", key: id },
    h("h4", { id }, pick(title)),
    h(
      "div",
      { class: "scroll", tabIndex: 0, role: "region", "aria-labelledby": id },
      h(
        "table",
        { class: "data", "aria-labelledby": id },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["lab.docs.measure", "lab.docs.published", "lab.docs.ours"].map((name) =>
              h("th", { scope: "col" }, t(name)),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          gains.map((gain) =>
            h(
              "tr",
              { key: gain.metric },
              h("th", { scope: "row" }, t(`lab.metric.${gain.metric}`)),
              h("td", { class: "number" }, gained(gain.metric, gain.published, gain.published_share)),
              h("td", { class: "number" }, gained(gain.metric, gain.ours, gain.ours_share)),
            ),
          ),
        ),
      ),
    ),
  );
}

function gained(metric, gain, share) {
  if (gain === null) return "–";
  const sign = (value) => (value > 0 ? "+" : "");
  return `${sign(gain)}${figure(metric, gain)}${share === null ? "" : ` (${sign(share)}${percent(share)})`}`;
}

/** All figures that our games have data for. They are slow to draw, so they load only when unfolded. */
function figures(shown, experiment, language) {
  if (!experiment.figures.length) return null;
  const options = { quick: shown.quick, language, theme: dark() ? "dark" : "light", games: shown.done };
  return h(
    "details",
    { class: "card", key: `figures-${experiment.name}` },
    h("summary", {}, t("lab.tab.figures")),
    h(
      "div",
      { class: "figures" },
      experiment.figures.map(({ name, numbers }) =>
        h(
          "figure",
          { key: name },
          numbers ? h("figcaption", {}, t("lab.docs.figure", { numbers })) : null,
          h("img", {
            loading: "lazy",
            src: api.lab.documentFigureUrl(shown.name, experiment.name, name, options),
            alt: t("lab.figure", { name: t(`lab.figure.${name}`) }),
          }),
        ),
      ),
    ),
  );
}

function linesTable(lines, id, first) {
  const metrics = lines[0]?.cells.map(({ metric }) => metric) ?? [];
  const timed = lines.some(({ cells }) => cells.some(({ metric }) => metric === "seconds"));
  return h(
    "div",
    { class: "scroll", tabIndex: 0, role: "region", "aria-labelledby": id },
    h(
      "table",
      { class: "data beside", "aria-labelledby": id },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col", rowspan: 2 }, first),
          h("th", { scope: "colgroup", colspan: 2 }, t("lab.done")),
          metrics.map((metric) => h("th", { scope: "colgroup", colspan: 2 }, t(`lab.metric.${metric}`))),
          timed ? h("th", { scope: "col", rowspan: 2 }, t("lab.docs.faster")) : null,
        ),
        h(
          "tr",
          {},
          ["games", ...metrics].map(() => [
            h("th", { scope: "col" }, t("lab.docs.published")),
            h("th", { scope: "col" }, t("lab.docs.ours")),
          ]),
        ),
      ),
      h(
        "tbody",
        {},
        lines.map((line) => tableRow(line, timed)),
      ),
    ),
  );
}

function tableRow(line, timed) {
  return h(
    "tr",
    { key: line.label },
    h("th", { scope: "row", title: line.player }, line.label),
    h("td", { class: "number" }, line.published_games ? number(line.published_games) : "–"),
    h("td", { class: "number" }, line.games ? number(line.games) : "–"),
    line.cells.map((cell) => [published(cell, line), ours(cell)]),
    timed
      ? h("td", { class: "number" }, line.faster === null ? "–" : h("strong", {}, `× ${times(line.faster)}`))
      : null,
  );
}

function published({ metric, published: value, deviation }, { impossible }) {
  const wrong = impossible && metric === "score";
  return h(
    "td",
    { class: `number ${wrong ? "impossible" : ""}`, title: wrong ? t("lab.docs.impossible") : null },
    value === null ? "–" : figure(metric, value),
    deviation === null ? null : h("small", {}, `± ${figure(metric, deviation)}`),
    wrong ? h("small", { class: "why" }, t("lab.docs.impossible.short")) : null,
  );
}

function ours({ metric, ours: found, inside, p }) {
  if (!found) return h("td", { class: "number" }, "–");
  const show = (value) => figure(metric, value);
  return h(
    "td",
    { class: `number ${inside === null ? "" : inside ? "inside" : "outside"}` },
    show(found.value),
    inside === null
      ? null
      : h(
          "span",
          { class: "mark" },
          h("span", { "aria-hidden": "true" }, inside ? " ✓" : " ✗"),
          h("span", { class: "unseen" }, t(inside ? "lab.docs.inside" : "lab.docs.outside")),
        ),
    h("small", {}, interval(show(found.low), show(found.high))),
    p === null ? null : h("small", {}, `p ${p < 0.001 ? `< ${number(0.001, 3)}` : `= ${number(p, p < 0.1 ? 3 : 2)}`}`),
  );
}

function figure(metric, value) {
  if (metric === "wins" || metric === "share") return percent(value);
  if (metric !== "seconds" && metric !== "ms_per_move") return number(value);
  const size = Math.abs(value);
  return number(value, size < 0.1 ? 4 : size < 10 ? 2 : 0);
}

const times = (factor) => number(factor, factor < 10 ? 1 : 0);

define("lab-documents", LabDocuments);
