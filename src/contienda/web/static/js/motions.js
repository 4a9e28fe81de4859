// The motions of the pieces on a board, as classes and styles that animate them.

/** Whether the motion changes the piece; some games also report pieces that stay the same. */
export function isTurn({ start, end, merged = false }, before, after) {
  const kind = (piece) => piece && `${piece.role} ${piece.label}`;
  return start === end && !merged && kind(before.pieces[start]) !== kind(after.pieces[end]);
}

/** From the motions of a step after the picture `before`: `arrivals` by cell, and the removed pieces. */
export function followed(step, before) {
  const arrivals = new Map();
  const gone = [];
  if (!step || !before) return { arrivals, gone };
  const { columns } = before;
  const way = (start, end) => ({
    "--dx": (start % columns) - (end % columns),
    "--dy": Math.floor(start / columns) - Math.floor(end / columns),
  });
  const note = ({ start, end, merged }, late) => {
    const after = late ? " late" : "";
    const leave = (cell, kind, style = {}) =>
      gone.push({ cell, piece: before.pieces[start], kind: kind + after, style, key: `${step.ply} ${start}` });
    const arrive = (kind, style = {}) => arrivals.set(end, { kind: kind + after, style, key: step.ply });
    if (end < 0) leave(start, "vanishes");
    else if (merged) leave(end, "merges", way(start, end));
    else if (start === end) isTurn({ start, end }, before, step.position.picture) && arrive("turns");
    else if (start >= 0) arrive("moves", way(start, end));
    else if (step.gesture?.kind === "column" && !late) arrive("falls", { "--dy": -1 - Math.floor(end / columns) });
    else arrive("appears");
  };
  for (const motion of step.motions) note(motion, false);
  for (const motion of step.luck.flatMap(({ motions }) => motions)) note(motion, true);
  return { arrivals, gone };
}
