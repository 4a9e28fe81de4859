// The glossary: the meanings of terms, and links to them in texts. It is that of the docs (docs/glossary.py writes
// glossary.json); a page without a server has neither glossary nor links.

import { t } from "./i18n.js";
import { set, state } from "./store.js";
import { h } from "./view.js";

/** @type {(name: string) => void} */
let openTerm = () => {};

/** Set the function that shows a term; the help does so. */
export function onTerm(opens) {
  openTerm = opens;
}

export async function loadGlossary() {
  try {
    const response = await fetch("glossary.json");
    if (response.ok) set({ glossary: await response.json() });
  } catch {
    // Without the server there is no glossary; other requests report that it is unreachable.
  }
}

// Linked terms: concepts of search, but not words that are in every sentence (a move, a value, a game).
const LINKED = new Set([
  ...["afterstate", "alpha-beta window", "bound", "branch and bound", "chance node", "cut-off", "depth", "evaluator"],
  ...["evaluator term", "expected value", "f = g + h", "frontier", "heuristic", "iterative deepening", "leaf", "MAX"],
  ...["MIN", "node", "null window", "perfect opponent", "playout", "ply", "policy", "principal variation", "root"],
  ...["transposition table", "UCB", "utility", "visits", "weights"],
]);

let known = { of: null, language: null, pattern: null, names: new Map() };

/** A pattern of all words that are linked, in this language: the term's own, and its other forms. */
function words() {
  const { glossary, language } = state;
  if (known.of === glossary && known.language === language) return known;
  const names = new Map();
  for (const { name, word } of glossary) {
    if (!LINKED.has(name)) continue;
    const forms = t(`term.${name}`);
    for (const form of [word[language], ...(forms === `term.${name}` ? [] : forms.split("|"))])
      names.set(form.toLowerCase(), name);
  }
  const escaped = [...names.keys()]
    .sort((one, two) => two.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = escaped.length ? new RegExp(`(?<![\\p{L}\\p{N}_])(${escaped.join("|")})(?![\\p{L}\\p{N}_])`, "giu") : null;
  known = { of: glossary, language, pattern, names };
  return known;
}

/** A text with the first occurrence of each term linked to the glossary. */
export function linked(text) {
  const { pattern, names } = words();
  if (!pattern || typeof text !== "string") return [text];
  const parts = [];
  const seen = new Set();
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    const name = names.get(found[0].toLowerCase());
    if (seen.has(name)) continue;
    seen.add(name);
    parts.push(text.slice(from, found.index), termLink(name, found[0]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** A link that opens the entry of a term. */
export function termLink(name, text) {
  return h("button", { class: "term", type: "button", title: t("help.term"), onclick: () => openTerm(name) }, text);
}

const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** The entries that match a search: first those whose term starts with it, then those that contain it. */
export function entriesFor(text) {
  const { glossary, language } = state;
  const wanted = plain(text.trim());
  const byWord = (one, two) => one.word[language].localeCompare(two.word[language], language);
  const rank = ({ word, meaning }) => {
    const own = plain(word[language]);
    if (own === wanted) return 0;
    if (own.startsWith(wanted)) return 1;
    if (own.includes(wanted)) return 2;
    return plain(` ${Object.values(word).join(" ")} ${meaning[language]}`).includes(` ${wanted}`) ? 3 : 4;
  };
  return glossary
    .map((entry) => ({ entry, rank: wanted ? rank(entry) : 0 }))
    .filter((one) => one.rank < 4)
    .sort((one, two) => one.rank - two.rank || byWord(one.entry, two.entry))
    .map(({ entry }) => entry);
}
