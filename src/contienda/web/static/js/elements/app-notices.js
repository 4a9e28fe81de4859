// Notices in a corner: what was done, what went wrong.

import { dismiss } from "../announce.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { define, h, View } from "../view.js";

class AppNotices extends View {
  static uses = ["notices"];

  render({ notices }) {
    return h(
      "div",
      { class: "toasts", role: "log", "aria-live": "polite" },
      notices.map(({ id, text, kind }) =>
        h(
          "div",
          { key: id, class: `toast ${kind}`, role: kind === "error" ? "alert" : null },
          h("p", {}, text),
          h("button", { class: "quiet icon", "aria-label": t("close"), onclick: () => dismiss(id) }, icon("close")),
        ),
      ),
    );
  }
}

define("app-notices", AppNotices);
