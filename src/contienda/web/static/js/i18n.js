// The language of the app (the browser's, unless the user chose another), and all texts of the app by key.

import { recall, remember, set, state } from "./store.js";
// texts.js is generated from texts/*.json, one file per language (contienda.trace.bundle).
import { TEXTS } from "./texts.js";

export const LANGUAGES = Object.keys(TEXTS);

export function startLanguage() {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in TEXTS) ?? "en";
  const chosen = recall("language", preferred);
  setLanguage(chosen in TEXTS ? chosen : preferred, false);
}

export function setLanguage(language, chosen = true) {
  if (chosen) remember("language", language);
  document.documentElement.lang = language;
  set({ language });
}

/** The name of a language in that language. */
export const languageName = (language) => TEXTS[language]["language.name"];

/** The text of a key, with {names} filled in; a text with plural forms { one, few, other, … } uses `n`. */
export function t(key, values = {}) {
  const text = TEXTS[state.language][key] ?? TEXTS.en[key];
  return (formOf(text, values.n) ?? key).replace(/\{(\w+)\}/g, (_, name) => (name in values ? show(values[name]) : `{${name}}`));
}

function formOf(text, n) {
  if (Array.isArray(text)) return text[n === 1 ? 0 : 1];
  if (typeof text !== "object") return text;
  return text[new Intl.PluralRules(state.language).select(n)] ?? text.other;
}

function show(value) {
  return typeof value === "number" ? number(value) : value;
}

/** A text from the server, which sends it in every language. */
export function pick(text) {
  return typeof text === "object" && text !== null ? (text[state.language] ?? text.en) : (text ?? "");
}

const formats = new Map(); // making one costs more than using it a hundred times

export function number(value, digits = 0) {
  const name = `${state.language} ${digits}`;
  if (!formats.has(name))
    formats.set(name, new Intl.NumberFormat(state.language, { maximumFractionDigits: digits, useGrouping: "always" }));
  return formats.get(name).format(value).replace("-", "−"); // the minus of the boards and the trees
}

const signs = new Map(); // by language

function decimalSign(language) {
  if (!signs.has(language))
    signs.set(language, new Intl.NumberFormat(language).formatToParts(0.5).find(({ type }) => type === "decimal").value);
  return signs.get(language);
}

/** Figures from the server, which writes them as English does: [3.5, +∞] is [3,5; +∞] in Spanish (`Catalogue.figures`). */
export function figures(text, language = state.language) {
  const sign = decimalSign(language);
  if (!text || sign === ".") return text;
  const written = text.replace(/(\d)\.(?=\d)/g, `$1${sign}`);
  if (sign !== ",") return written;
  return written === text ? text.replace(/, (?=[^[\] ]+\])/g, "; ") : written.replaceAll(", ", "; ");
}

/** An interval between two numbers as `number` writes them. */
export const interval = (low, high) => `[${low}${decimalSign(state.language) === "," ? ";" : ","} ${high}]`;

/** @type {[number, string][]} */
const UNITS = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

/** A number for a narrow place: 1.4148M. (Intl's own compact Spanish is "1,4 millones".) */
export function compact(value, digits = 5) {
  const [unit, letter] = UNITS.find(([size]) => Math.abs(value) >= size) ?? [1, ""];
  return new Intl.NumberFormat(state.language, { maximumSignificantDigits: digits }).format(value / unit) + letter;
}

export function milliseconds(ms) {
  if (ms < 0.1) return `${number(1000 * ms, 1)} µs`;
  if (ms < 1) return `${number(ms, 2)} ms`;
  return ms < 1000 ? `${number(ms, ms < 10 ? 1 : 0)} ms` : `${number(ms / 1000, 1)} s`;
}

export function moment(iso) {
  return new Intl.DateTimeFormat(state.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}
