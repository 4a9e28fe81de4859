// The two games as little pictures.

import { h } from "../view.js";

export function art2048() {
  const tiles = [
    [0, 0, 2048],
    [1, 0, 256],
    [2, 0, 16],
    [0, 1, 64],
    [1, 1, 8],
    [0, 2, 4],
    [2, 2, 2],
  ];
  return h(
    "svg",
    { class: "art", viewBox: "0 0 100 100", "aria-hidden": "true" },
    h("rect", { width: 100, height: 100, rx: 8, class: "art-board" }),
    [...Array(9).keys()].map((i) =>
      h("rect", {
        x: 5 + 31 * (i % 3),
        y: 5 + 31 * Math.floor(i / 3),
        width: 28,
        height: 28,
        rx: 4,
        class: "art-cell",
      }),
    ),
    tiles.map(([x, y, face]) =>
      h(
        "g",
        { "data-face": face },
        h("rect", { x: 5 + 31 * x, y: 5 + 31 * y, width: 28, height: 28, rx: 4, class: "art-tile" }),
        h(
          "text",
          {
            x: 19 + 31 * x,
            y: 19.5 + 31 * y,
            class: "art-text",
            "font-size": { 1: 16, 2: 15, 3: 12.5, 4: 10 }[String(face).length],
          },
          face,
        ),
      ),
    ),
  );
}

export function artConnect4() {
  const stones = ["0000", "0020", "0112", "2121"];
  return h(
    "svg",
    { class: "art", viewBox: "0 0 100 100", "aria-hidden": "true" },
    h("rect", { width: 100, height: 100, rx: 8, class: "art-blue" }),
    stones.flatMap((row, y) =>
      [...row].map((side, x) =>
        h("circle", { cx: 15.5 + 23 * x, cy: 15.5 + 23 * y, r: 9.6, class: `art-hole side${side}` }),
      ),
    ),
    stones.flatMap((row, y) =>
      [...row].map((side, x) =>
        side === "1"
          ? h("circle", { cx: 15.5 + 23 * x, cy: 15.5 + 23 * y, r: 4.6, class: "art-ring" })
          : side === "2"
            ? h("path", { d: `M${12 + 23 * x} ${12 + 23 * y}l7 7m0-7l-7 7`, class: "art-cross" })
            : null,
      ),
    ),
  );
}
