// Texts, numbers and specs: what every screen writes.
import assert from "node:assert/strict";
import { test } from "node:test";

import { judge, readNumber } from "../../src/contienda/web/static/js/exercise/judge.js";
import { LANGUAGES, compact, figures, interval, milliseconds, number, pick, t } from "../../src/contienda/web/static/js/i18n.js";
import { formatSpec, gameName, parseSpec } from "../../src/contienda/web/static/js/spec.js";
import { state } from "../../src/contienda/web/static/js/store.js";
import { shares, valueText } from "../../src/contienda/web/static/js/values.js";

const speak = (language) => Object.assign(state, { language });

test("numbers follow the reader's language", () => {
  speak("en");
  assert.deepEqual([number(18033), number(1234.567, 2), compact(1414800)], ["18,033", "1,234.57", "1.4148M"]);
  assert.deepEqual([milliseconds(0.05), milliseconds(12), milliseconds(2500)], ["50 µs", "12 ms", "2.5 s"]);
  speak("es");
  assert.deepEqual([number(18033), number(1234.567, 2), compact(1414800)], ["18.033", "1.234,57", "1,4148M"]);
});

test("figures of the server have the reader's decimals, and semicolons where a comma would be ambiguous", () => {
  const written = ["[3.5, +∞]", "[−∞, +∞] → [3, 5]", "3, 4", "3.5, 4", "n 12 · U 1.414", ""];
  speak("en");
  assert.deepEqual(written.map((one) => figures(one)), written);
  assert.equal(interval(number(17491), number(19957.5, 1)), "[17,491, 19,957.5]");
  speak("es");
  assert.deepEqual(written.map((one) => figures(one)), ["[3,5; +∞]", "[−∞; +∞] → [3; 5]", "3, 4", "3,5; 4", "n 12 · U 1,414", ""]);
  assert.equal(interval(number(17491), number(19957.5, 1)), "[17.491; 19.957,5]");
});

test("an answer is typed with a comma or a point, and told as the reader writes it", () => {
  assert.deepEqual(["3,5", "3.5", "−2,25", "1/4", "+∞", "3,5,1"].map(readNumber), [3.5, 3.5, -2.25, 0.25, Infinity, NaN]);
  const question = { form: "window", answer: [3, "inf"], cases: [], otherwise: { en: "You said {said}.", es: "Has dicho {said}." } };
  assert.deepEqual(judge(question, [3.5, Infinity]).text, { en: "You said [3.5, +∞].", es: "Has dicho [3,5; +∞]." });
});

test("every language has the keys of the others, and a text of the server comes in the reader's language", () => {
  assert.deepEqual([...LANGUAGES].sort(), ["en", "es"]);
  speak("es");
  assert.equal(pick({ en: "up", es: "arriba" }), "arriba");
  assert.equal(t("no such key"), "no such key");
  assert.notEqual(t("loading"), "loading");
});

test("a spec is read and written as the command line does it", () => {
  assert.deepEqual(parseSpec("expectimax:depth=3,eval=snake"), {
    name: "expectimax",
    options: { depth: "3", eval: "snake" },
  });
  assert.deepEqual(parseSpec("./nim.py:Nim:sticks=7"), { name: "./nim.py:Nim", options: { sticks: "7" } });
  for (const spec of ["random", "champion:ms=1,network=mine.net", "./nim.py:Nim:sticks=7"])
    assert.equal(formatSpec(parseSpec(spec)), spec);
  assert.equal(gameName("2048:rows=3"), "2048");
});

test("a value is shown as a number, a bound or who wins", () => {
  speak("en");
  const moves = [
    { move: "1", value: 12.5, bound: null },
    { move: "2", value: 2, bound: "upper" },
    { move: "3", value: null },
  ];
  assert.deepEqual(moves.map((entry) => valueText(entry)), ["12.5", "≤ 2", "–"]);
  assert.equal(valueText({ value: 1, ends_in: -4 }, 3), "−4");
  const share = shares(moves);
  assert.ok(share.get("1") > share.get("2"));
  assert.equal(share.get("3"), 0);
});
