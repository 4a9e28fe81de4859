// "name:key=value,key=value": how a player or a game is written, here as on the command line.

export function parseSpec(text) {
  const [, name, written = ""] = /^\s*([^:]*?)\s*(?::(.*))?$/s.exec(text) ?? [null, ""];
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

/** Rows, columns and how many to connect, of a Connect 4 spec. */
export function sizes(spec) {
  const { options } = parseSpec(spec);
  return { rows: +(options.rows ?? 6), columns: +(options.columns ?? 7), connect: +(options.connect ?? 4) };
}
