// The results of an experiment: players with intervals, recommendations, paired differences.

import { select } from "../fields.js";
import { milliseconds, number, pick, t } from "../i18n.js";
import { chooseBase } from "../lab/lab.js";
import { h } from "../view.js";
import { percent, withInterval } from "../lab/figures.js";

export function comparison({ comparison: found, run }) {
  if (!found?.players.length)
    return h(
      "p",
      { class: "help", role: "status", key: "wait" },
      t(run.done ? "lab.compare.making" : "lab.compare.wait"),
    );
  const old = found.games < run.done && run.status !== "running";
  return [
    old ? h("p", { class: "help", role: "status", key: "old" }, t("lab.compare.making")) : null,
    everybody(found),
    whom(found),
    found.differences.length ? differences(found) : null,
  ];
}

const column = (key) => h("th", { scope: "col" }, t(key));
const row = (name) => h("th", { scope: "row" }, h("code", {}, name));

function everybody({ players, scored, remarks }) {
  return h(
    "section",
    { class: "card", key: "everybody" },
    h("h2", { id: "lab-everybody" }, t("lab.compare.title")),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "data", "aria-labelledby": "lab-everybody" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            column("lab.player"),
            column("lab.done"),
            scored ? ["lab.mean", "lab.median", "lab.deviation", "lab.tile"].map(column) : null,
            ["lab.won", "lab.moves", "lab.nodes", "lab.ms"].map(column),
            h("th", { scope: "col" }, h("span", { "aria-hidden": "true" }, "◆"), " ", t("lab.frontier")),
          ),
        ),
        h(
          "tbody",
          {},
          players.map((player) =>
            h(
              "tr",
              { key: String(player.entrant) },
              row(player.name),
              h("td", { class: "number" }, number(player.games)),
              scored
                ? [
                    h(
                      "td",
                      {},
                      withInterval(player.score, (value) => number(value)),
                    ),
                    h("td", { class: "number" }, number(player.median)),
                    h("td", { class: "number" }, number(player.deviation)),
                    h("td", { class: "number" }, number(player.max_tile.value)),
                  ]
                : null,
              h("td", {}, withInterval(player.wins, percent)),
              h("td", { class: "number" }, number(player.moves.value)),
              h("td", { class: "number" }, number(player.nodes_per_move)),
              h("td", { class: "number" }, milliseconds(player.ms_per_move)),
              h(
                "td",
                { class: "mark" },
                player.frontier ? h("span", { title: t("lab.frontier.yes") }, "◆") : null,
                player.frontier ? h("span", { class: "unseen" }, t("lab.frontier.yes")) : null,
              ),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "help" }, t("lab.compare.note")),
    remarks.map((remark) => h("p", { class: "help", key: pick(remark) }, pick(remark))),
  );
}

function whom({ recommendations }) {
  return h(
    "section",
    { class: "card", key: "whom" },
    h("h2", {}, t("lab.whom")),
    h(
      "dl",
      { class: "whom" },
      recommendations.map(({ scenario, name, note }) =>
        h("div", {}, h("dt", {}, pick(scenario)), h("dd", {}, note ? pick(note) : h("code", {}, name))),
      ),
    ),
  );
}

function differences({ players, base, differences: found, scored }) {
  const show = (value) => (value > 0 ? "+" : "") + (scored ? number(value) : percent(value));
  const name = players.find((player) => player.entrant === base).name;
  return h(
    "section",
    { class: "card", key: "differences" },
    h("h2", { id: "lab-differences" }, t("lab.differences")),
    select(
      t("lab.base"),
      players.map((player) => [String(player.entrant), player.name]),
      String(base),
      (entrant) => chooseBase(Number(entrant)),
    ),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "data", "aria-labelledby": "lab-differences" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("lab.less", { name })),
            ["lab.pairs", "lab.difference", "lab.effect", "lab.p"].map(column),
          ),
        ),
        h(
          "tbody",
          {},
          found.map((one) =>
            h(
              "tr",
              { key: String(one.entrant) },
              row(one.name),
              h("td", { class: "number" }, number(one.games)),
              h(
                "td",
                { class: one.difference.low > 0 || one.difference.high < 0 ? "sure" : "" },
                withInterval(one.difference, show),
              ),
              h("td", { class: "number" }, one.effect === null ? "∞" : number(one.effect, 2)),
              h("td", { class: "number" }, one.p < 0.001 ? `< ${number(0.001, 3)}` : number(one.p, 3)),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "help" }, t("lab.differences.note")),
  );
}
