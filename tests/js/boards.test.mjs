// Boards: what moved, and what a move is called.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cellName, gestureOf, moveLabel, movesOf } from "../../src/contienda/web/static/js/gestures.js";
import { followed, isTurn } from "../../src/contienda/web/static/js/motions.js";
import { state } from "../../src/contienda/web/static/js/store.js";

const tile = (label) => ({ role: "tile", label });
const picture = (pieces) => ({ rows: 1, columns: 4, pieces, row_labels: [], column_labels: [] });

test("of a row of 2048, 2 2 0 0 to the left: one tile merges into the other, and one appears", () => {
  const before = picture([tile("2"), tile("2"), null, null]);
  const after = picture([tile("4"), null, null, tile("2")]);
  const motions = [
    { start: 0, end: 0, merged: false },
    { start: 1, end: 0, merged: true },
  ];
  const luck = [{ motions: [{ start: -1, end: 3, merged: false }] }];
  const step = { ply: 1, motions, luck, position: { picture: after }, gesture: { kind: "direction" } };
  const { arrivals, gone } = followed(step, before);
  assert.deepEqual([...gone.map(({ cell, kind }) => `${cell} ${kind.trim()}`)], ["0 merges"]);
  assert.equal(arrivals.get(3).kind, "appears late");
});

test("a piece turns where another stands than before", () => {
  const [black, white] = [picture([{ role: "first", label: "" }]), picture([{ role: "second", label: "" }])];
  assert.equal(isTurn({ start: 0, end: 0 }, black, white), true);
  assert.equal(isTurn({ start: 0, end: 0 }, black, black), false);
});

test("a move is found by its gesture, and named by the labels of the board", () => {
  state.language = "en";
  const position = {
    legal: ["d3", "c4"],
    gestures: [{ kind: "cell", at: 0 }, { kind: "cell", at: 1 }],
    picture: { columns: 2, row_labels: ["3"], column_labels: ["d", "e"] },
  };
  assert.deepEqual(movesOf(position)[1], { move: "c4", gesture: { kind: "cell", at: 1 } });
  assert.equal(gestureOf(position, "a1"), undefined);
  assert.equal(cellName(position.picture, 1), "e3");
  assert.match(moveLabel("d3", position), /d3/);
});
