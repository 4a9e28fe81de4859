// The screens of the app, by their name in the address: #/NAME. Each registers itself in elements/NAME-screen.js,
// which the server finds there (contienda.web.pages): no other file names it.

import { define } from "./view.js";

/** @type {Map<string, { name: string, place?: object, enter?: (route: object) => void }>} */
const screens = new Map();

/**
 * Define the element NAME-screen and the address that shows it.
 * `place` puts it at the head of the page: { order, text, address, routes }, with the key of its text, a function that
 * gives its address, and the routes that lie in it. `enter` is called with the route whenever an address leads there.
 */
export function defineScreen(name, element, { place = null, enter = null } = {}) {
  screens.set(name, { name, place, enter });
  define(`${name}-screen`, element);
}

/** The screen that a route shows: that of its name, else the start. */
export const screenOf = (route) => screens.get(route.name) ?? screens.get("start");

/** The links in the header of the page, in order. */
export const places = () =>
  [...screens.values()]
    .filter(({ place }) => place)
    .map(({ name, place }) => ({ address: () => `#/${name}`, routes: [name], ...place }))
    .sort((a, b) => a.order - b.order);
