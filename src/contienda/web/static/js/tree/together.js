// Matches the moments of two traces side by side.

/**
 * Pairs of moments, one for each stop on the way. Two searches keep in step by position: where both do the same, they
 * do it at one stop; otherwise one waits while the other is where it does not go, or not yet. Searches of
 * different kinds go step by step.
 */
export function together(one, two) {
  return one.family === two.family ? byPosition(one, two) : byCount(one, two);
}

const name = (trace, step) => `${step.do} ${trace.key[step.node]}`;

function byPosition(one, two) {
  const last = new Map(two.steps.map((step, i) => [name(two, step), i])); // where the second one does it for the last time
  const pairs = [[0, 0]];
  let [i, j] = [0, 0];
  while (i < one.length || j < two.length) {
    const step = i < one.length ? name(one, one.steps[i]) : null;
    if (step !== null && j < two.length && step === name(two, two.steps[j])) [i, j] = [i + 1, j + 1];
    else if (two.steps[j]?.do === "cut") j += 1; // at once: it explains why the other continues alone
    else if (step !== null && (last.get(step) ?? -1) < j) i += 1;
    else j += 1;
    pairs.push([i, j]);
  }
  return pairs;
}

const byCount = (one, two) =>
  Array.from({ length: Math.max(one.length, two.length) + 1 }, (_, moment) => [
    Math.min(moment, one.length),
    Math.min(moment, two.length),
  ]);
