// The live league of a class: pupils hand in a heuristic, the ladder moves, the games can be watched. The teacher begins
// and ends it; `#/league?project=1` shows it large, for the wall.

import { attempt, notify } from "../announce.js";
import { request } from "../api.js";
import { boardOf, ratioOf } from "../drawings.js";
import { input, select } from "../fields.js";
import { gameNames, has, isForTwo } from "../games.js";
import { number, pick, t } from "../i18n.js";
import { go } from "../router.js";
import { defineScreen } from "../screens.js";
import { gameName } from "../spec.js";
import { state } from "../store.js";
import { h, View } from "../view.js";
import { gameTitle, playerName } from "../words.js";

const AGAIN = 2000; // milliseconds before the next request for news after an error
const GRADED = ["alphabeta:depth=1", "alphabeta:depth=3"]; // for a two-player game; the teacher may change them

class LeagueScreen extends View {
  static uses = ["classroom", "route", "heuristics"];

  news = null;
  chosen = ""; // the heuristic to hand in
  asked = null; // the form of the teacher
  ending = false;

  connectedCallback() {
    super.connectedCallback();
    this.watch();
  }

  /** Ask for news as long as the screen is there: the server answers as soon as there are any. */
  async watch() {
    while (this.isConnected) {
      if (!state.classroom?.league) {
        this.news = null;
        await new Promise((resolve) => setTimeout(resolve, AGAIN / 4));
        continue;
      }
      try {
        this.news = await request("GET", `/class/league?after=${this.news?.number ?? -1}`);
        if (this.isConnected) this.update();
      } catch (error) {
        if (error.status !== 404) console.warn(error);
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  }

  render({ classroom, route }) {
    if (!classroom?.open) return h("div", { class: "class-page" }, h("h1", {}, t("league.title")), h("p", {}, t("class.none")));
    const news = classroom.league ? this.news : null;
    const large = Boolean(route.query.get("project")) && news;
    if (large)
      return h("div", { class: "class-page projected" }, h("h1", {}, this.title(news)), this.columns(this.ladder(news), this.games(news)), h("p", {}, h("a", { href: "#/league" }, t("class.back"))));
    return h(
      "div",
      { class: "class-page" },
      h("h1", {}, news ? this.title(news) : t("league.title")),
      classroom.league
        ? news
          ? this.columns([this.ladder(news)], [classroom.teacher ? this.orders() : this.form(news), this.games(news)])
          : h("p", { class: "help", role: "status" }, t("loading"))
        : h("p", {}, t(classroom.teacher ? "league.none.teacher" : "league.none")),
      classroom.teacher && !classroom.league ? this.beginning() : null,
    );
  }

  title({ game, depth }) {
    return depth ? t("league.of.depth", { game: gameTitle(game), depth: String(depth) }) : t("league.of", { game: gameTitle(game) });
  }

  columns(left, right) {
    return h("div", { class: "class-columns league-columns" }, h("div", { class: "stack" }, left), h("div", { class: "stack" }, right));
  }

  // --- Everybody ---

  ladder({ table, left, notes }) {
    const scored = table.some((row) => row.score);
    const own = state.classroom.name;
    return h(
      "section",
      { class: "card stack", key: "ladder" },
      h("h2", {}, t("league.ladder")),
      table.length === 0 ? h("p", { class: "help" }, t("league.empty")) : null,
      table.length === 0
        ? null
        : h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": t("league.ladder") },
            h(
              "table",
              { class: "data league-ladder" },
              h(
                "thead",
                {},
                h(
                  "tr",
                  {},
                  ["player", "rating", scored ? "score" : "points", "games", "won", "drawn", "lost"].map((name) =>
                    h("th", { scope: "col" }, t(`league.${name}`)),
                  ),
                ),
              ),
              h("tbody", {}, table.map((row, place) => this.row(row, place, scored, own))),
            ),
          ),
      h("p", { class: "help", role: "status" }, state.classroom.frozen ? t("league.paused") : left ? t("league.left", { n: left }) : t("league.rest")),
      notes.map((note) => h("p", { class: "help" }, pick(note))),
    );
  }

  row(row, place, scored, own) {
    const { name, rating, low, high, games, won, drawn, lost, points, staff, stage, score, disqualified } = row;
    const between = rating === null || stage !== "playing" ? "" : ` ± ${number((high - low) / 2)}`;
    return h(
      "tr",
      { key: name, class: name === own ? "own" : "" },
      h(
        "th",
        { scope: "row" },
        stage === "playing" ? h("span", { class: "place" }, `${place + 1}. `) : null,
        name,
        staff ? h("small", {}, ` ${t("league.staff")}`) : null,
        name === own ? h("small", {}, ` ${t("league.you")}`) : null,
        stage === "playing" ? null : h("p", { class: stage === "out" ? "error" : "help" }, disqualified ? pick(disqualified) : t(`league.stage.${stage}`)),
      ),
      h("td", {}, rating === null || stage !== "playing" ? "–" : number(rating), h("small", {}, between)),
      h("td", {}, scored ? (score ? number(score.value) : "–") : number(points, points % 1 ? 1 : 0)),
      [games, won, drawn, lost].map((count) => h("td", {}, number(count))),
    );
  }

  games({ game, playing, recent }) {
    return [
      h(
        "section",
        { class: "card stack", key: "playing" },
        h("h2", {}, t("league.now")),
        playing.length === 0 ? h("p", { class: "help" }, t("league.now.none")) : null,
        h(
          "div",
          { class: "league-boards" },
          playing.map(({ players, moves, position }, table) =>
            h(
              "figure",
              { key: table, style: { "--ratio": ratioOf(game, position.picture) } },
              h("div", { class: "frame" }, boardOf(game)),
              h("figcaption", {}, players.map(playerName).join(" – "), h("small", { class: "help" }, ` ${t("league.moves", { n: moves })}`)),
            ),
          ),
        ),
      ),
      h(
        "section",
        { class: "card stack", key: "recent" },
        h("h2", {}, t("league.recent")),
        recent.length === 0 ? h("p", { class: "help" }, t("league.recent.none")) : null,
        h(
          "ul",
          { class: "list league-recent" },
          recent.map((one) =>
            h(
              "li",
              { key: one.number },
              h("div", { class: "what" }, h("strong", {}, one.players.map(playerName).join(" – ")), h("span", { class: "help" }, this.outcome(one))),
              h("button", { class: "quiet", "aria-label": t("league.watch.of", { players: one.players.join(" – ") }), onclick: () => this.replay(one.number) }, t("league.watch")),
            ),
          ),
        ),
      ),
    ];
  }

  outcome({ winner, score, players, forfeit, moves }) {
    const told =
      winner === null
        ? t("league.scored", { score: number(score ?? 0) })
        : winner === 0
          ? t("two.draw")
          : t("league.won.by", { who: playerName(players[winner - 1]) });
    return `${told} · ${forfeit ? t("league.forfeit") : t("league.moves", { n: moves })}`;
  }

  replay(wanted) {
    attempt(async () => {
      const { id } = await request("POST", `/class/league/games/${wanted}`);
      go(`#/replay/${id}`);
    });
  }

  // --- A pupil ---

  form({ game, table }) {
    const own = state.heuristics.filter((one) => gameName(one.game) === gameName(game));
    const takesPart = table.some(({ name }) => name === state.classroom.name);
    const chosen = own.some(({ name }) => name === this.chosen) ? this.chosen : (own[0]?.name ?? "");
    return h(
      "section",
      { class: "card stack", key: "form" },
      h("h2", {}, t("league.hand.title")),
      own.length === 0
        ? h("p", {}, t("league.hand.none", { game: gameTitle(game) }))
        : h(
            "form",
            {
              class: "stack",
              onsubmit: (event) => {
                event.preventDefault();
                this.handIn(chosen);
              },
            },
            select(t("league.hand.which"), own.map(({ name }) => [name, name]), chosen, (name) => (this.chosen = name)),
            h("p", { class: "help" }, t("league.hand.help")),
            h("button", { class: "primary", type: "submit" }, t("league.hand")),
          ),
      takesPart
        ? h("button", { class: "quiet", key: "withdraw", onclick: () => attempt(() => request("DELETE", "/class/league/submission")) }, t("league.withdraw"))
        : null,
    );
  }

  handIn(heuristic) {
    attempt(async () => {
      await request("POST", "/class/league/submission", { heuristic });
      notify(t("league.handed"));
    });
  }

  // --- The teacher ---

  beginning() {
    const games = gameNames().filter((name) => isForTwo(name) || has(name, "points"));
    this.asked ??= { game: games.find(isForTwo) ?? games[0], depth: "4", staff: GRADED.join("\n") };
    const { asked } = this;
    return h(
      "form",
      {
        class: "card stack league-begin",
        onsubmit: (event) => {
          event.preventDefault();
          this.begin();
        },
      },
      h("h2", {}, t("league.begin")),
      select(t("league.game"), games.map((name) => [name, gameTitle(name)]), asked.game, (game) => {
        this.asked = { ...asked, game, depth: isForTwo(game) ? "4" : "1", staff: isForTwo(game) ? GRADED.join("\n") : "" };
        this.update();
      }),
      input(t("league.depth"), asked.depth, (depth) => (asked.depth = depth), { type: "number", min: 1, max: 20, required: "" }),
      h(
        "label",
        { class: "field" },
        t("league.staff.field"),
        h("textarea", { rows: 3, spellcheck: "false", class: "mono", oninput: (event) => (asked.staff = event.target.value), value: asked.staff }, asked.staff),
      ),
      h("p", { class: "help" }, t("league.begin.help")),
      h("button", { class: "primary", type: "submit" }, t("league.begin")),
    );
  }

  begin() {
    const { game, depth, staff } = this.asked;
    const body = { game, depth: Number(depth), staff: staff.split("\n").map((line) => line.trim()).filter(Boolean) };
    attempt(() => request("PUT", "/class/league", body));
  }

  orders() {
    return h(
      "section",
      { class: "card stack", key: "orders" },
      h("h2", {}, t("class.orders")),
      h("p", {}, h("a", { href: "#/league?project=1" }, t("league.project"))),
      h(
        "div",
        { class: "row" },
        h("button", { class: "grow", onclick: () => this.send() }, t("league.send")),
        this.ending
          ? [
              h("button", { class: "grow danger", key: "really", onclick: () => this.end() }, t("league.end.really")),
              h("button", { class: "grow", key: "not", onclick: () => this.turn(false) }, t("cancel")),
            ]
          : h("button", { class: "grow", key: "end", onclick: () => this.turn(true) }, t("league.end")),
      ),
    );
  }

  send() {
    attempt(async () => {
      await request("POST", "/class/teacher", { send: "#/league" });
      notify(t("class.sent.done"));
    });
  }

  end() {
    attempt(async () => {
      await request("DELETE", "/class/league");
      this.turn(false);
    });
  }

  turn(ending) {
    this.ending = ending;
    this.update();
  }

  update() {
    super.update();
    if (!this.news) return;
    this.querySelectorAll("[data-board]").forEach((board, table) => {
      const shown = this.news.playing[table];
      // @ts-expect-error: every drawing has it (drawings.js)
      if (shown) board.draw({ game: { game: this.news.game, players: shown.players }, position: shown.position });
    });
  }
}

defineScreen("league", LeagueScreen);
