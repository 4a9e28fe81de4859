// The node under the pointer, or the picked one: its board and all that is known about it. If the trace has them, also
// a table of its children and lists of nodes by status.

import { linked } from "../glossary.js";
import { figures, number, t } from "../i18n.js";
import { lookedAt, reveal } from "../tree/explorer.js";
import { little } from "../tree/little.js";
import { h } from "../view.js";
import "./tree-growth.js";
import "./tree-playout.js";

export function nodeCard(tree) {
  const { lane, trace, moment, id } = lookedAt(tree);
  const { board, sum: inWords } = trace.nodes[id];
  const facts = trace.facts(id, moment).filter(([, value]) => value !== figures(inWords)); // the sum has its own line
  const step = trace.step(moment);
  const why = step?.proof && step.node === id ? null : trace.why(id, moment); // not repeated
  return [
    h(
      "section",
      { class: "card node-card", key: "node", "aria-label": t("tree.node") },
      way(trace, lane, id),
      h(
        "div",
        { class: "row" },
        trace.has_boards ? little(board) : null,
        h(
          "div",
          { class: "grow stack" },
          h("h2", {}, trace.title(id)),
          h(
            "dl",
            { class: "pairs" },
            facts.map(([name, value]) => h("div", { key: name }, h("dt", {}, linked(name)), h("dd", {}, value))),
          ),
        ),
      ),
      why ? h("p", { class: trace.reason(id, moment) || trace.nodes[id].skipped ? "reason" : "why" }, linked(trace.words(why.text))) : null,
      sum(trace.sum(id, moment)),
      trace.nodes[id].parts && why ? parts(trace.nodes[id].parts) : null,
    ),
    step?.playout ? h("tree-playout", { key: "playout", ".boards": step.playout }) : null,
    trace.columns ? table(trace, moment, id) : null,
    trace.growth ? h("tree-growth", { key: "growth" }) : null,
    trace.lists ? h("section", { class: "card", key: "lists" }, trace.lists.map((one) => list(one, trace, moment))) : null,
  ];
}

const LONGEST = 7; // the most nodes of a path that are named

/** The path from the root to a node, with a link to each node on it. */
function way(trace, lane, id) {
  const nodes = trace.path(id);
  if (nodes.length < 2) return null;
  const left = Math.max(0, nodes.length - LONGEST);
  const step = (at) =>
    h(
      "li",
      { key: at, "aria-current": at === id ? "true" : null },
      h("button", { class: "quiet", onclick: () => reveal(lane, at) }, at === 0 ? t("tree.root") : trace.edge(at)),
    );
  return h(
    "nav",
    { class: "crumbs", "aria-label": t("tree.way") },
    h("ol", {}, step(0), left ? h("li", { key: "left" }, "…") : null, nodes.slice(1 + left).map(step)),
  );
}

function sum(written) {
  if (!written) return null;
  return h(
    "p",
    { class: "sum number" },
    written.terms.map((term, i) => [i ? " + " : "", h("span", {}, term)]),
    " = ",
    h("strong", {}, written.total),
  );
}

/** What each term of the evaluator adds to the value of a leaf, as bars to both sides of 0. */
function parts(all) {
  const most = Math.max(...Object.values(all).map(Math.abs)) || 1;
  return h(
    "table",
    { class: "parts" },
    h("caption", {}, linked(t("tree.parts"))),
    h(
      "tbody",
      {},
      Object.entries(all).map(([name, part]) =>
        h(
          "tr",
          { key: name },
          h("th", { scope: "row" }, name),
          h(
            "td",
            { class: "track", "aria-hidden": "true" },
            h("span", { class: part < 0 ? "minus" : "plus", style: { "--share": Math.abs(part) / most } }),
          ),
          h("td", { class: "number" }, `${part < 0 ? "−" : "+"}${number(Math.abs(part), 2)}`),
        ),
      ),
    ),
  );
}

/** The children of a node, or those that a selection compares. */
function table(trace, moment, id) {
  const step = trace.step(moment);
  const selects = Boolean(step?.cells) && id === step.node; // otherwise of the node shown
  const above = selects ? trace.nodes[step.node].parent : id;
  const rows = trace.children[above].filter((child) => trace.nodes[child].born <= moment);
  if (!rows.length) return null;
  return h(
    "section",
    { class: "card", key: "table" },
    h("h2", {}, t("tree.children", { name: trace.words(trace.nodes[above].name) })),
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h("tr", {}, [t("tree.fact.move"), ...trace.columns.map((name) => trace.words(name))].map((name) => h("th", { scope: "col" }, name))),
      ),
      h(
        "tbody",
        {},
        rows.map((child) =>
          h(
            "tr",
            { key: child, class: selects && step.node === child ? "lit" : "" },
            h("th", { scope: "row" }, trace.edge(child)),
            trace.row(child, moment).map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
    ),
    trace.formulaBelow(above, moment)
      ? h(
          "ul",
          { class: "formulas" },
          rows.filter((child) => trace.formula(child, moment)).map((child) =>
            h(
              "li",
              { key: child, class: step.node === child ? "lit" : "" },
              h("strong", {}, trace.edge(child)),
              " ",
              h("span", { class: "number" }, trace.formula(child, moment)),
            ),
          ),
        )
      : null,
    trace.legend ? h("p", { class: "help" }, linked(trace.words(trace.legend))) : null,
  );
}

/** The nodes with a status at a moment, in order. */
function list({ title, statuses, by, largest, most, way }, trace, moment) {
  const sign = largest ? -1 : 1;
  const step = trace.step(moment);
  const line = new Set(way && step ? trace.path(step.node) : []);
  const found = trace.nodes
    .filter(({ id }) => (way ? line.has(id) : statuses.includes(trace.shown(id, moment).status)))
    .sort((one, two) => sign * ((one[by] ?? 0) - (two[by] ?? 0)) || one.id - two.id);
  return h(
    "div",
    { key: by, class: way ? "stack-list" : "" },
    h("h2", {}, `${trace.words(title)} (${number(found.length)})`),
    h(
      "ol",
      { class: "frontier" },
      found.slice(0, most).map(({ id, board }) => {
        const { label, note } = trace.shown(id, moment);
        return h(
          "li",
          { key: id, class: trace.step(moment)?.node === id ? "lit" : "" },
          h("code", {}, board),
          h("span", { class: "number" }, note ? `${note} = ${label}` : label),
        );
      }),
    ),
    found.length > most ? h("p", { class: "help" }, t("tree.more", { n: found.length - most })) : null,
  );
}
