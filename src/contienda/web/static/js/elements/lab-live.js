// The progress of an experiment: a table of its players, and the curves of their means.

import "./lab-chart.js";
import { milliseconds, number, t } from "../i18n.js";
import { colourOf } from "../lab/colours.js";
import { percent, withInterval } from "../lab/figures.js";
import { h } from "../view.js";

/** Each player's mean with its interval, and the curves of the means. */
export function live(run) {
  const show = run.scored ? (value) => number(value) : percent;
  const spans = run.players.map(({ mean }) => mean).filter(Boolean);
  const least = Math.min(0, ...spans.map(({ low }) => low));
  const most = Math.max(...spans.map(({ high }) => high), 1e-9);
  const each = run.total === null ? null : run.total / run.entrants;
  return [
    h(
      "section",
      { class: "card", key: "table" },
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "data" },
          h("caption", { class: "unseen" }, t("lab.spread")),
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              h("th", { scope: "col" }, t("lab.player")),
              h("th", { scope: "col" }, t("lab.done")),
              h("th", { scope: "col" }, t(run.scored ? "lab.mean" : "lab.share")),
              h("th", { scope: "col", class: "whisker-head" }, h("span", { class: "unseen" }, t("lab.spread"))),
              run.scored ? h("th", { scope: "col" }, t("lab.won")) : null,
              h("th", { scope: "col" }, t("lab.ms")),
            ),
          ),
          h(
            "tbody",
            {},
            run.players.map((player, i) =>
              h(
                "tr",
                { key: player.name },
                h(
                  "th",
                  { scope: "row" },
                  h(
                    "span",
                    { class: "who" },
                    h("span", { class: "swatch", style: { "--colour": colourOf(i) }, "aria-hidden": "true" }),
                    h("code", {}, player.name),
                  ),
                ),
                h(
                  "td",
                  { class: "number" },
                  number(player.done),
                  each === null ? null : h("small", {}, ` / ${number(each)}`),
                ),
                h("td", {}, player.mean ? withInterval(player.mean, show) : "–"),
                h("td", { class: "whisker" }, player.mean ? whisker(player.mean, least, most, colourOf(i)) : null),
                run.scored ? h("td", { class: "number" }, player.wins ? percent(player.wins.value) : "–") : null,
                h("td", { class: "number" }, player.ms_per_move === null ? "–" : milliseconds(player.ms_per_move)),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "section",
      { class: "card", key: "chart" },
      h("h2", {}, t("lab.means")),
      h("lab-chart", { ".players": run.players, ".show": show, ".label": t("lab.means.read") }),
    ),
  ];
}

/** A mean as a dot on its interval, on a scale that all rows share. */
function whisker({ value, low, high }, least, most, colour) {
  const at = (number) => (number - least) / (most - least || 1);
  return h(
    "span",
    {
      class: "interval",
      "aria-hidden": "true",
      style: { "--low": at(low), "--high": at(high), "--at": at(value), "--colour": colour },
    },
    h("i", {}),
    h("b", {}),
  );
}
