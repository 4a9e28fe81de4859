// The learning curve: the mean score of games, and how many of them reached the target, over the games played. Of a game
// for two, the percentage of points against a careful player, and how many games were drawn.

import { compact, number, t } from "../i18n.js";
import { define, h, View } from "../view.js";

const WIDTH = 640;
const HEIGHT = 330;
const LEFT = 56;
const RIGHT = 70;
const FOOT = 26;
const TOP = 10;

/** Set `curve` ([{ games, mean, rates }]), `target`, the games at the right end, and `tile`, what they reach, or null. */
class TrainChart extends View {
  static props = ["curve", "target", "tile"];

  render() {
    const curve = this.curve ?? [];
    const last = curve.at(-1);
    const right = Math.max(last?.games ?? 0, this.target ?? 0, 1);
    const duel = this.tile === null;
    const top = duel ? 100 : step(Math.max(...curve.map(({ mean }) => mean), 1000) / 4) * 4;
    const rate = ({ rates }) => rates[duel ? "drawn" : this.tile];
    const x = (games) => LEFT + (games / right) * (WIDTH - LEFT - RIGHT);
    const y = (share) => TOP + (1 - share) * (HEIGHT - TOP);
    const points = (share) => curve.map((point) => `${x(point.games).toFixed(1)},${y(share(point)).toFixed(1)}`);
    const mean = points((point) => point.mean / top);
    const label = last
      ? t(duel ? "train.chart.label.duel" : "train.chart.label", {
          games: last.games,
          first: number(curve[0].mean),
          mean: number(last.mean),
          rate: number(100 * rate(last)),
          tile: String(this.tile),
        })
      : t("train.chart.empty");
    return h(
      "svg",
      { class: "chart learning", viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": label },
      [0, 1, 2, 3, 4].map((i) => [
        h("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: y(i / 4), y2: y(i / 4) }),
        h("text", { x: LEFT - 6, y: y(i / 4) + 4, "text-anchor": "end" }, compact((top * i) / 4)),
        h("text", { class: "rate", x: WIDTH - RIGHT + 6, y: y(i / 4) + 4 }, `${25 * i} %`),
      ]),
      [0, 0.5, 1].map((share) =>
        h(
          "text",
          {
            x: x(share * right),
            y: HEIGHT + 18,
            "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle",
          },
          share === 1 ? t("train.chart.games", { games: right }) : number(share * right),
        ),
      ),
      curve.length > 1
        ? [
            h("polygon", {
              class: "area",
              points: `${x(curve[0].games)},${HEIGHT} ${mean.join(" ")} ${x(last.games)},${HEIGHT}`,
            }),
            h("polyline", { class: "line", points: mean.join(" ") }),
            h("polyline", { class: "line second", points: points(rate).join(" ") }),
          ]
        : null,
    );
  }
}

/** The next round number: a scale that is easy to read. */
function step(value) {
  const ten = 10 ** Math.floor(Math.log10(value));
  return ten * [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((one) => one * ten >= value);
}

define("train-chart", TrainChart);
