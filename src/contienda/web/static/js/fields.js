// Small pieces of forms that several screens share.

import { h } from "./view.js";

let last = 0;

/** A choice among few, as radio buttons in a row: `choices` are [value, text]. */
export function segments(label, choices, value, onPick, name = `segments${(last += 1)}`) {
  return h("fieldset", { class: "field" }, h("legend", { class: "field" }, label),
    h("div", { class: "segments" }, choices.map(([choice, text]) =>
      h("label", {}, h("input", { type: "radio", name, value: String(choice), checked: choice === value, onchange: () => onPick(choice) }), h("span", {}, text)))));
}

export function select(label, choices, value, onPick, extra = {}) {
  return h("label", { class: "field" }, label,
    h("select", { value, onchange: (event) => onPick(event.target.value), ...extra }, choices.map(([choice, text]) =>
      h("option", { value: choice, selected: choice === value }, text))));
}

export function input(label, value, onInput, extra = {}) {
  return h("label", { class: "field" }, label, h("input", { value: value ?? "", oninput: (event) => onInput(event.target.value), ...extra }));
}

export function check(label, checked, onChange) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", checked, onchange: (event) => onChange(event.target.checked) }), label);
}
