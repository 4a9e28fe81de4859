// Elements that render from the store. `h` describes them, and `patch` changes only what differs, so focus and typing
// survive.

import { state, subscribe } from "./store.js";

const SVG = "http://www.w3.org/2000/svg";
const AS_PROPERTY = new Set(["value", "checked", "disabled", "selected", "open", "indeterminate", "tabIndex"]);

export function h(tag, props, ...children) {
  const flat = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { tag, props: props ?? {}, children: flat, key: props?.key };
}

/** Make the children of a node match a description; children are matched by key, if any, else in order. */
export function patch(parent, descriptions) {
  const old = [...parent.childNodes];
  const free = new Set(old);
  let from = 0;
  const nodes = descriptions.map((description) => {
    const keyed = description.key !== undefined;
    const place = old.findIndex((node, i) => (keyed || i >= from) && free.has(node) && fits(node, description));
    if (place < 0) return null;
    if (!keyed) from = place + 1;
    free.delete(old[place]);
    return old[place];
  });
  for (const node of free) node.remove(); // first: children that stay in order are not moved, and keep the focus
  descriptions.forEach((description, i) => {
    const node = nodes[i] ?? create(description, parent);
    fill(node, description);
    const here = parent.childNodes[i];
    if (here !== node) parent.insertBefore(node, here ?? null);
  });
}

function fits(node, description) {
  if (typeof description !== "object") return node.nodeType === Node.TEXT_NODE;
  return node.nodeType === Node.ELEMENT_NODE && node.localName === description.tag && node.$key === description.key;
}

function create(description, parent) {
  if (typeof description !== "object") return document.createTextNode(description);
  const inSvg = description.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  const node = inSvg ? document.createElementNS(SVG, description.tag) : document.createElement(description.tag);
  node.$key = description.key;
  return node;
}

function fill(node, description) {
  if (typeof description !== "object") {
    if (node.data !== String(description)) node.data = description;
    return;
  }
  const before = node.$props ?? {};
  const after = description.props;
  for (const name in before) if (!(name in after)) put(node, name, null, before[name]);
  for (const name in after) if (name !== "value") put(node, name, after[name], before[name]);
  node.$props = after;
  // Custom elements draw their own content.
  if (!description.tag.includes("-")) patch(node, description.children);
  if ("value" in after) put(node, "value", after.value); // after the options of a select exist
}

function put(node, name, value, before) {
  if (name === "key") return;
  if (name.startsWith("on")) {
    node.$handlers ??= {};
    const event = name.slice(2);
    if (!(event in node.$handlers)) node.addEventListener(event, (e) => node.$handlers[event]?.(e));
    node.$handlers[event] = value;
  } else if (name.startsWith(".")) {
    if (node[name.slice(1)] !== value) node[name.slice(1)] = value;
  } else if (name === "style") {
    for (const property in before ?? {}) if (!(property in (value ?? {}))) node.style.removeProperty(property);
    for (const property in value ?? {}) node.style.setProperty(property, value[property]);
  } else if (AS_PROPERTY.has(name)) {
    const wanted = value ?? (name === "value" ? "" : false);
    if (node[name] !== wanted && String(node[name]) !== String(wanted)) node[name] = wanted;
  } else if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else if (value !== before || !node.hasAttribute(name)) {
    node.setAttribute(name, value === true ? "" : value);
  }
}

/** An element whose `render` describes its content; it runs when a key that it `uses` in the store changes. */
export class View extends HTMLElement {
  static uses = [];

  connectedCallback() {
    this.unsubscribe = subscribe(() => this.heard());
    this.update();
  }

  disconnectedCallback() {
    this.unsubscribe();
  }

  heard() {
    const keys = ["language", ...this.constructor.uses];
    if (keys.some((key) => this.seen[key] !== state[key])) this.update();
  }

  update() {
    this.seen = { ...state };
    patch(this, [this.render(state)].flat(Infinity).filter(Boolean));
  }
}

/** Register an element; setting one of its `props` draws it again. */
export function define(tag, element) {
  for (const name of element.props ?? []) {
    const held = Symbol(name);
    Object.defineProperty(element.prototype, name, {
      get() {
        return this[held];
      },
      set(value) {
        this[held] = value;
        if (this.seen) this.update();
      },
    });
  }
  customElements.define(tag, element);
}
