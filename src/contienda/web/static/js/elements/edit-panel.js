// The panel under a board being edited: the palette of tiles, the score, the server's verdict.

import { FACES, playEdited, setBrush, setScore, stopEditing } from "../editing.js";
import { input } from "../fields.js";
import { pick, t } from "../i18n.js";
import { h } from "../view.js";

export function editPanel({ brush, score, error }) {
  return h(
    "div",
    { class: "card edit", key: "edit" },
    h("p", { class: "help" }, t("edit.help")),
    h(
      "div",
      { class: "palette", role: "group", "aria-label": t("edit.palette") },
      FACES.map((face) =>
        h(
          "button",
          {
            "data-face": face || null,
            "data-digits": String(face).length,
            "aria-pressed": String(face === brush),
            "aria-label": face ? String(face) : t("say.empty"),
            onclick: () => setBrush(face),
          },
          face || "·",
        ),
      ),
    ),
    input(t("score"), score, (text) => setScore(Math.max(0, Math.round(Number(text) || 0))), {
      type: "number",
      min: 0,
    }),
    h("p", { class: "error", role: "status" }, error ? pick(error) : ""),
    h(
      "div",
      { class: "row" },
      h("button", { class: "grow", onclick: stopEditing }, t("cancel")),
      h("button", { class: "primary grow", disabled: Boolean(error), onclick: playEdited }, t("edit.play")),
    ),
  );
}
