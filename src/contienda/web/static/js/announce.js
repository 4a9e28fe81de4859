// Announcements for screen readers, and notices on the screen.

import { pick, t } from "./i18n.js";
import { set, state } from "./store.js";

let turn = 0;

/** Announce a text in the live region. If it equals the last one, a space is added so that it is read again. */
export function say(text) {
  turn += 1;
  document.getElementById("live").textContent = text + (turn % 2 ? "\u00a0" : "");
}

let last = 0;

/** Show a notice: "info" disappears by itself, "error" stays until it is closed. */
export function notify(text, kind = "info") {
  last += 1;
  const id = last;
  set({ notices: [...state.notices.filter((notice) => notice.text !== text), { id, text, kind }].slice(-3) });
  if (kind === "info") setTimeout(() => dismiss(id), 5000);
}

export function dismiss(id) {
  set({ notices: state.notices.filter((notice) => notice.id !== id) });
}

/** Report an error, the server's or our own: none is lost silently. */
export function complain(error) {
  if (error?.name === "Cancelled") return;
  if (!error?.text) console.error(error);
  notify(error?.text ? pick(error.text) : t("error.unknown", { what: String(error?.message ?? error) }), "error");
}

/** Run an action, and show its error if it fails. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
