// Specs of players and games, as on the command line: "name:key=value,key=value".

// A name may be a place, FILE.py:NAME or package.module:NAME, as in contienda.core.specs.
const PLACE = /^\s*((?:[A-Za-z]:[\\/])?[^:=,]*[./\\][^:=,]*:[A-Za-z_]\w*)(?::(.*))?$/s;
const NAME = /^\s*([^:]*?)\s*(?::(.*))?$/s;

export function parseSpec(text) {
  const [, name, written = ""] = PLACE.exec(text) ?? NAME.exec(text) ?? [null, ""];
  const options = {};
  for (const option of written.split(",")) {
    const [key, ...value] = option.split("=");
    if (key.trim() && value.length) options[key.trim()] = value.join("=").trim();
  }
  return { name, options };
}

export function formatSpec({ name, options }) {
  const written = Object.entries(options)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key}=${value}`);
  return written.length ? `${name}:${written.join(",")}` : name;
}

export const gameName = (spec) => parseSpec(spec).name;
