// A small line chart in SVG: the machine's time per move, or the course of a game.

import { compact } from "../i18n.js";
import { define, h, View } from "../view.js";

const WIDTH = 360;
const HEIGHT = 96;
const FOOT = 14;

/**
 * Set `series` ([{ values, second, zero }]), each with a scale of its own, from 0 if `zero`; `label` is what a screen
 * reader hears; `at` from 0 to 1 marks a place.
 */
class LiveChart extends View {
  static props = ["series", "label", "at"];

  render() {
    const series = (this.series ?? []).filter(({ values }) => values.length > 1);
    return h(
      "svg",
      { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": this.label ?? "" },
      h("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT }),
      h("line", { class: "axis", x1: 0, x2: WIDTH, y1: 2, y2: 2 }),
      series.map((one) => line(one)),
      this.at === undefined || this.at === null
        ? null
        : h("line", { class: "now", x1: this.at * WIDTH, x2: this.at * WIDTH, y1: 0, y2: HEIGHT }),
      series.map((one) => {
        const [low, high] = span(one);
        const { second } = one;
        return h(
          "text",
          { x: second ? WIDTH : 0, y: HEIGHT + FOOT - 2, "text-anchor": second ? "end" : "start" },
          `${compact(low)} – ${compact(high)}`,
        );
      }),
    );
  }
}

function span({ values, zero }) {
  const known = values.filter((value) => value !== null && Number.isFinite(value));
  return [zero ? 0 : Math.min(...known), Math.max(...known)];
}

function line(one) {
  const { values, second } = one;
  const [low, high] = span(one);
  const points = values.map((value, i) => {
    const x = (i / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 3 - ((value - low) / (high - low || 1)) * (HEIGHT - 8);
    return `${x.toFixed(1)},${Number.isFinite(y) && value !== null ? y.toFixed(1) : HEIGHT}`;
  });
  return [
    second ? null : h("polygon", { class: "area", points: `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}` }),
    h("polyline", { class: `line${second ? " second" : ""}`, points: points.join(" ") }),
  ];
}

define("live-chart", LiveChart);
