// The node under the pointer, or the one that is picked: its board and all that is known of it. For a search that draws
// lots, its children with their bounds; for a path search, what is open and what is closed.

import { number, pick, t } from "../i18n.js";
import { momentOf } from "../tree/explorer.js";
import { moveWord, nodeTitle, nodeWord, phrase } from "../tree/narrate.js";
import { figure, windowText } from "../tree/trace.js";
import { h } from "../view.js";

const OPEN_SHOWN = 12;
const CLOSED_SHOWN = 8;

export function nodeCard(tree) {
  const at = tree.hover ?? { lane: tree.lane, node: tree.picked };
  const { trace } = tree.lanes[at.lane] ?? tree.lanes[0];
  const moment = momentOf(tree, at.lane);
  const node = trace.nodes[at.node] ?? trace.nodes[0];
  const known = trace.born[node.id] <= moment;
  return [
    h(
      "section",
      { class: "card node-card", key: "node", "aria-label": t("tree.node") },
      h(
        "div",
        { class: "row" },
        board(trace.game, node.board),
        h(
          "div",
          { class: "grow stack" },
          h("h2", {}, nodeTitle(trace, node.id)),
          h(
            "dl",
            { class: "pairs" },
            facts(trace, node, moment).map(([name, value]) =>
              h("div", { key: name }, h("dt", {}, name), h("dd", {}, value)),
            ),
          ),
        ),
      ),
      known && node.cut && cutDone(trace, node, moment) && !said(trace.step(moment), node)
        ? h("p", { class: "reason" }, "✂ ", pick(node.cut.reason))
        : null,
      known && node.kind === "chance" ? weighted(trace, node, moment) : null,
    ),
    trace.family === "mcts" ? bounds(trace, moment, node) : null,
    trace.family === "path" ? frontier(trace, moment) : null,
  ];
}

/** The step that is told is this very cut: once is enough. */
const said = (step, { id }) => step?.do === "cut" && step.node === id;

/** Whether the cut has been made: the first cut child is there. */
export function cutDone(trace, node, moment) {
  const first = trace.children[node.id].find((child) => trace.nodes[child].kind === "cut");
  return first === undefined || trace.born[first] <= moment;
}

export function facts(trace, node, moment) {
  const shown = trace.shown(node.id, moment);
  const pairs = [];
  const add = (key, value) => pairs.push([t(`tree.fact.${key}`), value]);
  if (trace.born[node.id] > moment) return [...pairs, [t("tree.fact.value"), t("tree.later")]];
  if (node.kind === "cut" && node.status === undefined) return [...pairs, [t("tree.fact.value"), t("tree.unseen")]];
  if (shown.label) add("value", shown.label);
  if (node.probability !== undefined) add("probability", figure(node.probability));
  if (node.window) add("window", windowText(...node.window));
  if (node.hit) add("table", "TT");
  if (node.visits !== undefined) {
    add("visits", shown.note.replace("n ", "") || "0");
    if (moment === trace.length && node.ucb !== null) add("ucb", figure(node.ucb));
  }
  if (node.status !== undefined) {
    add("g", figure(node.g));
    if (node.h !== null) add("h", figure(node.h));
    const status = trace.status(node.id, moment);
    if (status) add("status", phrase(`status.${status}`));
    if (node.order !== null) add("order", number(node.order));
  }
  for (const [name, value] of Object.entries(node.terms ?? {})) pairs.push([name, figure(value)]);
  return pairs;
}

/** The value of a chance node written out, as far as it has come. */
function weighted(trace, node, moment) {
  const terms = trace.children[node.id]
    .map((child) => ({ ...trace.nodes[child], shown: trace.shown(child, moment).label }))
    .filter((child) => child.probability !== undefined && child.shown && trace.born[child.id] <= moment);
  if (!terms.length) return null;
  const sum = terms.reduce((total, { probability, value }) => total + probability * (value ?? 0), 0);
  return h(
    "p",
    { class: "sum number" },
    terms.map(({ probability, shown }, i) => [
      i ? " + " : "",
      h("span", {}, `${Number(probability.toPrecision(4))} · ${shown}`),
    ]),
    " = ",
    h("strong", {}, figure(sum)),
  );
}

