// The quiz "What would you do?": the tree with only the values of its leaves; the user guesses what the search does.
// The lanes are the search in question and the exhaustive one, whose tree is shown.

import { readNumber } from "../exercise/judge.js";
import { set, state } from "../store.js";
import { put } from "./explorer.js";

/** Branches can be marked if the search has windows, and so can make cuts. */
export const marksAllowed = (tree) => tree.lanes[0]?.trace.windows ?? false;

/** The drawing of the exhaustive tree: only the values of leaves, and the user's marks. */
export function stage(tree) {
  const { trace } = tree.lanes[1];
  return { hides: (id) => trace.nodes[id].kind !== "leaf", marks: tree.guess.marks };
}

/** After the answer: the user's marks in the tree of the search, where the marked node is in it. */
export function marked(tree) {
  const [{ trace: real }, { trace: whole }] = tree.lanes;
  const keys = new Set([...tree.guess.marks].map((id) => whole.key[id]));
  return {
    verdicts: new Map(real.nodes.filter((node) => keys.has(real.key[node.id])).map((node) => [node.id, "guessed"])),
  };
}

export function mark(id) {
  if (id === 0) return false;
  const marks = new Set(state.tree.guess.marks);
  if (!marks.delete(id)) marks.add(id);
  put({ guess: { ...state.tree.guess, marks }, lane: 1, picked: id });
  return true;
}

export const setValue = (value) => put({ guess: { ...state.tree.guess, value } });

/** Compare with what the search did: a mark below a cut branch is right too, because the search skips that as well. */
export function check() {
  const { lanes, guess } = state.tree;
  const [{ trace: real }, { trace: whole }] = lanes;
  const cut = new Set(real.nodes.filter((node) => node.skipped && !real.nodes[node.parent].skipped).map((node) => real.key[node.id]));
  const isCut = (id) => whole.path(id).some((at) => cut.has(whole.key[at]));
  const marks = [...guess.marks];
  const right = marks.filter(isCut);
  const covered = new Set(right.flatMap((id) => whole.path(id)));
  const missed = whole.nodes.filter((node) => cut.has(whole.key[node.id]) && !covered.has(node.id));
  const number = readNumber(guess.value);
  const value =
    guess.value.trim() === "" ? null : Math.abs(number - real.value) < 1e-6 * Math.max(1, Math.abs(real.value));
  const checked = {
    value,
    right: right.length,
    wrong: marks.length - right.length,
    missed: missed.length,
    cut: cut.size,
  };
  set({ treeTab: "guess" }); // the steps are available now, but the verdict comes first
  put({ guess: { ...guess, checked }, moment: state.tree.stops.length - 1, lane: 0, picked: 0 });
}

export const again = () =>
  put({ guess: { value: "", marks: new Set(), checked: null }, moment: 0, lane: 1, picked: 0 });
