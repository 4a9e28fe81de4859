// The values of all moves as bars, best first, with what the search did.

import { is2048 } from "../game.js";
import { milliseconds, number, t } from "../i18n.js";
import { icon } from "../icons.js";
import { shares, valueText } from "../values.js";
import { h } from "../view.js";
import { moveName } from "../words.js";

const ARROWS = ["up", "right", "down", "left"];

/** `mine` is the move that the user made, in a quiz. */
export function hintList(analysis, game, mine = null) {
  const stones = is2048(game) ? null : game.position.text.length;
  const share = shares(analysis.moves);
  const { counters } = analysis;
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
            ARROWS.includes(entry.move) ? icon(entry.move) : null,
            ARROWS.includes(entry.move) ? t(entry.move) : t("hint.column", { n: entry.move }),
            entry.move === analysis.best ? [icon("star", true), h("span", { class: "unseen" }, t("hint.best"))] : null,
          ),
          h(
            "span",
            { class: "bar-track", "aria-hidden": "true" },
            h("span", { class: "bar-fill", style: { "--share": share.get(entry.move) } }),
          ),
          h("span", { class: "value" }, valueText(entry, stones)),
        ),
      ),
    ),
    analysis.pv?.length > 1
      ? h("p", { class: "help" }, `${t("hint.pv")}: ${analysis.pv.slice(0, 12).map(moveName).join(" ")}`)
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
        .join(" · "),
    ),
  );
}
