// The playout of the current simulation, replayed on a small board with a slider.

import { t } from "../i18n.js";
import { little } from "../tree/little.js";
import { define, h, View } from "../view.js";

const FRAME = 160; // ms for a move

class TreePlayout extends View {
  static uses = ["language"];

  at = 0;
  timer = null;

  set boards(boards) {
    if (this.shown === boards) return;
    this.shown = boards;
    clearInterval(this.timer);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.at = still ? boards.length - 1 : 0;
    if (!still) this.timer = setInterval(() => this.go(this.at + 1), FRAME);
    if (this.isConnected) this.update();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    super.disconnectedCallback?.();
  }

  go(to) {
    this.at = Math.min(to, this.shown.length - 1);
    if (this.at === this.shown.length - 1) clearInterval(this.timer);
    this.update();
  }

  render() {
    const last = this.shown.length - 1;
    return h(
      "section",
      { class: "card playout" },
      h("h2", {}, t("tree.playout")),
      h(
        "div",
        { class: "row" },
        little(this.shown[this.at]),
        h(
          "label",
          { class: "field grow" },
          t("tree.playout.at", { n: this.at, all: last }),
          h("input", {
            type: "range",
            min: 0,
            max: last,
            value: String(this.at),
            disabled: !last,
            oninput: (event) => {
              clearInterval(this.timer);
              this.go(Number(event.target.value));
            },
          }),
        ),
      ),
    );
  }
}

define("tree-playout", TreePlayout);
