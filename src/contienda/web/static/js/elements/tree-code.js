// The algorithm with the current line highlighted, and its variables.

import { figures, number, t } from "../i18n.js";
import { lookedAt, momentOf } from "../tree/explorer.js";
import { h } from "../view.js";

const DEEPEST = 8; // the most windows drawn for a path

/** The windows from the root down to a node, as intervals that narrow; crossed out where they are empty. */
function windows(trace, id, moment) {
  const line = trace.windowsTo(id, moment);
  if (!line.length) return null;
  const [low, high] = trace.bounds[0] < trace.bounds[1] ? trace.bounds : [trace.bounds[0] - 1, trace.bounds[0] + 1];
  const place = (bound, none) => (bound === null ? none : 0.08 + (0.84 * (bound - low)) / (high - low || 1));
  return h(
    "ol",
    { class: "windows", "aria-hidden": "true" }, // the variables show the same
    line.slice(-DEEPEST).map(({ id: at, alpha, beta }) => {
      const [from, to] = [place(alpha, 0), place(beta, 1)];
      const shut = alpha !== null && beta !== null && alpha >= beta;
      return h(
        "li",
        { key: at, class: `${at === id ? "here" : ""} ${shut ? "shut" : ""}` },
        h("span", { class: "name" }, at === 0 ? t("tree.root") : trace.edge(at)),
        h(
          "span",
          { class: "axis" },
          h("span", { class: "span", style: { "--from": Math.min(from, to), "--to": Math.max(from, to) } }),
        ),
        h("span", { class: "number" }, `${alpha === null ? "−∞" : number(alpha, 1)} … ${beta === null ? "+∞" : number(beta, 1)}`),
      );
    }),
  );
}

/** The pseudocode of the search shown, or of one of the two side by side. */
export function codeCard(tree, lane = null) {
  const at = lookedAt(tree);
  const own = lane === null || lane === at.lane;
  const trace = own ? at.trace : tree.lanes[lane].trace;
  const moment = own ? at.moment : momentOf(tree, lane);
  const id = own ? at.id : (trace.step(moment)?.node ?? 0);
  const { node, lit: ran = [], values = [] } = trace.step(moment) ?? {};
  const lit = (id === node ? null : trace.why(id, moment)?.lit) ?? ran; // for another node, those that gave its value
  return h(
    "section",
    { class: "card code-card", key: `code${lane ?? ""}`, "aria-label": t("tree.code") },
    tree.mode === "two" ? h("h2", {}, h("code", {}, trace.player)) : null,
    h(
      "ol",
      { class: "pseudo" },
      trace.code.map(([indent, text], line) =>
        h(
          "li",
          { key: line, class: lit.includes(line) ? "lit" : "", "aria-current": lit.includes(line) ? "step" : null },
          h("code", { style: { "--indent": indent } }, trace.words(text)),
        ),
      ),
    ),
    windows(trace, id, moment),
    h(
      "dl",
      { class: "facts variables" },
      values.map((value, i) =>
        h("div", { key: i }, h("dt", {}, trace.variables[i]), h("dd", {}, figures(value))),
      ),
    ),
  );
}
