// Two traces side by side: which moments belong together.

/**
 * Pairs of moments, one for each stop on the way. Where one search visits a part of what the other does, in the same
 * order (alpha-beta in minimax's tree), each waits while the other is where it does not go; otherwise both go step by
 * step.
 */
export function together(one, two) {
  const [fewer, more] = one.length <= two.length ? [one, two] : [two, one];
  const pairs = aligned(fewer, more) ?? abreast(fewer, more);
  return fewer === one ? pairs : pairs.map(([a, b]) => [b, a]);
}

const name = (trace, step) => `${step.do} ${trace.key[step.node]}`;

function aligned(fewer, more) {
  const pairs = [[0, 0]];
  let at = 0;
  more.steps.forEach((step, i) => {
    const next = fewer.steps[at];
    if (next && name(fewer, next) === name(more, step)) {
      at += 1;
      pairs.push([at, i + 1]);
      while (fewer.steps[at]?.do === "cut") {
        at += 1;
        pairs.push([at, i + 1]);
      }
    } else pairs.push([at, i + 1]);
  });
  return at === fewer.length ? pairs : null;
}

const abreast = (fewer, more) =>
  Array.from({ length: more.length + 1 }, (_, moment) => [Math.min(moment, fewer.length), moment]);
