// The algorithm with the line that runs lit, and its variables.

import { t } from "../i18n.js";
import { momentOf } from "../tree/explorer.js";
import { h } from "../view.js";

export function codeCard(tree) {
  const { trace } = tree.lanes[tree.lane];
  const moment = momentOf(tree, tree.lane);
  const { lit = [], values = [] } = trace.step(moment) ?? {};
  return h(
    "section",
    { class: "card code-card", key: "code", "aria-label": t("tree.code") },
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
    h(
      "dl",
      { class: "facts variables" },
      values.map((value, i) =>
        h("div", { key: i }, h("dt", {}, trace.variables[i]), h("dd", {}, value)),
      ),
    ),
  );
}
