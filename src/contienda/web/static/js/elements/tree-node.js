// The node under the pointer, or the one that is picked: its board and all that is known of it. Where the trace has them,
// its children in a table, and the lists of nodes that stand alike.

import { number, t } from "../i18n.js";
import { momentOf } from "../tree/explorer.js";
import { h } from "../view.js";

export function nodeCard(tree) {
  const at = tree.hover ?? { lane: tree.lane, node: tree.picked };
  const { trace } = tree.lanes[at.lane] ?? tree.lanes[0];
  const moment = momentOf(tree, at.lane);
  const { id, board, sum: inWords } = trace.nodes[at.node] ?? trace.nodes[0];
  const facts = trace.facts(id, moment).filter(([, value]) => value !== inWords); // the sum has a line of its own
  const step = trace.step(moment);
  const reason = step?.proof && step.node === id ? null : trace.reason(id, moment); // once said is enough
  return [
    h(
      "section",
      { class: "card node-card", key: "node", "aria-label": t("tree.node") },
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
            facts.map(([name, value]) => h("div", { key: name }, h("dt", {}, name), h("dd", {}, value))),
          ),
        ),
      ),
      reason ? h("p", { class: "reason" }, "✂ ", reason) : null,
      sum(trace.sum(id, moment)),
    ),
    trace.columns ? table(trace, moment, id) : null,
    trace.lists ? h("section", { class: "card", key: "lists" }, trace.lists.map((one) => list(one, trace, moment))) : null,
  ];
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

/** The children of a node, or those that a selection looks at. */
function table(trace, moment, id) {
  const step = trace.step(moment);
  const selects = Boolean(step?.cells);
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
  );
}

/** The nodes that stand so at a moment, in order. */
function list({ title, statuses, by, largest, most }, trace, moment) {
  const sign = largest ? -1 : 1;
  const found = trace.nodes
    .filter(({ id }) => statuses.includes(trace.shown(id, moment).status))
    .sort((one, two) => sign * ((one[by] ?? 0) - (two[by] ?? 0)) || one.id - two.id);
  return h(
    "div",
    { key: by },
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

/** A position in little, from the rows of its text: tiles, stones or signs. */
function little(text) {
  const rows = text.split("/").map((row) => (row.includes(" ") ? row.split(" ") : [...row]));
  const cells = rows.flat();
  const stones = cells.every((cell) => "XO.".includes(cell));
  const doubles = cells.every((cell) => cell === "0" || isPower(Number(cell))); // tiles that double have colours
  return h(
    "div",
    {
      class: `little ${stones ? "stones" : ""}`,
      style: { "--columns": rows[0].length },
      role: "img",
      "aria-label": text,
    },
    cells.map((cell) => {
      const empty = cell === "0" || cell === ".";
      if (stones)
        return h("span", { class: "hole" }, empty ? null : h("span", { class: `stone s${cell === "X" ? 1 : 2}` }));
      return h(
        "span",
        { "data-face": doubles && !empty ? cell : null, "data-digits": cell.length },
        empty ? "" : cell,
      );
    }),
  );
}

const isPower = (number) => number >= 2 && Number.isInteger(Math.log2(number));
