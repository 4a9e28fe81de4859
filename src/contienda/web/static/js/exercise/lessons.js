// The exercises' screen: the course, a random exercise, one being made. Its progress and errors are in the store's
// `lessons`.

import { job } from "../live.js";
import { go } from "../router.js";
import { set, state } from "../store.js";
import { begin } from "./solving.js";

const EMPTY = { status: "off", error: null, make: null };

let running = null;
let wish = 0;

export const put = (changes) => set({ lessons: { ...EMPTY, ...state.lessons, ...changes } });

/** Follow an address: to the list, an exercise of the course, one in the address itself, or the form to make one. */
export function openLessons({ id, query }) {
  running?.cancel();
  wish += 1;
  if (query.get("make")) {
    const made = { game: query.get("game") ?? "tree", position: query.get("position") ?? "", player: query.get("player") ?? "alphabeta" };
    set({ exercise: null });
    put({ status: "off", error: null, make: { ...made, title: "", text: "", ask: [], as: "values", data: null } });
    if (made.position) look();
    return;
  }
  put({ make: null, error: null, status: "off" });
  if (id) solve({ course: id });
  else if (query.get("game")) solve({ exercise: fromAddress(query) });
  else set({ exercise: null });
}

/** Get an exercise from the server, and start it. */
async function solve(asked) {
  const mine = wish;
  set({ exercise: null });
  const data = await ask(asked);
  if (data && wish === mine) begin(data);
  return data;
}

async function ask(asked) {
  const mine = wish;
  put({ status: "running", error: null });
  try {
    running = job("exercise", asked);
    const found = await running.done;
    if (wish === mine) put({ status: "ready" });
    return found;
  } catch (error) {
    if (wish === mine && error.name !== "Cancelled") put({ status: "failed", error: error.text ?? String(error) });
    return null;
  }
}

export async function drawOne(random) {
  const data = await ask({ random });
  if (data) go(data.link);
}

/** Download the page or the worksheet of the current exercise. */
export async function fileOf(form) {
  const { data } = state.exercise;
  const found = await ask({ exercise: data.exercise, form, language: state.language });
  if (found) save(`exercise-${form}.html`, found.html, "text/html");
}

export function exerciseFile() {
  save("exercise.json", `${JSON.stringify(state.exercise.data.exercise, null, 1)}\n`, "application/json");
}

function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The exercise in an address (contienda.exercises.exercise). */
function fromAddress(query) {
  const exercise = { format: "contienda exercise", version: 1, ask: query.getAll("ask") };
  for (const [key, value] of query) {
    const [name, language] = key.split(".");
    if (key === "ask") continue;
    if (language && (name === "title" || name === "text")) exercise[name] = { ...exercise[name], [language]: value };
    else exercise[key] = key === "score" || key === "seed" ? Number(value) : value;
  }
  return exercise;
}

// --- Making one ---

export const change = (changes) => put({ make: { ...state.lessons.make, ...changes } });

/** Show the search tree from which to make an exercise. */
export async function look() {
  const { game, position, player } = state.lessons.make;
  wish += 1;
  const exercise = { format: "contienda exercise", version: 1, game, position, player, ask: ["next"] };
  const data = await ask({ exercise });
  if (!data || !state.lessons.make) return;
  const query = new URLSearchParams({ make: "1", game, position, player });
  history.replaceState(null, "", `#/exercise?${query}`);
  change({ data, ask: [] });
}

/** The key of a node in a question: its moves from the root, or the number of a state in a path search. */
export function keyOf(trace, id) {
  if (trace.family === "path") return String(id);
  return trace
    .path(id)
    .slice(1)
    .map((at) => trace.nodes[at].move.replaceAll(" ", ""))
    .join("/");
}

export function toggle(asked) {
  const held = state.lessons.make.ask;
  change({ ask: held.includes(asked) ? held.filter((one) => one !== asked) : [...held, asked] });
}

/** The address of the exercise being made. */
export function addressOf({ game, position, player, title, text, ask: asked }) {
  const query = new URLSearchParams({ game, position, player });
  if (title || text) query.set("language", state.language);
  if (title) query.set("title", title);
  if (text) query.set("text", text);
  for (const one of asked) query.append("ask", one);
  return `#/exercise?${query}`;
}

