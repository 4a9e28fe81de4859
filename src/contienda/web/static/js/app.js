// Where the app begins: preferences, the catalogue, then the screen that the address asks for.

import "./elements/app-header.js";
import "./elements/app-notices.js";
import "./elements/app-screen.js";
import "./elements/board-2048.js";
import "./elements/board-connect4.js";
import "./elements/help-dialog.js";
import "./elements/lab-screen.js";
import "./elements/play-screen.js";
import "./elements/replay-screen.js";
import "./elements/start-screen.js";
import "./elements/train-screen.js";
import "./elements/tree-screen.js";
import { api } from "./api.js";
import { attempt } from "./announce.js";
import { open, openShared } from "./game.js";
import { startLanguage } from "./i18n.js";
import { startKeys } from "./keys.js";
import { openLab } from "./lab/lab.js";
import { startMachine } from "./machine.js";
import { startNarrator } from "./narrator.js";
import { openReplay } from "./replay.js";
import { startRouter } from "./router.js";
import { recall, set, state, subscribe } from "./store.js";
import { startTheme } from "./theme.js";
import { NONE } from "./training.js";
import { EMPTY, openTree } from "./tree/explorer.js";

startLanguage();
startTheme();
set({
  best: recall("best", 0),
  kept: recall("kept", []),
  specs: recall("specs", {}),
  auto: { ...state.auto, speed: recall("speed", 4) },
  tree: EMPTY,
  training: NONE,
});

let followed = null;
subscribe(() => {
  if (state.route === followed) return;
  if (followed && !(followed.name === "tree" && state.route.name === "tree")) toTop();
  followed = state.route;
  const { name, id, query } = state.route;
  if (name === "play" && id !== state.game?.id) open(id);
  if (name === "replay") openReplay(id);
  if (name === "at") openShared(query);
  if (name === "tree") openTree(query);
  openLab(state.route); // elsewhere, nothing is watched any more
});

/** A new screen begins at its top, for the eye and for a screen reader. */
function toTop() {
  document.getElementById("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

startRouter();
startKeys();
startMachine();
startNarrator();

attempt(async () => {
  const catalogue = await api.catalogue();
  set({ catalogue, heuristics: catalogue.heuristics ? await api.heuristics() : [] });
});
