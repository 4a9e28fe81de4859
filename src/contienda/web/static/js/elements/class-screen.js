// The teacher's page: the pupils and the machine's load; send a page to everybody, pause, end.

import { attempt, notify } from "../announce.js";
import { looked, teacher } from "../class.js";
import { fact, input } from "../fields.js";
import { number, pick, t } from "../i18n.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";

const EVERY = 2000; // milliseconds between two requests
const AWAY = 5; // seconds of silence after which a pupil counts as away

class ClassScreen extends View {
  static uses = ["classroom", "route"];

  view = null;
  link = "";
  ending = false;

  connectedCallback() {
    super.connectedCallback();
    this.link ||= looked;
    this.timer = setInterval(() => this.look(), EVERY);
    this.look();
  }

  disconnectedCallback() {
    super.disconnectedCallback?.();
    clearInterval(this.timer);
  }

  async look() {
    if (!this.seen?.classroom?.teacher || this.seen.classroom.ended) return;
    try {
      this.view = await teacher.look();
    } catch (error) {
      if (!error.text) throw error; // the next request will show it
    }
    this.update();
  }

  render({ classroom, route }) {
    if (!classroom?.open) return h("div", { class: "class-page" }, h("h1", {}, t("class.title")), h("p", {}, t("class.none")));
    if (!this.view) return h("p", { class: "help", role: "status" }, t("loading"));
    if (route.query.get("project")) return h("div", { class: "class-page projected" }, this.invitation());
    return h(
      "div",
      { class: "class-page" },
      h("h1", {}, t("class.title")),
      h(
        "div",
        { class: "class-columns" },
        h("div", { class: "stack" }, this.invitation(), this.machine()),
        h("div", { class: "stack" }, this.orders(), this.pupils()),
      ),
    );
  }

  invitation() {
    const { addresses, code } = this.view;
    const projected = Boolean(this.seen.route.query.get("project"));
    return h(
      "section",
      { class: "card stack class-invitation", key: "invitation" },
      h(projected ? "h1" : "h2", {}, t("class.invite")),
      h("p", { class: "class-address" }, h("strong", {}, addresses[0] ?? "")),
      h("p", {}, t("class.code"), ": ", h("strong", { class: "mono class-code" }, code)),
      addresses.length ? h("img", { src: "/api/class/qr.svg", alt: t("class.qr", { url: addresses[0] }), class: "class-qr" }) : null,
      h(
        "p",
        {},
        projected
          ? h("a", { href: "#/class" }, t("class.back"))
          : h("a", { href: "#/class?project=1" }, t("class.project")),
      ),
    );
  }

  machine() {
    const { searches, cores, load, free_megabytes: free, heuristics } = this.view;
    return h(
      "section",
      { class: "card stack", key: "machine" },
      h("h2", {}, t("class.machine")),
      h(
        "dl",
        { class: "facts" },
        fact("class.searches", number(searches)),
        fact("class.cores", number(cores)),
        load === null ? null : fact("class.load", number(load, 1)),
        free === null ? null : fact("class.free", `${number(free)} MB`),
      ),
      heuristics ? h("p", { class: "help" }, pick(heuristics)) : null,
    );
  }

  orders() {
    const { frozen } = this.view;
    return h(
      "section",
      { class: "card stack", key: "orders" },
      h("h2", {}, t("class.orders")),
      h(
        "form",
        {
          class: "stack",
          onsubmit: (event) => {
            event.preventDefault();
            this.order({ send: this.link }, t("class.sent.done"));
          },
        },
        input(t("class.link"), this.link, (link) => (this.link = link), { required: "", maxlength: 8000, placeholder: "#/at?game=…", spellcheck: "false" }),
        h("p", { class: "help" }, t("class.link.help")),
        h("button", { class: "primary", type: "submit" }, t("class.send")),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { class: "grow", "aria-pressed": String(frozen), onclick: () => this.order({ frozen: !frozen }) }, t(frozen ? "class.thaw" : "class.freeze")),
        this.ending
          ? [
              h("button", { class: "grow danger", key: "really", onclick: () => this.order({ end: true }) }, t("class.end.really")),
              h("button", { class: "grow", key: "not", onclick: () => this.end(false) }, t("cancel")),
            ]
          : h("button", { class: "grow", key: "end", onclick: () => this.end(true) }, t("class.end")),
      ),
    );
  }

  end(ending) {
    this.ending = ending;
    this.update();
  }

  pupils() {
    const { pupils } = this.view;
    return h(
      "section",
      { class: "card stack", key: "pupils" },
      h("h2", {}, t("class.pupils", { count: String(pupils.length) })),
      pupils.length === 0
        ? h("p", { class: "help" }, t("class.nobody"))
        : h(
            "ul",
            { class: "list class-pupils" },
            pupils.map(({ name, doing, away }) =>
              h(
                "li",
                { key: name },
                h("div", { class: "what" }, h("strong", {}, name), h("span", { class: "help" }, t(away > AWAY ? "class.away" : `class.doing.${doing}`))),
                h("button", { class: "quiet", "aria-label": t("class.remove", { name }), onclick: () => this.order({ remove: name }) }, t("class.out")),
              ),
            ),
          ),
    );
  }

  order(order, told = null) {
    attempt(async () => {
      await teacher.order(order);
      if (told) notify(told);
      await this.look();
    });
  }
}

defineScreen("class", ClassScreen);
