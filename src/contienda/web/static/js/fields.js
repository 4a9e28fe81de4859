// Small pieces of forms that several screens share.

import { pick, t } from "./i18n.js";
import { h } from "./view.js";

let last = 0;

/** A choice among a few, as radio buttons in a row: `choices` are [value, text]. */
export function segments(label, choices, value, onPick, name = `segments${(last += 1)}`) {
  return h(
    "fieldset",
    { class: "field" },
    h("legend", { class: "field" }, label),
    h(
      "div",
      { class: "segments" },
      choices.map(([choice, text]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value: String(choice),
            checked: choice === value,
            onchange: () => onPick(choice),
          }),
          h("span", {}, text),
        ),
      ),
    ),
  );
}

export function select(label, choices, value, onPick, extra = {}) {
  return h(
    "label",
    { class: "field" },
    label,
    h(
      "select",
      { value, onchange: (event) => onPick(event.target.value), ...extra },
      choices.map(([choice, text]) => h("option", { value: choice, selected: choice === value }, text)),
    ),
  );
}

export function input(label, value, onInput, extra = {}) {
  return h(
    "label",
    { class: "field" },
    label,
    h("input", { value: value ?? "", oninput: (event) => onInput(event.target.value), ...extra }),
  );
}

export function check(label, checked, onChange) {
  return h(
    "label",
    { class: "check" },
    h("input", { type: "checkbox", checked, onchange: (event) => onChange(event.target.checked) }),
    label,
  );
}

/** A field for each parameter of the catalogue; `change` takes the options that changed, "" for the usual value. */
export function optionFields(parameters, options, change) {
  return h(
    "div",
    { class: "stack" },
    Object.entries(parameters).map(([key, { default: usual, meaning }]) =>
      h(
        "div",
        { key },
        h(
          "label",
          { class: "field mini" },
          key,
          h("input", {
            value: options[key] ?? "",
            placeholder: t("pick.usual", { value: pick(usual) }),
            list: usual === "on" || usual === "off" ? "on-off" : null,
            onchange: (event) => change({ [key]: event.target.value === usual ? "" : event.target.value.trim() }),
          }),
        ),
        h("p", { class: "help" }, sentence(pick(meaning))),
      ),
    ),
  );
}

/** A choice of a tile, as a target. */
export function tileSelect(label, tiles, tile, onPick) {
  return select(
    label,
    tiles.map((one) => [String(one), String(one)]),
    String(tile),
    (text) => onPick(Number(text)),
  );
}

/** A figure with its name, for a list of facts. */
export const fact = (key, value) => h("div", {}, h("dt", {}, t(key)), h("dd", {}, value));

export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** A phrase as a sentence; empty stays empty. */
export const sentence = (text) => (text ? `${capital(text)}${/[.!?…]$/.test(text) ? "" : "."}` : "");

/** Whether a key is typed into a text. */
export function isText({ target }) {
  const other = "[type=checkbox], [type=radio], [type=range], [type=file], [type=button], [type=submit]";
  return Boolean(target.closest?.(`input:not(${other}), textarea, [contenteditable]`));
}

/** Whether the focused field needs a key: any key in a text, arrows and space in a choice. */
export function isFields({ target, key }) {
  if (target.closest?.("input[type=checkbox]")) return key === " ";
  if (target.closest?.("input[type=radio]")) return key === " " || key.startsWith("Arrow");
  if (target.closest?.("input[type=range]")) return /^(Arrow|Home|End|Page)/.test(key);
  return Boolean(target.closest?.("input, textarea, select, [contenteditable]"));
}
