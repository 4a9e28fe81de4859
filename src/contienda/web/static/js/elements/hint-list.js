// The values of all moves as bars, best first, with the counters of the search.

import "./why-not.js";
import { gestureOf, moveLabel } from "../gestures.js";
import { linked, termLink } from "../glossary.js";
import { milliseconds, number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { lossTitle, shares, valueText } from "../values.js";
import { h } from "../view.js";
import { moveName } from "../words.js";

const LINE = 12; // moves of a principal variation that are shown

/** `mine` is the move that the user made, in a quiz. */
export function hintList(analysis, game, mine = null) {
  const { position } = game;
  const way = (move) => gestureOf(position, move)?.direction;
  const share = shares(analysis.moves);
  const { counters } = analysis;
  const pv = analysis.pv?.slice(0, LINE) ?? [];
  return h(
    "div",
    { class: "stack hint-list" },
    h(
      "ol",
      { class: "bars", "aria-label": t("hint.values") },
      analysis.moves.map((entry) =>
        h(
          "li",
          {
            key: entry.move,
            class: `${entry.move === analysis.best ? "best" : ""} ${entry.move === mine ? "mine" : ""}`,
          },
          h(
            "span",
            { class: "name" },
            way(entry.move) ? icon(way(entry.move)) : null,
            moveLabel(entry.move, position),
            entry.move === analysis.best ? [icon("star", true), h("span", { class: "unseen" }, t("hint.best"))] : null,
          ),
          h(
            "span",
            { class: "bar-track", "aria-hidden": "true" },
            h("span", { class: "bar-fill", style: { "--share": share.get(entry.move) } }),
          ),
          h("span", { class: "value" }, valueText(entry)),
        ),
      ),
    ),
    h(
      "details",
      { class: "meaning" },
      h("summary", {}, t("hint.meaning")),
      analysis.unit ? h("p", {}, t("hint.unit", { unit: pick(analysis.unit) })) : null,
      h(
        "ul",
        {},
        analysis.moves.map((entry) =>
          h("li", { key: entry.move }, h("strong", {}, moveLabel(entry.move, position)), ": ", lossTitle(entry, analysis)),
        ),
      ),
      h("p", {}, t("hint.meaning.board")),
    ),
    mine === null ? h("why-not", { key: "why", ".game": game, ".position": position }) : null,
    pv.length > 1
      ? h("p", { class: "help" }, termLink("principal variation", t("hint.pv")), `: ${pv.map((move) => moveName(move)).join(" ")}`)
      : null,
    h(
      "p",
      { class: "help number" },
      [
        t("hint.counts", { n: counters.nodes }),
        counters.depth ? t("hint.depth", { depth: number(counters.depth) }) : null,
        milliseconds(1000 * counters.seconds),
      ]
        .filter(Boolean)
        .map((part, i) => [i ? " · " : "", linked(part)]),
    ),
  );
}
