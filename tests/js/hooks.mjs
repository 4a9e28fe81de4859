// Hooks of node's module loader, for modules.mjs.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const STATIC = new URL("../../src/contienda/web/static/", import.meta.url);

export function resolve(specifier, context, next) {
  if (specifier.endsWith("/texts.js")) return { url: new URL("js/texts.js", STATIC).href, shortCircuit: true };
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith(STATIC.href)) return next(url, context);
  const source = url.endsWith("/texts.js") ? texts() : readFileSync(fileURLToPath(url), "utf-8");
  return { format: "module", source, shortCircuit: true };
}

function texts() {
  const folder = fileURLToPath(new URL("texts/", STATIC));
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const all = names.map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(folder + name, "utf-8"))]);
  return `export const TEXTS = ${JSON.stringify(Object.fromEntries(all))};`;
}
