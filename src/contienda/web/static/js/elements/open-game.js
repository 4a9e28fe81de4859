// "Open a game file": the user's own game, by its file and class. Only if the server listens on this machine alone.

import { api } from "../api.js";
import { complain, say } from "../announce.js";
import { pick, t } from "../i18n.js";
import { set } from "../store.js";
import { define, h, View } from "../view.js";
import { gameTitle } from "../words.js";

class OpenGame extends View {
  static uses = ["catalogue"];

  place = "";
  error = null;
  busy = false;

  render({ catalogue }) {
    if (!catalogue?.open) return null;
    return h(
      "details",
      {},
      h("summary", {}, t("open.title")),
      h(
        "div",
        { class: "row" },
        h(
          "label",
          { class: "field grow" },
          t("open.place"),
          h("input", {
            class: "mono",
            value: this.place,
            placeholder: "nim.py:Nim",
            maxlength: 500,
            spellcheck: "false",
            autocapitalize: "off",
            autocomplete: "off",
            "aria-describedby": "open-help open-error",
            "aria-invalid": String(Boolean(this.error)),
            oninput: (event) => (this.place = event.target.value),
            onkeydown: (event) => this.key(event),
          }),
        ),
        h("button", { type: "button", disabled: this.busy, onclick: () => this.open() }, t("open")),
      ),
      h("p", { id: "open-error", class: "error", role: "alert" }, this.error ? pick(this.error.text) : ""),
      h("p", { id: "open-help", class: "help" }, t("open.help")),
    );
  }

  /** Enter opens the file, and does not start the game chosen in the same form. */
  key(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.open();
  }

  async open() {
    const place = this.place.trim();
    if (!place || this.busy) return;
    this.busy = true;
    this.error = null;
    this.update();
    try {
      const { game } = await api.openGame(place);
      set({ catalogue: await api.catalogue() });
      this.place = "";
      say(t("open.done", { game: gameTitle(game) }));
      this.dispatchEvent(new CustomEvent("opened", { detail: game }));
    } catch (error) {
      if (error.text) this.error = error;
      else complain(error);
    }
    this.busy = false;
    this.update();
  }
}

define("open-game", OpenGame);
