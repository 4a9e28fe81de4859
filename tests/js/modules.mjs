// Lets node run the browser's modules as they are: they are ES modules whatever package they lie in, and texts.js, which
// the server makes, is made here in the same way. Use: node --import ./tests/js/modules.mjs --test tests/js
import { register } from "node:module";

register("./hooks.mjs", import.meta.url);

const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, String(value)),
};
globalThis.location = { hash: "", origin: "http://localhost:2048", pathname: "/" };

