// The address decides the screen: #/ start, #/play/ID, #/replay/ID, #/at?game=…&position=… (a position to
// share), #/train (a network that learns), #/tree?game=…&position=…&player=… (its search tree), #/lab, #/lab/ID (an
// experiment), #/lab/documents?name=….

import { set } from "./store.js";

let followed = null;

export function startRouter() {
  history.scrollRestoration = "manual"; // a screen starts at its top, also when going back
  addEventListener("hashchange", follow);
  follow();
}

function follow() {
  if (location.hash && !location.hash.startsWith("#/")) return; // the skip link's #main
  if (location.hash === followed) return;
  followed = location.hash;
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", id = null] = path.split("/");
  set({ route: { name: name || "start", id, query: new URLSearchParams(query) } });
}

export function go(hash) {
  location.hash = hash;
  follow(); // at once, before the browser's own event
}

/** Replace the address without a new entry in the history. */
export function become(hash) {
  history.replaceState(null, "", hash);
  follow();
}

/**
 * The search tree of a position; a second search beside it may have another position.
 * @param {Array<{ game: any, position: any, score?: any, target?: any, player: any }>} searches
 */
export function treeUrl([{ game, position, score, target, player }, second], mode = null) {
  const query = new URLSearchParams({ game, position, player });
  if (score) query.set("score", score);
  if (target) query.set("target", target);
  if (second) query.set("other", second.player);
  if (second && second.position !== position) query.set("second", second.position);
  if (mode && mode !== "one") query.set("mode", mode);
  return `#/tree?${query}`;
}

export function shareUrl(game, position) {
  const query = new URLSearchParams({ game, position: position.text });
  if (position.score) query.set("score", position.score);
  return `${location.origin}${location.pathname}#/at?${query}`;
}
