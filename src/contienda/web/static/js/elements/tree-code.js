// The algorithm with the line that runs lit, and its variables.

import { t } from "../i18n.js";
import { momentOf } from "../tree/explorer.js";
import { pseudocode, running, variables } from "../tree/pseudocode.js";
import { h } from "../view.js";

export function codeCard(tree) {
  const { trace } = tree.lanes[tree.lane];
  const moment = momentOf(tree, tree.lane);
  const lit = new Set(running(trace, moment));
  return h(
    "section",
    { class: "card code-card", key: "code", "aria-label": t("tree.code") },
    tree.mode === "two" ? h("h2", {}, h("code", {}, trace.player)) : null,
    h(
      "ol",
      { class: "pseudo" },
      pseudocode(trace).map(({ id, indent, text }) =>
        h(
          "li",
          { key: id, class: lit.has(id) ? "lit" : "", "aria-current": lit.has(id) ? "step" : null },
          h("code", { style: { "--indent": indent } }, text),
        ),
      ),
    ),
    h(
      "dl",
      { class: "facts variables" },
      variables(trace, moment).map(([name, value]) =>
        h("div", { key: name }, h("dt", {}, name), h("dd", {}, String(value))),
      ),
    ),
  );
}
