// Training runs of this browser: requests to the server, and polling while one runs.

import { request } from "./api.js";
import { complain, say } from "./announce.js";
import { isForTwo } from "./games.js";
import { number, t } from "./i18n.js";
import { set, state } from "./store.js";

const EVERY = 500; // milliseconds between two requests
const GOING = ["compiling", "running"];

export const NONE = { list: null, view: null, name: null };

let timer = null;

const path = (name) => `/training/${encodeURIComponent(name)}`;
const put = (changes) => set({ training: { ...state.training, ...changes } });

/** Show the progress; the end is announced once. */
async function heard(view) {
  const ended = going(state.training.view) && !going(view);
  put({ view });
  if (!ended) return;
  const mean = view.curve.at(-1)?.mean ?? 0;
  const said = isForTwo(view.game) && view.status !== "failed" ? `train.said.${view.status}.duel` : `train.said.${view.status}`;
  say(t(said, { name: view.name, games: view.games, mean: number(mean) }));
  await list();
}

export const going = (view) => GOING.includes(view?.status);

/** Open the screen: the list, and the training that runs or was shown last. */
export async function openTraining() {
  await list();
  const { list: known, name } = state.training;
  const asked = state.route.query.get("game");
  const fitting = known.networks.filter((each) => !asked || each.running || each.game === asked);
  const one = fitting.find((each) => each.running) ?? fitting.find((each) => each.name === name && !each.error);
  if (one) await look(one.name);
  else leave();
}

async function list() {
  put({ list: await request("GET", "/training") });
}

/** Show a network, running or stopped. */
export async function look(name) {
  put({ name, view: await request("GET", path(name)) });
  watch();
}

/** Show none, so that a new one can be started. */
export function leave() {
  put({ name: null, view: null });
}

export async function begin(name, plan) {
  await follow(await request("PUT", path(name), plan));
}

export async function goOn(name, games) {
  await follow(await request("POST", `${path(name)}/resume?games=${games}`));
}

export async function halt(name) {
  await heard(await request("POST", `${path(name)}/stop`));
}

export async function drop(name) {
  await request("DELETE", path(name));
  if (state.training.name === name) put({ name: null, view: null });
  await list();
}

async function follow(view) {
  put({ name: view.name, view });
  say(t("train.begun", { name: view.name }));
  await list();
  watch();
}

/** Poll while the screen is open and the training runs; only new points of the curve are sent. */
function watch() {
  clearTimeout(timer);
  if (state.route.name !== "train" || !going(state.training.view)) return;
  timer = setTimeout(async () => {
    const { view, name } = state.training;
    try {
      const next = await request("GET", `${path(name)}?since=${view.curve.length}`);
      if (state.training.name !== name) return;
      await heard({ ...next, curve: [...view.curve.slice(0, next.start), ...next.curve] });
    } catch (error) {
      complain(error);
    }
    watch();
  }, EVERY);
}
