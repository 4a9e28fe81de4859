// Lines of running means, live: the mean of each player against the number of games.

import { number, t } from "../i18n.js";
import { colourOf } from "../lab/colours.js";
import { define, h, View } from "../view.js";

const HEIGHT = 240;
const LEFT = 58;
const FOOT = 24;
const TOP = 8;
const RIGHT = 12;

/** Set `players` (with `games` and `means`), `show` (how a mean is written) and `label`. */
class LabChart extends View {
  static props = ["players", "show", "label"];

  width = 640;

  connectedCallback() {
    super.connectedCallback();
    this.observer = new ResizeObserver(([entry]) => {
      this.width = Math.max(260, Math.round(entry.contentRect.width));
      this.update();
    });
    this.observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  render() {
    const players = this.players ?? [];
    const values = players.flatMap(({ means }) => means);
    const games = Math.max(2, ...players.map((player) => player.games.at(-1) ?? 0));
    const ticks = steps(Math.max(...values, 1e-9));
    const top = ticks.at(-1);
    const x = (n) => LEFT + ((n - 1) / (games - 1)) * (this.width - LEFT - RIGHT);
    const y = (value) => TOP + (1 - Math.max(value, 0) / top) * (HEIGHT - TOP - FOOT);
    return h(
      "svg",
      { class: "means", viewBox: `0 0 ${this.width} ${HEIGHT}`, role: "img", "aria-label": this.label ?? "" },
      ticks.map((tick) => [
        h("line", { class: "grid", x1: LEFT, x2: this.width - RIGHT, y1: y(tick), y2: y(tick) }),
        h("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, this.show?.(tick) ?? tick),
      ]),
      h("text", { x: LEFT, y: HEIGHT - 4 }, "1"),
      h(
        "text",
        { x: this.width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" },
        values.length ? t("lab.games", { n: number(games) }) : "",
      ),
      players.map((player, i) => [
        h("polyline", {
          class: "line",
          style: { stroke: colourOf(i) },
          points: player.means.map((mean, at) => `${x(player.games[at]).toFixed(1)},${y(mean).toFixed(1)}`).join(" "),
        }),
        player.means.length
          ? h("circle", {
              style: { fill: colourOf(i) },
              cx: x(player.games.at(-1)),
              cy: y(player.means.at(-1)),
              r: 4,
            })
          : null,
      ]),
    );
  }
}

/** The ticks of an axis from 0, about four of a round size. */
function steps(most) {
  const raw = most / 4;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= raw);
  return [...Array(Math.ceil(most / step - 1e-9) + 1).keys()].map((n) => n * step);
}

define("lab-chart", LabChart);
