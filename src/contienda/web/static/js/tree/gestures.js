// Moves a drawing with wheel, mouse and fingers: one finger moves it, two zoom.

const CLICK = 5; // pixels that a finger may move and still mean a click

/** Makes an `svg` listen; `drawing` has `zoomBy`, `panBy`, and receives clicks and the node under the pointer. */
export function listen(svg, drawing) {
  const pointers = new Map(); // pointers that are down -> their positions
  let moved = 0;

  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const by = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * (event.ctrlKey ? 0.01 : 0.0035));
      drawing.zoomBy(by, within(svg, event.clientX, event.clientY));
    },
    { passive: false },
  );

  svg.addEventListener("pointerdown", ({ pointerId, clientX: x, clientY: y }) => {
    pointers.set(pointerId, { x, y });
    moved = pointers.size > 1 ? CLICK : 0; // two fingers never mean a click
  });

  svg.addEventListener("pointermove", (event) => {
    const held = pointers.get(event.pointerId);
    if (held) drag(held, event);
    else drawing.hover(nodeAt(event));
  });

  function drag(held, { pointerId, clientX, clientY }) {
    const by = { x: clientX - held.x, y: clientY - held.y };
    moved += Math.hypot(by.x, by.y);
    if (moved >= CLICK && !svg.hasPointerCapture(pointerId)) svg.setPointerCapture(pointerId);
    const other = [...pointers].find(([id]) => id !== pointerId)?.[1];
    if (other) {
      const before = Math.hypot(held.x - other.x, held.y - other.y);
      const after = Math.hypot(clientX - other.x, clientY - other.y);
      if (before > 0) drawing.zoomBy(after / before, within(svg, other.x, other.y));
    } else drawing.panBy(by.x, by.y);
    held.x = clientX;
    held.y = clientY;
  }

  svg.addEventListener("pointerup", (event) => {
    if (pointers.has(event.pointerId) && moved < CLICK) drawing.click(nodeAt(event));
  });
  svg.addEventListener("pointerleave", () => drawing.hover(null));
  for (const kind of ["pointerup", "pointercancel", "pointerleave"])
    svg.addEventListener(kind, ({ pointerId }) => pointers.delete(pointerId));
}

function within(svg, x, y) {
  const box = svg.getBoundingClientRect();
  return { x: x - box.left, y: y - box.top };
}

function nodeAt(event) {
  const found = event.target.closest("[data-node]");
  return found ? Number(found.dataset.node) : null;
}
