// What a screen reader hears, and what everybody reads as a notice.

import { pick, t } from "./i18n.js";
import { set, state } from "./store.js";

let turn = 0;

/** Say a text through the live region. Two alike in a row differ by a blank, or the second would not be read. */
export function say(text) {
  turn += 1;
  document.getElementById("live").textContent = text + (turn % 2 ? "\u00a0" : "");
}

let last = 0;

/** A notice on the screen: "info" goes by itself, "error" stays until it is closed. */
export function notify(text, kind = "info") {
  last += 1;
  const id = last;
  set({ notices: [...state.notices.filter((notice) => notice.text !== text), { id, text, kind }].slice(-3) });
  if (kind === "info") setTimeout(() => dismiss(id), 5000);
}

export function dismiss(id) {
  set({ notices: state.notices.filter((notice) => notice.id !== id) });
}

/** An error from the server or of our own: never lost silently. */
export function complain(error) {
  if (error?.name === "Cancelled") return;
  if (!error?.text) console.error(error);
  notify(error?.text ? pick(error.text) : t("error.unknown", { what: String(error?.message ?? error) }), "error");
}

/** Run an action; what goes wrong is shown. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
