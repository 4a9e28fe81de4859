// The values of directions, at the edges of the board they lead to.

import { icon } from "../icons.js";
import { lossText, lossTitle, shares } from "../values.js";
import { h } from "../view.js";

// The marks at the sides are rotated by 90°, so that "up" in them points outwards.
const ARROW = { up: "up", right: "up", down: "down", left: "up" };

export function hintWays(hint) {
  const { moves, best } = hint;
  const share = shares(moves);
  return moves.map((entry) =>
    h(
      "div",
      {
        key: entry.move,
        class: `way${entry.move === best ? " best" : ""}`,
        "data-move": entry.move,
        style: { "--share": share.get(entry.move) },
        title: lossTitle(entry, hint),
      },
      icon(ARROW[entry.move]),
      h("span", {}, lossText(entry, hint, 3)),
      entry.move === best ? icon("star", true) : null,
    ),
  );
}
