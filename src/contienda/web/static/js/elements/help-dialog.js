// The keys, in a dialog.

import { t } from "../i18n.js";
import { KEY_HELP } from "../keys.js";
import { define, h, View } from "../view.js";

class HelpDialog extends View {
  render() {
    return h(
      "dialog",
      { "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, t("help.title")),
      h(
        "table",
        {},
        h(
          "tbody",
          {},
          KEY_HELP.map(([keys, text]) =>
            h(
              "tr",
              {},
              h(
                "td",
                {},
                keys.split(/ +/).map((key) => [h("kbd", {}, key), " "]),
              ),
              h("td", {}, t(text)),
            ),
          ),
        ),
      ),
      h("p", { class: "help" }, t("help.swipe")),
      h("form", { method: "dialog" }, h("button", { class: "primary" }, t("close"))),
    );
  }
}

export function openHelp() {
  document.querySelector("help-dialog dialog").showModal();
}

define("help-dialog", HelpDialog);
