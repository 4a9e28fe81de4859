// A small board: the position of a node, shown beside the tree.

import { h } from "../view.js";

/** A small board from the rows of a position's text: tiles, stones or signs. */
export function little(text) {
  const rows = text.split("/").map((row) => (row.includes(" ") ? row.split(" ") : [...row]));
  const cells = rows.flat();
  const stones = cells.every((cell) => "XO.".includes(cell));
  const doubles = cells.every((cell) => cell === "0" || isPower(Number(cell))); // tiles that double have colours
  return h(
    "div",
    {
      class: `little ${stones ? "stones" : ""}`,
      style: { "--columns": rows[0].length },
      role: "img",
      "aria-label": text,
    },
    cells.map((cell) => {
      const empty = cell === "0" || cell === ".";
      if (stones)
        return h("span", { class: "hole" }, empty ? null : h("span", { class: `stone s${cell === "X" ? 1 : 2}` }));
      return h(
        "span",
        { "data-face": doubles && !empty ? cell : null, "data-digits": cell.length },
        empty ? "" : cell,
      );
    }),
  );
}

const isPower = (number) => number >= 2 && Number.isInteger(Math.log2(number));
