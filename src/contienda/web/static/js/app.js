// The start of the app: loads the preferences and the catalogue, then shows the screen of the address.

import "./elements/app-header.js";
import "./elements/app-notices.js";
import "./elements/app-screen.js";
import "./drawings.js";
import "./elements/class-door.js";
import "./elements/help-dialog.js";
// all-screens.js is generated from elements/*-screen.js (contienda.web.pages).
import "./all-screens.js";
import { api } from "./api.js";
import { attempt } from "./announce.js";
import { entered } from "./class.js";
import { openShared } from "./game.js";
import { loadGlossary } from "./glossary.js";
import { startLanguage } from "./i18n.js";
import { startKeys } from "./keys.js";
import { openLab } from "./lab/lab.js";
import { startMachine } from "./machine.js";
import { startNarrator } from "./narrator.js";
import { startRouter } from "./router.js";
import { screenOf } from "./screens.js";
import { recall, set, state, subscribe } from "./store.js";
import { startTheme } from "./theme.js";
import { NONE } from "./training.js";
import { EMPTY } from "./tree/explorer.js";

startLanguage();
startTheme();
set({
  bests: recall("bests", {}),
  playedOn: recall("kept", []),
  specs: recall("specs", {}),
  auto: { ...state.auto, speed: recall("speed", 4) },
  tree: EMPTY,
  training: NONE,
});

let followed = null;
subscribe(() => {
  if (!state.catalogue || state.route === followed) return; // screens need the catalogue to start
  if (followed && !(followed.name === "tree" && state.route.name === "tree")) toTop();
  followed = state.route;
  const { name, query } = state.route;
  screenOf(state.route).enter?.(state.route);
  if (name === "at") openShared(query);
  openLab(state.route); // other screens stop the polling
});

/** A new screen starts at its top, for screen readers too. */
function toTop() {
  document.getElementById("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

startRouter();
startKeys();
startMachine();
startNarrator();
loadGlossary();

attempt(async () => {
  await entered();
  const catalogue = await api.catalogue();
  const scored = Object.keys(catalogue.games).find((name) => catalogue.games[name].features.includes("points"));
  if (scored && recall("best")) set({ bests: { [scored]: recall("best"), ...state.bests } }); // the former format
  set({ catalogue, heuristics: catalogue.heuristics ? await api.heuristics() : [] });
});
