// Keyboard shortcuts, active everywhere except in fields, and their list for the help.

import { isFields } from "./fields.js";
import { shownBoard } from "./drawings.js";
import { again, move, settled } from "./game.js";
import { back, forth, pause, run, step } from "./playing.js";
import { propose } from "./proposing.js";
import { replayKey } from "./replay.js";
import { state } from "./store.js";
import { hasTree, treeKeydown } from "./tree/explorer.js";
import { openHelp } from "./elements/help-dialog.js";

export const KEY_HELP = [
  ["↑ → ↓ ←  W D S A", "key.slide"],
  ["↑ → ↓ ←  Enter", "key.choose"],
  ["1 … 9", "key.digit"],
  ["Esc", "key.drop"],
  ["N  Esc", "key.new"],
  ["Ctrl Z  U", "key.undo"],
  ["Ctrl Y  R", "key.redo"],
  ["H", "key.hint"],
  ["J", "key.accept"],
  ["Space", "key.solve"],
  [".", "key.step"],
  ["← →  Home End  Space", "key.replay"],
  ["← →  Home End  Space", "key.tree"],
  ["R", "key.tree.root"],
  ["+ − 0  F I", "key.tree.view"],
  ["?", "key.help"],
];

export function startKeys() {
  addEventListener("keydown", (event) => {
    if (
      event.defaultPrevented ||
      event.altKey ||
      event.isComposing ||
      document.querySelector("dialog[open]")
    )
      return;
    const handled = hasTree(state.route) && treeKeydown(event);
    if (handled || (!isFields(event) && handle(event))) event.preventDefault();
  });
}

function handle(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const onButton = event.target.closest?.("button, a, summary");
  if (key === "?") return openHelp() ?? true;
  if (state.route.name === "replay") return !(onButton && (key === " " || key === "Enter")) && replayKey(key);
  if (state.route.name !== "play" || !state.game || state.editing) return false;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") return (event.shiftKey ? forth() : back()) ?? true;
    if (key === "y") return forth() ?? true;
    return false;
  }
  if (onButton && (key === " " || key === "Enter")) return false;
  if (shownBoard(document)?.key(key)) return true;
  if (key === "Escape" || key === "n") return again() && true;
  if (key === "u") return back() ?? true;
  if (key === "r") return forth() ?? true;
  if (key === "h") return propose() && true;
  if (key === "j") return accept() && true;
  if (key === " ") return (state.auto.running ? pause() : run()) ?? true;
  if (key === ".") return step() && true;
  return false;
}

/** Play the machine's proposal; if there is none yet, ask for it. */
async function accept() {
  if (state.quiz.on) return;
  await settled();
  if (state.hint.status !== "ready") await propose();
  const best = state.hint.analysis?.best;
  if (best) move(best);
}
