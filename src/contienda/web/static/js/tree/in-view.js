// The visible part of a tree: nodes one by one, or all of them as one path where they are too many or too small.

const CROWDED = 420; // with more visible nodes in a level, they are drawn as one path
const APART = 7; // pixels between neighbours: below this, too
const NEAR = 200; // drawn beyond the edge of the view, so that moving shows no gaps
export const FAR = 0.05; // smaller than this, nodes are not to be told apart: levels are spread over the height
export const HEAD = 28; // pixels at the top where the name of the search stands

/** The position of a place on the screen. */
export function onScreen({ x, y }, layout, view, size) {
  const { k, x: left, y: top } = view;
  return [x * k + left, k < FAR ? HEAD + y * steep(layout, size) : y * k + top];
}

/** In the overview, the height in the tree per pixel. */
export const steep = (layout, size) => (size.height - 2 * HEAD) / layout.height;

/** The ranks in view (true: with its shape, false: only its branch), and the rest of what is in view as one path. */
export function inView(layout, view, size) {
  const { k, x, y } = view;
  const { width, height } = size;
  const [left, right] = [(-x - NEAR) / k, (width - x + NEAR) / k];
  const [top, bottom] = [(-y - NEAR) / k, (height - y + NEAR) / k];
  const { places, levels, children } = layout;
  const ranks = new Map();
  const mass = [];
  for (const level of levels) {
    const at = places[level[0]].y;
    if (k >= FAR && (at < top || at > bottom)) continue;
    const [from, to] = [firstFrom(places, level, left), firstFrom(places, level, right)];
    const spread = to > from ? ((places[level[to - 1]].x - places[level[from]].x) * k) / (to - from) : Infinity;
    if (k < FAR || to - from > CROWDED || (to - from > 40 && spread < APART)) {
      let last = -Infinity;
      for (let i = from; i < to; i += 1) {
        const one = places[level[i]];
        if ((one.x - last) * k < 1.5 || one.above < 0) continue;
        last = one.x;
        const [x1, y1] = onScreen(places[one.above], layout, view, size);
        const [x2, y2] = onScreen(one, layout, view, size);
        mass.push(`M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}`);
      }
      continue;
    }
    for (let i = from; i < to; i += 1) {
      ranks.set(level[i], true);
      // A branch can be visible when its end is not.
      if (children[level[i]].length < CROWDED)
        for (const child of children[level[i]]) if (!ranks.has(child)) ranks.set(child, false);
    }
  }
  return { ranks, mass: mass.join("") };
}

/** The place in a level, from left to right, of its first node at or beyond x. */
function firstFrom(places, level, x) {
  let [low, high] = [0, level.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[level[middle]].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
