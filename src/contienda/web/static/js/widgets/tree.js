// The explorer of search trees in a notebook. The kernel is told which node is shown, and at which moment.

import { showTrace } from "../elements/tree-page.js";
import { setLanguage } from "../i18n.js";
import { state, subscribe } from "../store.js";
import { momentOf } from "../tree/explorer.js";
import { listen, tell } from "./line.js";

let trace = null; // the current one: only a different one is shown again
let told = null;

listen(({ language, name, data }) => {
  setLanguage(language, false);
  if (name !== trace) showTrace(data);
  trace = name;
}, { grows: false });
subscribe(() => {
  if (trace === null) return;
  const here = { do: "look", name: trace, node: state.tree.picked, moment: momentOf(state.tree, 0) };
  if (told && told.node === here.node && told.moment === here.moment && told.name === here.name) return;
  told = here;
  tell(here);
});
