// The game on the board: its target, seed and players, and its position as text and as a link.

import { change, create } from "../game.js";
import { about, levelsOf, targetOf } from "../games.js";
import { select, sentence, tileSelect } from "../fields.js";
import { pick, t } from "../i18n.js";
import { helper } from "../helper.js";
import { shareUrl } from "../router.js";
import { define, h, View } from "../view.js";
import { gameTitle, playerName } from "../words.js";
import { shareButton } from "./share-button.js";

class GamePanel extends View {
  static uses = ["game", "catalogue", "specs"];

  render({ game }) {
    if (!game) return null;
    return h(
      "div",
      { class: "card" },
      h("h2", {}, gameTitle(game.game)),
      h("p", { class: "help" }, sentence(pick(about(game.game).about))),
      game.players.length === 2 ? this.players(game) : null,
      about(game.game).targets.length ? this.target(game) : null,
      about(game.game).luck ? this.luck(game) : null,
      h("hr", {}),
      this.position(game),
    );
  }

  target(game) {
    const chosen = targetOf(game);
    const targets = chosen ? about(game.game).targets : ["–", ...about(game.game).targets];
    return tileSelect(t("target"), targets, chosen ?? "–", (target) => change({ target }));
  }

  luck(game) {
    return h(
      "form",
      {
        class: "stack",
        onsubmit: (event) => {
          event.preventDefault();
          again(game, event.target.elements.seed.value);
        },
      },
      h(
        "label",
        { class: "field" },
        t("seed"),
        h("input", { name: "seed", class: "mono", inputmode: "numeric", value: game.seed }),
      ),
      h("p", { class: "help" }, t("game.seed.help")),
      h("button", {}, t("game.seed.again")),
    );
  }

  players(game) {
    const levels = levelsOf(game.game);
    const own = helper(game.game);
    const names = new Map([
      ["human", t("two.human")],
      ...levels.map(({ name, player }) => [player, `${pick(name)} · ${player}`]),
    ]);
    for (const spec of [own, ...game.players]) if (!names.has(spec)) names.set(spec, playerName(spec));
    return h(
      "div",
      { class: "stack" },
      [0, 1].map((side) =>
        select(t(side === 0 ? "start.first" : "start.second"), [...names], game.players[side], (spec) =>
          change({ players: game.players.with(side, spec) }),
        ),
      ),
      h("p", { class: "help" }, t("game.players.help")),
    );
  }

  position(game) {
    const { position } = game;
    return h(
      "form",
      {
        class: "stack",
        onsubmit: (event) => {
          event.preventDefault();
          this.set(game, event.target.elements);
        },
      },
      h(
        "label",
        { class: "field" },
        t("game.position"),
        h("input", { name: "position", class: "mono", value: position.text, spellcheck: "false" }),
      ),
      h("p", { class: "help" }, pick(about(game.game).position_help)),
      h(
        "div",
        { class: "row" },
        h("button", { class: "grow" }, t("game.position.play")),
        shareButton(game.game, position),
      ),
      h(
        "label",
        { class: "field" },
        t("share.link"),
        h("input", {
          class: "mono",
          readonly: true,
          value: shareUrl(game.game, position),
          onfocus: (event) => event.target.select(),
        }),
      ),
    );
  }

  set(game, { position }) {
    const { target, players } = game;
    create({
      game: game.game,
      position: position.value.trim(),
      score: game.position.score ?? undefined,
      target: target ?? undefined,
      players,
    });
  }
}

function again({ game, target, players }, seed) {
  create({ game, target: target ?? undefined, players, seed: seed.trim() || undefined });
}

define("game-panel", GamePanel);
