// The exercise being solved: the current question, the answers, the tries and the time. All of it is in the store's
// `exercise`.

import { say } from "../announce.js";
import { set, state } from "../store.js";
import { goTo, present } from "../tree/explorer.js";
import { Trace } from "../tree/trace.js";
import { t } from "../i18n.js";
import { answerText, judge, words } from "./judge.js";

const NEW = { right: false, given: false, tries: 0, hints: 0, said: null, verdict: null };

/** Start solving an exercise written by `contienda.exercises.page`. */
export function begin(data) {
  const trace = new Trace(data.trace);
  const attempts = data.questions.map(() => NEW);
  const fresh = { attempts, at: 0, drafts: {}, begun: Date.now(), finished: null, name: "", steps: false };
  set({ exercise: { data, trace, stage: stageOf(trace), ...fresh } });
}

export function change(changes) {
  set({ exercise: { ...state.exercise, ...changes } });
}

export const settled = ({ right, given }) => right || given;

/** What has been typed or marked so far as an answer. */
export const draftOf = ({ drafts }, { id, form }) => drafts[id] ?? (form === "branches" ? [] : form === "window" ? ["", ""] : "");

export const draft = (id, value) => change({ drafts: { ...state.exercise.drafts, [id]: value } });

function put(index, changes) {
  const attempts = state.exercise.attempts.map((one, i) => (i === index ? { ...one, ...changes } : one));
  const open = attempts.findIndex((one) => !settled(one));
  change({ attempts, finished: open < 0 ? (state.exercise.finished ?? Date.now()) : null });
  return attempts;
}

/** Judge an answer; a right one leads to the next open question. */
export function answer(index, said) {
  const { data, attempts } = state.exercise;
  const verdict = judge(data.questions[index], said);
  const after = put(index, { right: verdict.right, tries: attempts[index].tries + 1, said, verdict });
  say(`${t(verdict.right ? "exercise.right" : "exercise.wrong")} ${words(verdict.text)}`);
  if (verdict.right) goOn(index, after);
}

function goOn(index, attempts) {
  const later = attempts.findIndex((one, i) => i > index && !settled(one));
  const open = later < 0 ? attempts.findIndex((one) => !settled(one)) : later;
  if (open >= 0) change({ at: open });
}

export function hint(index) {
  const { data, attempts } = state.exercise;
  const { hints } = attempts[index];
  const all = data.questions[index].hints;
  if (hints === all.length) return;
  put(index, { hints: hints + 1 });
  say(words(all[hints]));
}

/** Show the answer: the question counts as not answered. */
export function giveUp(index) {
  const { why, moment } = state.exercise.data.questions[index];
  const after = put(index, { given: true, verdict: { right: false, text: why, step: null, moment } });
  say(words(why));
  goOn(index, after);
}

/** Show the search step by step from a moment on; all questions are answered, so it gives nothing away. */
export function showSteps(moment = 0) {
  present(state.exercise.data.trace);
  goTo(moment, { speak: false });
  change({ steps: true });
}

/** A trace that shows only the answers found so far; `look` sets what it shows, so that it stays one object. */
function stageOf(trace) {
  const stage = Object.create(trace);
  stage.look = { asked: -1, found: new Map() };
  stage.shown = (id, moment) => {
    const real = trace.shown(id, moment);
    const { asked, found } = stage.look;
    if (id === asked) return { ...real, label: "?", note: "" };
    if (trace.family !== "tree") return real;
    const label = trace.nodes[id].kind === "leaf" ? trace.shown(id, trace.length).label : (found.get(id) ?? "");
    return { ...real, label, note: "" };
  };
  return stage;
}

/** The state of the tree for a question, and its moment. */
export function staged({ data, trace, stage, attempts, at }) {
  const question = data.questions[at];
  const found = new Map();
  data.questions.forEach((one, i) => {
    if (settled(attempts[i]) && (one.kind === "value" || one.kind === "values")) found.set(one.node, answerText(one));
  });
  const asked = question.form === "number" && !settled(attempts[at]) ? question.node : -1;
  stage.look = { asked, found };
  return { stage, moment: question.shown ?? trace.length };
}
