// The theme: light, dark, or the system's; remembered.

import { recall, remember, set, state } from "./store.js";

export const THEMES = ["auto", "light", "dark"];

export function startTheme() {
  setTheme(recall("theme", "auto"));
}

export function setTheme(theme) {
  remember("theme", theme);
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  set({ theme });
}

/** Whether the page is dark now. */
export function dark() {
  if (state.theme !== "auto") return state.theme === "dark";
  return matchMedia("(prefers-color-scheme: dark)").matches;
}
