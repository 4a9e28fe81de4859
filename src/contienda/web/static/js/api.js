// HTTP requests to the server. While it is unreachable, every request waits and tries again. Moves carry the game's
// revision: if one arrives twice, the second is refused (409) with the current game, so no move is lost or made twice.

import { set, state } from "./store.js";

export class ApiError extends Error {
  constructor(status, body) {
    super(body.error?.en ?? `HTTP ${status}`);
    this.status = status;
    this.text = body.error ?? { en: `The server answered ${status}.`, es: `El servidor respondió ${status}.` };
    this.line = body.line ?? null;
    this.game = body.game ?? null;
    this.fits = body.fits ?? null;
  }
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 2000;

export async function request(method, path, body) {
  const response = await reach(() =>
    fetch(`/api${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: typeof body === "object" ? JSON.stringify(body) : body, // a saved game is text already
    }),
  );
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

async function reach(send) {
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const response = await send();
      if (!state.online) set({ online: true });
      return response;
    } catch {
      if (state.online) set({ online: false });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

const query = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== undefined));

export const api = {
  catalogue: () => request("GET", "/catalogue"),
  algorithms: () => request("GET", "/algorithms"),
  openGame: (place) => request("POST", "/open", { game: place }),
  create: (options) => request("POST", "/games", options),
  games: (saved) => request("GET", `/games?${query({ saved })}`),
  game: (id) => request("GET", `/games/${id}`),
  change: (id, changes) => request("PATCH", `/games/${id}`, changes),
  remove: (id) => request("DELETE", `/games/${id}`),
  move: (id, revision, move, ms) => request("POST", `/games/${id}/moves`, { revision, move, ms }),
  cursor: (id, revision, to) => request("POST", `/games/${id}/cursor`, { revision, to }),
  steps: (id, start, count) => request("GET", `/games/${id}/steps?${query({ start, count })}`),
  chart: (id, evaluator) => request("GET", `/games/${id}/chart?${query({ evaluator, points: 400 })}`),
  save: (id, options) => request("POST", `/games/${id}/save`, options),
  upload: (text, name) => request("POST", `/games/file?${query({ name })}`, text),
  position: (game, position, score) => request("POST", "/position", { game, position, score }),
  heuristics: () => request("GET", "/heuristics"),
  keepHeuristic: (name, body) => request("PUT", `/heuristics/${encodeURIComponent(name)}`, body),
  checkHeuristic: (name, body) => request("POST", `/heuristics/${encodeURIComponent(name)}/check`, body),
  dropHeuristic: (name) => request("DELETE", `/heuristics/${encodeURIComponent(name)}`),
  fileUrl: (id) => `/api/games/${id}/file`,
  statisticsUrl: (id, language) => `/api/games/${id}/statistics?${query({ language })}`,
  lab: {
    check: (plan) => request("POST", "/lab/plan", { plan }),
    runs: () => request("GET", "/lab/runs"),
    create: (plan) => request("POST", "/lab/runs", { plan }),
    planFor: (heuristic) => request("GET", `/lab/heuristics/${encodeURIComponent(heuristic)}`),
    run: (id) => request("GET", `/lab/runs/${id}`),
    start: (id) => request("POST", `/lab/runs/${id}/start`),
    stop: (id) => request("POST", `/lab/runs/${id}/stop`),
    remove: (id) => request("DELETE", `/lab/runs/${id}`),
    comparison: (id, base) => request("GET", `/lab/runs/${id}/comparison?${query({ base })}`),
    figureUrl: (id, name, options) => `/api/lab/runs/${id}/figures/${name}?${query(options)}`,
    exportUrl: (id, kind, language) => `/api/lab/runs/${id}/export/${kind}?${query({ language })}`,
    documents: (quick) => request("GET", `/lab/documents?${query({ quick })}`),
    document: (name, quick) => request("GET", `/lab/documents/${name}?${query({ quick })}`),
    startDocument: (name, quick) => request("POST", `/lab/documents/${name}/start?${query({ quick })}`),
    stopDocument: (name, quick) => request("POST", `/lab/documents/${name}/stop?${query({ quick })}`),
    removeDocument: (name, quick) => request("DELETE", `/lab/documents/${name}?${query({ quick })}`),
    documentFigureUrl: (name, experiment, figure, options) =>
      `/api/lab/documents/${name}/figures/${experiment}/${figure}?${query(options)}`,
    documentUrl: (name, quick, language) => `/api/lab/documents/${name}/report?${query({ quick, language })}`,
  },
};
