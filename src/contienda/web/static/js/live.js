// The WebSocket to the server, for searches that report their progress and can be cancelled.

import { ApiError } from "./api.js";
import { set, state } from "./store.js";

const WAIT = 800;
const jobs = new Map();
let socket = null;
let last = 0;

/**
 * Start a job: `done` is its result, `cancel` stops it, `ended` resolves when the server has finished with it.
 * Jobs interrupted by a lost connection are started again.
 */
export function job(kind, request, onProgress = () => {}) {
  last += 1;
  const id = `${kind}${last}`;
  const message = { job: id, kind, ...request };
  const asked = { message, onProgress, cancelled: false };
  const done = new Promise((resolve, reject) => Object.assign(asked, { resolve, reject }));
  const ended = new Promise((resolve) => (asked.end = resolve));
  jobs.set(id, asked);
  send(message);
  return { done, ended, cancel: () => cancel(id) };
}

function cancel(id) {
  const asked = jobs.get(id);
  if (!asked || asked.cancelled) return;
  asked.cancelled = true;
  asked.reject(cancellation());
  send({ cancel: id });
}

const cancellation = () => Object.assign(new Error("cancelled"), { name: "Cancelled" });

function send(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  else if (!socket) connect(); // requests are kept in `jobs` and sent when the socket opens
}

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/live`);
  socket.onopen = () => {
    if (!state.online) set({ online: true });
    for (const { message } of jobs.values()) send(message);
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = () => {
    socket = null;
    for (const [id, asked] of jobs) if (asked.cancelled) finish(id, asked);
    if (jobs.size === 0) return;
    if (state.online) set({ online: false });
    setTimeout(() => socket ?? connect(), WAIT);
  };
}

function receive({ job: id, event, ...rest }) {
  const asked = jobs.get(id);
  if (!asked) return;
  if (event === "progress") {
    if (!asked.cancelled) asked.onProgress(rest);
    return;
  }
  finish(id, asked);
  if (event === "done") asked.resolve(rest.result);
  else if (event === "cancelled") asked.reject(cancellation());
  else asked.reject(new ApiError(rest.status, rest));
}

function finish(id, asked) {
  jobs.delete(id);
  asked.end();
}
