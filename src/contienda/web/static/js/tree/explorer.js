// The explorer of search trees: which searches, by which players, at which moment. All of it is in the store's `tree`.

import { say } from "../announce.js";
import { isFields, isText } from "../fields.js";
import { job } from "../live.js";
import { become, treeUrl } from "../router.js";
import { formatSpec, parseSpec } from "../spec.js";
import { recall, remember, set, state } from "../store.js";
import { together } from "./together.js";
import { Trace } from "./trace.js";

const SLOW = 1000; // ms after which a search is surely being compiled; its seconds are shown from then on

export const SPEEDS = [0.5, 1, 2, 4, 8, 16, 40];

/** A search being shown: its request, its trace, and the nodes whose children are not drawn. */
const lane = (asked, data) => {
  const trace = new Trace(data);
  return { asked, trace, folds: trace.folded() };
};

export const EMPTY = {
  mode: "one", // or "two", side by side, or "guess"
  asked: [], // { game, position, score, target, player } of each lane
  lanes: [],
  status: "off", // "running", "failed"
  seconds: 0, // that the search has taken so far
  error: null, // { text, fits }
  moment: 0, // a stop on the way: an index of `stops`
  stops: [], // the moments of each lane, stop by stop
  playing: false,
  speed: 2,
  into: true, // steps enter folded parts, and unfold them while they are there
  passed: 0, // steps inside folded parts that were skipped with the last one
  lane: 0, // the one whose node is picked
  picked: 0,
  hover: null, // { lane, node } under the pointer
  guess: null,
};

/** The explorer, or the page of an algorithm. */
export const hasTree = ({ name, id }) => name === "tree" || (name === "algorithms" && Boolean(id));

let running = [];
let wish = 0;

export function put(changes) {
  set({ tree: { ...state.tree, ...changes } });
}

/** Follow an address to a tree; by default the first example, or the search shown last. */
export function openTree(query) {
  if (!state.tree.lanes.length) put({ speed: recall("treeSpeed", 2), into: recall("treeInto", true) });
  if (!query.get("game")) {
    const [{ asked, mode }] = state.catalogue.trace_examples;
    if (!state.tree.asked.length) look(asked, mode);
    return;
  }
  const { game, position, score, target, player, other, second } = Object.fromEntries(query);
  const first = { game, position: position ?? "", player: player ?? "alphabeta" };
  if (score) first.score = Number(score);
  if (target) first.target = Number(target);
  const asked = other ? [first, { ...first, player: other, position: second ?? first.position }] : [first];
  if (JSON.stringify(asked) !== JSON.stringify(state.tree.asked)) look(asked, query.get("mode") ?? undefined);
}

/** Run a search, and show it from its start. A quiz is about the whole tree, so that is searched too. */
export async function look(asked, mode = asked.length > 1 ? "two" : "one") {
  for (const one of running) one.cancel();
  pause();
  wish += 1;
  const mine = wish;
  put({ mode, asked, status: "running", seconds: 0, error: null, guess: null });
  if (state.route.name === "tree") become(treeUrl(asked, mode)); // the page of an algorithm keeps its address
  const clock = setInterval(() => wish === mine && put({ seconds: state.tree.seconds + 1 }), SLOW);
  try {
    const wanted = mode === "guess" ? [asked[0], { ...asked[0], player: exhaustive(asked[0]) }] : asked;
    running = wanted.map((one) => job("trace", one));
    const found = await Promise.all(running.map((one) => one.done));
    if (wish !== mine) return;
    show(wanted.map((one, i) => lane(one, found[i])));
  } catch (error) {
    for (const one of running) one.cancel();
    if (wish === mine && error.name !== "Cancelled")
      put({ status: "failed", error: { text: error.text ?? String(error), fits: error.fits ?? null } });
  } finally {
    clearInterval(clock);
  }
}

export function stopLooking() {
  wish += 1;
  for (const one of running) one.cancel();
  put({ status: "off" });
}

/** The exhaustive search, for the tree of a quiz. */
function exhaustive({ player }) {
  const { name, options } = parseSpec(player);
  const { depth, eval: evaluator } = options;
  const kept = { ...(depth ? { depth } : {}), ...(evaluator ? { eval: evaluator } : {}) };
  const whole = name.startsWith("expecti") ? name : "minimax";
  return formatSpec({ name: whole, options: kept });
}

function show(lanes) {
  const two = state.tree.mode === "two" && lanes.length > 1;
  const stops = two
    ? together(lanes[0].trace, lanes[1].trace)
    : Array.from({ length: lanes[0].trace.length + 1 }, (_, moment) => [moment]);
  const guess = state.tree.mode === "guess" ? { value: "", marks: new Set(), checked: null } : null;
  put({ lanes, stops, status: "ready", moment: 0, lane: 0, picked: 0, hover: null, guess });
}

/** Show an existing trace, without a search. */
export function present(data) {
  const { game, position, player } = data;
  put({ mode: "one", asked: [{ game, position, player }] });
  show([lane({ game, position, player }, data)]);
}

/** Repeat the search with the option that makes its trace fit. */
export function takeFitting() {
  const { asked, error, mode } = state.tree;
  const [key, value] = error.fits.split("=");
  look(
    asked.map((one) => {
      const spec = parseSpec(one.player);
      const { ms, ...options } = spec.options;
      return { ...one, player: formatSpec({ name: spec.name, options: { ...options, [key]: value } }) };
    }),
    mode,
  );
}

// --- Moments ---------------------------------------------------------------------------------------------------------

/** The moment of a lane at a stop. */
export const momentOf = (tree, lane) => tree.stops[tree.moment]?.[lane] ?? 0;

