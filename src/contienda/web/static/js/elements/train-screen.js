// A network learns a game while you watch: what to train, its progress, a game that it plays, and the trained
// networks.

import "./train-chart.js";
import { attempt } from "../announce.js";
import { boardOf, shownBoard } from "../drawings.js";
import { fact, input, segments, select } from "../fields.js";
import { about, gameNames, has, isForTwo, levelsOf } from "../games.js";
import { compact, milliseconds, number, pick, t } from "../i18n.js";
import { icon } from "../icons.js";
import { setHelper } from "../helper.js";
import { go } from "../router.js";
import { recall, remember } from "../store.js";
import { begin, drop, going, goOn, halt, leave, look, openTraining } from "../training.js";
import { defineScreen } from "../screens.js";
import { h, View } from "../view.js";
import { gameTitle } from "../words.js";

const GAMES = [5000, 20000, 100000];

/** The games that networks can learn, as the games declare. */
const learnable = () => gameNames().filter((name) => has(name, "network"));

/** The measure of a training: points and a tile, or results against a careful player. */
const measures = (game) => (isForTwo(game) ? "duel" : "points");

class TrainScreen extends View {
  static uses = ["training", "route"];

  plan = { game: null, network: null, method: "tc", games: 20000, name: "", ...recall("train", {}) };

  /** The game of the network shown, or of the one to train. */
  get game() {
    const { view } = this.seen.training;
    if (view) return view.game;
    const asked = this.seen.route.query.get("game") ?? this.plan.game;
    return learnable().includes(asked) ? asked : learnable()[0];
  }

  connectedCallback() {
    super.connectedCallback();
    attempt(openTraining);
  }

  render({ training }) {
    const { list, view } = training;
    return h(
      "div",
      { class: "train" },
      h("div", { class: "hero" }, h("h1", {}, t("train.title", { game: gameTitle(this.game) })),
        h(
          "p",
          { class: "help" },
          t(`train.claim.${measures(this.game)}`, { target: String(about(this.game).default_target) }),
        )),
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
    const board = shownBoard(this);
    if (board && view?.board) board.draw({ game: { game: view.game, players: isForTwo(view.game) ? ["human", "human"] : ["human"] }, position: view.board });
  }

  update() {
    super.update();
    this.updated(this.seen.training.view);
  }

  // --- What to train ---

  form({ offers: all, networks }) {
    const { plan } = this;
    const game = learnable().includes(plan.game) ? plan.game : this.game;
    const offers = all.filter((offer) => offer.game === game);
    const chosen = offers.some(({ network }) => network === plan.network) ? plan.network : offers[0]?.network;
    return h(
      "form",
      {
        class: "card stack",
        key: "form",
        onsubmit: (event) => {
          event.preventDefault();
          const { method, games } = plan;
          const name = plan.name || this.free(networks);
          this.change({ name: "" });
          attempt(() => begin(name, { game, network: chosen, method, games }));
        },
      },
      h("h2", {}, t("train.new")),
      learnable().length > 1
        ? select(
            t("train.game"),
            learnable().map((name) => [name, gameTitle(name)]),
            game,
            (name) => {
              this.change({ game: name, network: null });
              leave();
              go(`#/train?game=${encodeURIComponent(name)}`);
            },
          )
        : null,
      select(
        t("train.network"),
        offers.map(({ network, megabytes }) => [network, t("train.offer", { network, megabytes })]),
        chosen,
        (network) => this.change({ network }),
      ),
      h("p", { class: "help" }, t(`train.about.${chosen}`)),
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

  /** An unused name. */
  free(networks) {
    const taken = new Set(networks.map(({ name }) => name));
    for (let i = 1; ; i += 1) if (!taken.has(`net-${i}`)) return `net-${i}`;
  }

  change(changes) {
    Object.assign(this.plan, changes);
    remember("train", { ...this.plan, name: "" });
    this.update();
  }

  // --- Progress ---

  about() {
    return h(
      "section",
      { class: "card stack", key: "about" },
      h("h2", {}, t("train.how")),
      h("p", {}, t(`train.tell.${measures(this.game)}`)),
    );
  }

  progress(view) {
    const { name, game, network, method, status, curve, target, games, error } = view;
    const kind = measures(game);
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
          h("train-chart", {
            ".curve": curve,
            ".target": going(view) ? target : games,
            ".tile": kind === "duel" ? null : about(game).default_target,
          }),
          h(
            "figcaption",
            { class: "legend" },
            h("span", {}, t(`train.mean.${kind}`)),
            h("span", { class: "second" }, t(`train.rate.${kind}`, { target: String(about(game).default_target) })),
          ),
        ),
        view.board
          ? h(
              "figure",
              { class: "stack train-board" },
              boardOf(game),
              h(
                "figcaption",
                { class: "help" },
                kind === "duel" ? t("train.board.duel") : t("train.board", { score: view.board.score }),
              ),
            )
          : null,
      ),
      h(
        "dl",
        { class: "facts" },
        fact("train.fact.games", number(games)),
        fact(`train.fact.mean.${kind}`, last ? figure(kind, last.mean) : "–"),
        fact(`train.fact.best.${kind}`, last ? figure(kind, Math.max(...curve.map(({ best }) => best))) : "–"),
        fact("train.fact.speed", t("train.speed", { moves: compact(speed(view)) })),
        fact("train.fact.time", milliseconds(1000 * view.seconds)),
        fact("train.fact.point", curve.length > 1 ? number(curve[1].games - curve[0].games) : "–"),
      ),
      last ? this.shares(last, game) : null,
      this.buttons(view),
    );
  }

  shares({ rates }, game) {
    const kind = measures(game);
    const shown = Object.entries(rates).filter(
      ([tile, rate]) => kind === "duel" || rate > 0 || Number(tile) <= 2 * about(game).default_target,
    );
    return h(
      "ul",
      { class: "bars", "aria-label": t(`train.shares.${kind}`) },
      shown.map(([tile, rate]) =>
        h(
          "li",
          { key: tile },
          h("span", { class: "name" }, kind === "duel" ? t(`train.${tile}`) : tile),
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
        { class: "primary", key: "play", onclick: () => play(view) },
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

  // --- Trained networks ---

  networks({ networks }, view) {
    if (networks.length === 0) return null;
    return h(
      "section",
      { class: "card stack", key: "networks" },
      h("h2", {}, t("train.yours")),
      h(
        "ul",
        { class: "train-list" },
        networks.map(({ name, game, network, method, games, running, error }) =>
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
                  h("span", { class: "help" }, `${gameTitle(game)} · ${t("train.kept", { network, method, n: games, games })}`),
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

const figure = (kind, value) => (kind === "duel" ? `${number(value)} %` : number(value));

/** Open the start screen with the network as the helper, or as the opponent in a game for two. */
function play({ name, game }) {
  const spec = isForTwo(game) ? `alphabeta:depth=6,eval=ntuple:${name}` : `champion:depth=3,network=${name}`;
  const start = recall("start", {});
  const opponent = isForTwo(game) ? { level: levelsOf(game).length, machine1: spec } : {};
  remember("start", { ...start, game, own: { ...start.own, [game]: { ...start.own?.[game], ...opponent } } });
  setHelper(game, spec);
  go("#/");
}

defineScreen("train", TrainScreen);
