// A plan as the state of a form, and as TOML for `contienda lab`, the only form that the server takes.

import { isForTwo } from "../games.js";

const EMPTY = {
  name: "",
  game: "",
  players: [],
  opponents: [],
  by: "games", // for "interval": until the interval of every mean is this narrow, in percent
  games: 50,
  interval: 5,
  seed: "1",
  target: "", // a tile, or none
  sides: "both",
  opening: "", // random opening moves; empty: as many as suit the game
  turns: false,
};

/** An example of the catalogue (`LabExample`); its question becomes the name. */
export const fromExample = ({ question, target, ...example }, name) => ({
  ...EMPTY,
  ...example,
  target: target === null ? "" : String(target),
  name,
});

/** The server's reading of a plan, as the state of a form. */
export const fromPlan = (plan) => ({
  ...EMPTY,
  ...Object.fromEntries(["name", "game", "players", "opponents", "seed", "sides", "opening", "turns"].map((k) => [k, plan[k]])),
  by: plan.games === null ? "interval" : "games",
  games: plan.games ?? EMPTY.games,
  interval: plan.interval === null ? EMPTY.interval : Math.round(plan.interval * 1000) / 10,
  target: plan.target === null ? "" : String(plan.target),
});

/** The number of entrants: in a game for two, every player with every opponent. */
export const entrants = (draft) => draft.players.length * (isForTwo(draft.game) ? draft.opponents.length : 1);

export function asToml(draft, mostGames) {
  const two = isForTwo(draft.game);
  const lines = [
    draft.name.trim() ? `name = ${quoted(draft.name.trim())}` : null,
    `game = ${quoted(draft.game)}`,
    draft.by === "games" ? `games = ${whole(draft.games)}` : `interval = ${Number(draft.interval) / 100}`,
    draft.by === "games" ? null : `most = ${Math.max(1, Math.floor(Math.min(10000, mostGames / entrants(draft))))}`,
    `seed = ${whole(draft.seed)}`,
    draft.target && !two ? `target = ${draft.target}` : null,
    draft.turns ? "turns = true" : null,
    two ? `sides = ${quoted(draft.sides)}` : null,
    two && String(draft.opening).trim() ? `opening = ${whole(draft.opening)}` : null,
    list("players", draft.players),
    two ? list("opponents", draft.opponents) : null,
  ];
  return `${lines.filter((line) => line !== null).join("\n")}\n`;
}

/** Options that only the text has, to be uncommented. */
export const GRID = `
# [[grid]]                # every combination of these
# player = ["alphabeta", "expectimax"]
# eval = ["uma4", "nneonneo"]
# depth = [1, 3]
`;

const whole = (text) => String(text).trim() || "1";
const quoted = (text) => JSON.stringify(text);
const list = (key, specs) => `${key} = [\n${specs.map((spec) => `    ${quoted(spec)},\n`).join("")}]`;