export function goTo(moment, { speak = true } = {}) {
  const { stops, lanes, lane, picked } = state.tree;
  const to = Math.max(0, Math.min(stops.length - 1, moment));
  const step = lanes[lane]?.trace.step(stops[to][lane]);
  put({ moment: to, picked: step ? step.node : picked, hover: null, passed: 0 });
  if (speak && lanes.length) say(lanes[lane].trace.sentence(stops[to][lane]));
}

/** Go to the next or previous stop; without `into`, to one that changes the drawing, skipping folded parts. */
export function goBy(direction, options) {
  const { moment, stops, lanes, into } = state.tree;
  if (into) {
    goTo(moment + direction, options);
    return;
  }
  const seen = lanes.map(({ trace, folds }) => trace.seen(folds));
  let to = moment + direction;
  while (to > 0 && to < stops.length - 1) {
    const changes = lanes.some(({ trace }, i) => {
      const now = stops[to]?.[i];
      const step = now !== undefined && now !== stops[to - 1]?.[i] && trace.step(now);
      return step && seen[i][step.node];
    });
    if (changes) break;
    to += direction;
  }
  goTo(to, options);
  put({ passed: Math.max(0, Math.abs(to - moment) - 1) });
}

/** What is folded in a lane at this moment: what the user folded, except the path to the current node. */
export function foldsOf(tree, lane) {
  const { trace, folds } = tree.lanes[lane];
  const moment = momentOf(tree, lane);
  return tree.into && moment < trace.length ? trace.wayOpen(folds, trace.step(moment)) : folds;
}

export function setInto(into) {
  remember("treeInto", into);
  put({ into });
}

let timer = null;

export function play(playing = !state.tree.playing) {
  clearTimeout(timer);
  put({ playing });
  if (!playing) return;
  if (state.tree.moment === state.tree.stops.length - 1) goTo(0, { speak: false });
  timer = setTimeout(tick, 1000 / state.tree.speed);
}

export const pause = () => state.tree.playing && play(false);

function tick() {
  if (!state.tree.playing || !(hasTree(state.route) || state.route.name === "exercise")) return pause();
  goBy(1, { speak: state.tree.speed <= 1 });
  if (state.tree.moment === state.tree.stops.length - 1) return play(false);
  timer = setTimeout(tick, 1000 / state.tree.speed);
  return undefined;
}

export function setTreeSpeed(speed) {
  remember("treeSpeed", speed);
  put({ speed });
}

// --- Nodes -----------------------------------------------------------------------------------------------------------

export function pickNode(lane, picked) {
  put({ lane, picked });
}

/** Pick a node and bring it into view; folded nodes above it are opened. */
export function reveal(lane, id) {
  const { trace, folds } = state.tree.lanes[lane];
  if (trace.path(id).slice(0, -1).some((at) => folds.has(at))) fold(lane, trace.nodes[id].parent, false);
  put({ lane, picked: id, hover: null });
  const drawings = [...document.querySelectorAll("tree-drawing")];
  queueMicrotask(() => drawings[state.tree.mode === "two" ? lane : 0]?.reveal(id));
}

/** The node to show: the one under the pointer, or the picked one. */
export function lookedAt(tree) {
  const at = tree.hover ?? { lane: tree.lane, node: tree.picked };
  const { trace } = tree.lanes[at.lane] ?? tree.lanes[0];
  return { lane: at.lane, trace, moment: momentOf(tree, at.lane), id: trace.nodes[at.node] ? at.node : 0 };
}

/** Fold or unfold what is below a node; unfolding one also unfolds those above it. */
export function fold(lane, id, folded) {
  const { trace } = state.tree.lanes[lane];
  const folds = new Set(state.tree.lanes[lane].folds);
  if (!trace.children[id].length) return;
  if (folded ?? !folds.has(id)) folds.add(id);
  else for (const at of trace.path(id)) folds.delete(at);
  putFolds(lane, folds);
}

export function foldAll(folded) {
  state.tree.lanes.forEach(({ trace }, lane) =>
    putFolds(
      lane,
      new Set(folded ? [...trace.folded(), ...trace.children[0].filter((id) => trace.children[id].length)] : []),
    ),
  );
}

function putFolds(lane, folds) {
  put({ lanes: state.tree.lanes.map((one, i) => (i === lane ? { ...one, folds } : one)) });
}

// --- Keys ------------------------------------------------------------------------------------------------------------

const MOVES = {
  ArrowLeft: () => goBy(-1),
  ArrowRight: () => goBy(1),
  PageUp: () => goTo(state.tree.moment - 50),
  PageDown: () => goTo(state.tree.moment + 50),
  Home: () => goTo(0),
  End: () => goTo(state.tree.stops.length - 1),
};

/** A key anywhere but in a text: the arrows always step, the others where no button or field needs them. */
export function treeKeydown(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isText(event)) return false;
  const steps = event.key === "ArrowLeft" || event.key === "ArrowRight";
  const pushes = event.key === " " || event.key === "Enter";
  if (!steps && (isFields(event) || (pushes && event.target.closest?.("button, a, summary")))) return false;
  return treeKey(event.key.length === 1 ? event.key.toLowerCase() : event.key);
}

function treeKey(key) {
  const { lanes, mode, lane, picked } = state.tree;
  if (!lanes.length) return false;
  const drawing = document.querySelector("tree-drawing");
  if (key === "+" || key === "=") drawing?.zoomBy(1.25);
  else if (key === "-") drawing?.zoomBy(0.8);
  else if (key === "0") drawing?.fit();
  else if (key === "r") reveal(lane, 0);
  else if (key === "f") fold(lane, picked);
  else if (key === "i") setInto(!state.tree.into);
  else if (mode === "guess" && !state.tree.guess.checked) return false;
  else if (MOVES[key]) {
    pause();
    MOVES[key]();
  } else if (key === " ") play();
  else return false;
  return true;
}
