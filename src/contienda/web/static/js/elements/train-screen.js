// A network learns 2048 before one's eyes: what to train, how it goes, the board that it plays, what was trained.

import "./train-chart.js";
import { attempt } from "../announce.js";
import { fact, input, segments, select } from "../fields.js";
import { compact, milliseconds, number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { setHelper } from "../helper.js";
import { go } from "../router.js";
import { recall, remember } from "../store.js";
import { begin, drop, going, goOn, halt, look, openTraining } from "../training.js";
import { define, h, View } from "../view.js";

const GAMES = [5000, 20000, 100000];

class TrainScreen extends View {
  static uses = ["training"];

  plan = { network: "2x4", method: "tc", games: 20000, name: "", ...recall("train", {}) };

  connectedCallback() {
    super.connectedCallback();
    attempt(openTraining);
  }

  render({ training }) {
    const { list, view } = training;
    return h(
      "div",
      { class: "train" },
      h("div", { class: "hero" }, h("h1", {}, t("train.title")), h("p", { class: "help" }, t("train.claim"))),
      list
        ? h(
            "div",
            { class: "train-columns" },
            h("div", { class: "stack" }, going(view) ? this.about() : this.form(list), this.networks(list, view)),
            view ? this.progress(view) : this.about(),
          )
        : h("p", { class: "help", role: "status" }, t("loading")),
    );
  }

  updated(view) {
    const board = this.querySelector("board-2048");
    if (board && view?.board) board.draw({ position: view.board });
  }

  update() {
    super.update();
    this.updated(this.seen.training.view);
  }

  // --- What to train ---

  form({ offers, networks }) {
    const { plan } = this;
    return h(
      "form",
      {
        class: "card stack",
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          const { network, method, games } = plan;
          const name = plan.name || this.free(networks);
          this.change({ name: "" });
          attempt(() => begin(name, { network, method, games }));
        },
      },
      h("h2", {}, t("train.new")),
      select(
        t("train.network"),
        offers.map(({ network, megabytes }) => [network, t("train.offer", { network, megabytes })]),
        plan.network,
        (network) => this.change({ network }),
      ),
      h("p", { class: "help" }, t(`train.about.${plan.network}`)),
      segments(
        t("train.method"),
        [
          ["tc", t("train.tc")],
          ["td", t("train.td")],
        ],
        plan.method,
        (method) => this.change({ method }),
        "method",
      ),
      segments(
        t("train.games"),
        GAMES.map((games) => [games, number(games)]),
        plan.games,
        (games) => this.change({ games }),
        "games",
      ),
      input(t("train.name"), plan.name, (name) => (plan.name = name.trim().toLowerCase()), {
        placeholder: this.free(networks),
        maxlength: 31,
        autocapitalize: "off",
        spellcheck: "false",
      }),
      h("button", { class: "primary wide", type: "submit" }, icon("play"), t("train.start")),
    );
  }

  /** A name that is not taken yet. */
  free(networks) {
    const taken = new Set(networks.map(({ name }) => name));
    for (let i = 1; ; i += 1) if (!taken.has(`net-${i}`)) return `net-${i}`;
  }

  change(changes) {
    Object.assign(this.plan, changes);
    remember("train", { ...this.plan, name: "" });
    this.update();
  }

  // --- How it goes ---

  about() {
    return h("section", { class: "card stack", key: "about" }, h("h2", {}, t("train.how")), h("p", {}, t("train.tell")));
  }

  progress(view) {
    const { name, network, method, status, curve, target, games, error } = view;
    const last = curve.at(-1);
    return h(
      "section",
      { class: "card stack", key: "progress", "aria-labelledby": "train-name" },
      h(
        "div",
        { class: "train-head" },
        h("h2", { id: "train-name" }, name),
        h("code", {}, `${network} ${method}`),
        h("span", { class: `train-status ${status}` }, t(`train.status.${status}`)),
      ),
      error ? h("p", { class: "error", role: "alert" }, pick(error)) : null,
      status === "compiling" ? h("p", { class: "help", role: "status" }, t("train.preparing")) : null,
      going(view)
        ? h("progress", { max: 1, value: String(games / target), "aria-label": t("train.progress") })
        : null,
      h(
        "div",
        { class: "train-live" },
        h(
          "figure",
          { class: "stack" },
          h("train-chart", { ".curve": curve, ".target": going(view) ? target : games }),
          h(
            "figcaption",
            { class: "legend" },
            h("span", {}, t("train.mean")),
            h("span", { class: "second" }, t("train.rate")),
          ),
        ),
        view.board
          ? h(
              "figure",
              { class: "stack train-board" },
              h("board-2048", {}),
              h("figcaption", { class: "help" }, t("train.board", { score: view.board.score })),
            )
          : null,
      ),
      h(
        "dl",
        { class: "facts" },
        fact("train.fact.games", number(games)),
        fact("train.fact.mean", last ? number(last.mean) : "–"),
        fact("train.fact.best", last ? number(Math.max(...curve.map(({ best }) => best))) : "–"),
        fact("train.fact.speed", t("train.speed", { moves: compact(speed(view)) })),
        fact("train.fact.time", milliseconds(1000 * view.seconds)),
        fact("train.fact.point", curve.length > 1 ? number(curve[1].games - curve[0].games) : "–"),
      ),
      last ? this.tiles(last) : null,
      this.buttons(view),
    );
  }

  tiles({ rates }) {
    const reached = Object.entries(rates).filter(([tile, rate]) => rate > 0 || Number(tile) <= 4096);
    return h(
      "ul",
      { class: "bars", "aria-label": t("train.tiles") },
      reached.map(([tile, rate]) =>
        h(
          "li",
          { key: tile },
          h("span", { class: "name" }, tile),
          h(
            "span",
            { class: "bar-track", "aria-hidden": "true" },
            h("span", { class: "bar-fill", style: { "--share": rate } }),
          ),
          h("span", { class: "value" }, `${number(100 * rate, 1)} %`),
        ),
      ),
    );
  }

  buttons(view) {
    const { name, games } = view;
    if (going(view))
      return h(
        "button",
        { class: "wide", key: "stop", onclick: () => attempt(() => halt(name)) },
        icon("stop"),
        t("train.stop"),
      );
    const more = GAMES.find((each) => each > games) ?? 2 * games;
    return h(
      "div",
      { class: "train-buttons" },
      h(
        "button",
        { class: "primary", key: "play", onclick: () => play(name) },
        icon("play"),
        t("train.play"),
      ),
      h(
        "button",
        { key: "resume", onclick: () => attempt(() => goOn(name, more)) },
        icon("redo"),
        t("train.resume", { games: more }),
      ),
    );
  }

  // --- What was trained ---

  networks({ networks }, view) {
    if (networks.length === 0) return null;
    return h(
      "section",
      { class: "card stack", key: "networks" },
      h("h2", {}, t("train.yours")),
      h(
        "ul",
        { class: "train-list" },
        networks.map(({ name, network, method, games, running, error }) =>
          h(
            "li",
            { key: name },
            error
              ? h("div", { class: "train-pick" }, h("strong", {}, name), h("span", { class: "error" }, pick(error)))
              : h(
                  "button",
                  {
                    class: "quiet train-pick",
                    "aria-pressed": String(view?.name === name),
                    onclick: () => attempt(() => look(name)),
                  },
                  h("strong", {}, name),
                  h("span", { class: "help" }, t("train.kept", { network, method, n: games, games })),
                ),
            running
              ? h("span", { class: "train-status running" }, t("train.status.running"))
              : h(
                  "button",
                  {
                    class: "quiet",
                    "aria-label": t("train.delete", { name }),
                    title: t("train.delete", { name }),
                    onclick: () => attempt(() => drop(name)),
                  },
                  icon("bin"),
                ),
          ),
        ),
      ),
    );
  }
}

const speed = ({ moves, seconds }) => (seconds > 0 ? moves / seconds : 0);

/** The network at the user's side, on the start screen. */
function play(name) {
  setHelper("2048", `champion:depth=3,network=${name}`);
  go("#/");
}

define("train-screen", TrainScreen);
