// The values of directions, at the edges of the board they lead to.

import { icon } from "../icons.js";
import { shares, valueText } from "../values.js";
import { h } from "../view.js";

// The marks at the sides are turned by a quarter, and "up" in them points outwards.
const ARROW = { up: "up", right: "up", down: "down", left: "up" };

export function hintWays({ moves, best }) {
  const share = shares(moves);
  return moves.map((entry) =>
    h(
      "div",
      {
        key: entry.move,
        class: `way${entry.move === best ? " best" : ""}`,
        "data-move": entry.move,
        style: { "--share": share.get(entry.move) },
      },
      icon(ARROW[entry.move]),
      h("span", {}, valueText(entry, 5)),
      entry.move === best ? icon("star", true) : null,
    ),
  );
}
