// The shares of the visits during the simulations: a chart with a slider.

import { number, t } from "../i18n.js";
import { goTo, momentOf, pause } from "../tree/explorer.js";
import { define, h, View } from "../view.js";

const [WIDTH, HEIGHT] = [300, 90];
const COLOURS = 8; // colours of the style sheet; further moves start again with the first

class TreeGrowth extends View {
  static uses = ["tree", "language"];

  render({ tree }) {
    const { trace } = tree.lanes[tree.lane];
    if (!trace.growth?.simulations.length) return null;
    const { nodes, simulations, moments, visits } = trace.growth;
    const moment = momentOf(tree, tree.lane);
    const at = moments.findLastIndex((one) => one <= moment);
    const now = at < 0 ? nodes.map(() => 0) : visits[at];
    const all = now.reduce((sum, one) => sum + one, 0);
    const share = (i) => (all ? now[i] / all : 0);
    return h(
      "section",
      { class: "card growth" },
      h("h2", {}, t("tree.growth")),
      this.chart(trace.growth, at),
      h("input", {
        type: "range",
        min: 0,
        max: simulations.length,
        value: String(at + 1),
        "aria-label": t("tree.growth.slider"),
        "aria-valuetext": t("tree.growth.at", { n: at < 0 ? 0 : simulations[at], all: number(simulations.at(-1)) }),
        oninput: (event) => {
          pause();
          const to = Number(event.target.value);
          goTo(to ? stopAt(tree, moments[to - 1]) : 0, { speak: false });
        },
      }),
      h("p", { class: "help number" }, t("tree.growth.at", { n: at < 0 ? 0 : simulations[at], all: number(simulations.at(-1)) })),
      h(
        "ol",
        { class: "shares" },
        nodes.map((id, i) =>
          h(
            "li",
            { key: id },
            h("span", { class: `swatch c${i % COLOURS}` }),
            h("span", { class: "name" }, trace.edge(id)),
            h("span", { class: "number" }, `${number(now[i])} · ${number(100 * share(i), 0)} %`),
          ),
        ),
      ),
    );
  }

  /** A band for each move, from the first simulation to the last, and a line at the present one. */
  chart({ nodes, simulations, visits }, at) {
    const end = simulations.at(-1);
    const x = (i) => (WIDTH * simulations[i]) / end;
    const heights = visits.map((row) => {
      const all = row.reduce((sum, one) => sum + one, 0) || 1;
      let sum = 0;
      return [0, ...row.map((one) => (sum += one) / all)];
    });
    const edge = (band) => heights.map((row, i) => `${x(i).toFixed(1)} ${(HEIGHT * (1 - row[band])).toFixed(1)}`);
    return h(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      nodes.map((id, band) =>
        h("path", { key: id, class: `c${band % COLOURS}`, d: `M${[...edge(band), ...edge(band + 1).reverse()].join("L")}Z` }),
      ),
      h("line", { key: "now", x1: at < 0 ? 0 : x(at), x2: at < 0 ? 0 : x(at), y1: 0, y2: HEIGHT }),
    );
  }
}

/** The first stop at which the lane has reached a moment. */
const stopAt = (tree, moment) => tree.stops.findIndex((stop) => stop[tree.lane] >= moment);

define("tree-growth", TreeGrowth);
