// The lab: the experiments of this browser, the one shown, and the documents, in the store's `lab`. The screen polls
// what it shows; runs continue on the server without it.

import { api, ApiError } from "../api.js";
import { attempt, complain, say } from "../announce.js";
import { t } from "../i18n.js";
import { go } from "../router.js";
import { set, state } from "../store.js";

const OFTEN = 1000; // ms between two requests
const SELDOM = 5000; // and in a hidden window
const COMPARE = 6000; // ms between two comparisons during a run
const FEW = 16; // the most players for which that is cheap enough

let watching = 0;

export function put(changes) {
  set({ lab: { ...state.lab, ...changes } });
}

/** Follow an address in the lab; any other address ends the polling. */
export function openLab({ name, id, query }) {
  watching += 1;
  if (name !== "lab") return;
  if (id === "documents") openDocuments(query.get("name") ?? "uma", query.get("all") === null);
  else if (id) openRun(id);
  else watch(listRuns);
}

/** Ask at once, and repeat while `ask` returns that there is more to come. */
async function watch(ask) {
  watching += 1;
  const own = watching;
  const current = () => own === watching;
  while (current() && (await ask(current))) await pause(document.hidden ? SELDOM : OFTEN);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// --- Experiments ---

async function listRuns(current) {
  const runs = await attempt(() => api.lab.runs());
  if (runs && current()) put({ runs });
  return runs?.some((run) => run.status === "running");
}

export async function begin(plan) {
  const run = await api.lab.create(plan);
  put({ run, comparison: null, base: null, missing: false, tab: "live" });
  go(`#/lab/${run.id}`);
}

function openRun(id) {
  if (state.lab.run?.id !== id) put({ run: null, comparison: null, base: null, missing: false, tab: null });
  let compared = 0;
  let seen = null;
  watch(async (current) => {
    let run;
    try {
      run = await api.lab.run(id);
    } catch (error) {
      if (current()) put({ missing: true });
      complain(error);
      return false;
    }
    if (!current()) return false;
    tell(seen, run);
    if (!seen) put({ tab: state.lab.tab ?? (run.status === "done" ? "compare" : "live") });
    seen = run;
    put({ run });
    const running = run.status === "running";
    const due = Date.now() - compared > COMPARE && run.entrants <= FEW && run.done > 1;
    if (run.done && (!running || due)) {
      await compare(id, current);
      compared = Date.now();
    }
    return running;
  });
}

async function compare(id, current = () => true) {
  const comparison = await attempt(() => api.lab.comparison(id, state.lab.base ?? undefined));
  if (comparison && current()) put({ comparison });
}

/** Compare all players with a different one. */
export function chooseBase(base) {
  put({ base });
  compare(state.lab.run.id);
}

/** Announcements of a run for screen readers: each quarter, and its end. */
function tell(before, run) {
  if (!before) return;
  const quarter = ({ done, total }) => (total ? Math.floor((4 * done) / total) : 0);
  if (run.status !== before.status) say(`${t(`lab.status.${run.status}`)}. ${t("lab.games", { n: run.done })}.`);
  else if (run.status === "running" && quarter(run) > quarter(before))
    say(t("lab.told", { done: run.done, total: run.total }));
}

export async function stop(id) {
  put({ run: { ...state.lab.run, stopping: true } });
  await attempt(() => api.lab.stop(id));
  openLab(state.route); // unless the user has gone elsewhere meanwhile
}

export async function resume(id) {
  await attempt(() => api.lab.start(id));
  openLab(state.route);
}

export async function remove(run) {
  if (!confirm(t("lab.sure", { name: run.name }))) return;
  await attempt(() => api.lab.remove(run.id));
  if (state.route.id === run.id) go("#/lab");
  else openLab(state.route);
}

// --- Documents ---

function openDocuments(name, quick) {
  const same = state.lab.document?.name === name && state.lab.document.quick === quick;
  if (!same) put({ document: null });
  put({ documentName: name, quick });
  let compared = { at: 0, done: -1 };
  let seen = null;
  watch(async (current) => {
    const documents = await attempt(() => api.lab.documents(quick));
    if (!documents || !current()) return false;
    const now = documents.find((one) => one.name === name);
    if (!now) return void complain(new ApiError(404, {}));
    tell(seen, now);
    put({ documents });
    // Its tables take longer than the list.
    if (seen?.status !== now.status || (now.done !== compared.done && Date.now() - compared.at > COMPARE)) {
      const document = await attempt(() => api.lab.document(name, quick));
      if (document && current()) put({ document });
      compared = { at: Date.now(), done: document?.done };
    }
    seen = now;
    return documents.some(({ status }) => status === "running");
  });
}

export const documentHash = (name, quick) => `#/lab/documents?name=${name}${quick ? "" : "&all"}`;

/** Play a document's experiments again, stop them, or delete their results. */
export async function withDocument(action, { name, quick }) {
  await attempt(() => api.lab[`${action}Document`](name, quick));
  openLab(state.route);
}