function bounds(trace, moment, node) {
  const step = trace.step(moment);
  const ucb = new Map(step?.ucb ?? []);
  const above = ucb.size ? trace.nodes[trace.nodes[step.node].parent] : node;
  const rows = trace.children[above.id].filter((child) => trace.born[child] <= moment);
  if (!rows.length) return null;
  return h(
    "section",
    { class: "card", key: "bounds" },
    h("h2", {}, t("tree.children", { name: nodeWord(trace, above.id) })),
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["move", "visits", "mean", "ucb"].map((key) => h("th", { scope: "col" }, t(`tree.fact.${key}`))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((child) => {
          const { label, note } = trace.shown(child, moment);
          const bound = ucb.get(child) ?? (moment === trace.length ? trace.nodes[child].ucb : null);
          return h(
            "tr",
            { key: child, class: step?.do === "select" && step.node === child ? "lit" : "" },
            h("th", { scope: "row" }, moveWord(trace.nodes[child].move)),
            h("td", {}, note.replace("n ", "") || "0"),
            h("td", {}, label || "–"),
            h("td", {}, bound === null || bound === undefined ? "–" : figure(bound)),
          );
        }),
      ),
    ),
  );
}

/** The lists of a path search: open, best first, and closed, the last one first. */
function frontier(trace, moment) {
  const open = [];
  const closed = [];
  for (const { id, value } of trace.nodes) {
    const status = trace.status(id, moment);
    if (status === "open") open.push({ id, value });
    if (status === "closed" || status === "goal") closed.push({ id, order: trace.nodes[id].order ?? 0 });
  }
  open.sort((one, two) => (one.value ?? 0) - (two.value ?? 0) || one.id - two.id);
  closed.sort((one, two) => two.order - one.order);
  return h(
    "section",
    { class: "card", key: "frontier" },
    list("frontier", open, OPEN_SHOWN, trace, moment),
    list("closed", closed, CLOSED_SHOWN, trace, moment),
  );
}

function list(name, entries, most, trace, moment) {
  return h(
    "div",
    { key: name },
    h("h2", {}, `${t(`tree.${name}`)} (${number(entries.length)})`),
    h(
      "ol",
      { class: "frontier" },
      entries.slice(0, most).map(({ id }) => {
        const { label, note } = trace.shown(id, moment);
        return h(
          "li",
          { key: id, class: trace.step(moment)?.node === id ? "lit" : "" },
          h("code", {}, trace.nodes[id].board),
          h("span", { class: "number" }, note ? `${note} = ${label}` : label),
        );
      }),
    ),
    entries.length > most ? h("p", { class: "help" }, t("tree.more", { n: entries.length - most })) : null,
  );
}

/** A position in little: tiles, stones or signs; a drawn tree has none. */
export function board(game, text) {
  const name = game.split(":")[0];
  if (name === "tree") return null;
  const rows = text.split("/").map((row) => (row.includes(" ") ? row.split(" ") : [...row]));
  return h(
    "div",
    {
      class: `little ${name === "connect4" ? "stones" : ""}`,
      style: { "--columns": rows[0].length },
      role: "img",
      "aria-label": text,
    },
    rows.flat().map((cell) => {
      if (name === "connect4")
        return h(
          "span",
          { class: "hole" },
          cell === "." ? null : h("span", { class: `stone s${cell === "X" ? 1 : 2}` }),
        );
      const empty = cell === "0" || cell === ".";
      return h(
        "span",
        { "data-face": name === "2048" && !empty ? cell : null, "data-digits": cell.length },
        empty ? "" : cell,
      );
    }),
  );
}
