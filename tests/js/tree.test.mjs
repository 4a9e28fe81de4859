// The explorer: addresses of trees, and two searches side by side.
import assert from "node:assert/strict";
import { test } from "node:test";

import { treeUrl } from "../../src/contienda/web/static/js/router.js";
import { together } from "../../src/contienda/web/static/js/tree/together.js";

const trace = (...names) => ({
  steps: names.map((name, node) => ({ do: name === "cut" ? "cut" : "enter", node })),
  key: names,
  length: names.length,
});

test("an address says the position, the player and the second search", () => {
  const search = { game: "tree", position: "max[1 2]", player: "minimax" };
  assert.equal(treeUrl([search]), "#/tree?game=tree&position=max%5B1+2%5D&player=minimax");
  const both = new URLSearchParams(treeUrl([search, { ...search, player: "alphabeta" }], "two").split("?")[1]);
  assert.deepEqual([both.get("other"), both.get("second"), both.get("mode")], ["alphabeta", null, "two"]);
});

test("a search that visits less waits for the one that visits more", () => {
  const [minimax, alphabeta] = [trace("/", "/1", "/2", "/3"), trace("/", "/1", "/3")];
  assert.deepEqual(together(minimax, alphabeta), [[0, 0], [1, 1], [2, 2], [3, 2], [4, 3]]);
  assert.deepEqual(together(alphabeta, minimax).map(([one]) => one), [0, 1, 2, 2, 3]);
});

test("searches of different kinds go step by step", () => {
  const path = { ...trace("/", "/2"), family: "path" };
  assert.deepEqual(together(path, trace("/", "/1", "/3")), [[0, 0], [1, 1], [2, 2], [2, 3]]);
});
