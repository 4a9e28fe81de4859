// Swipes on an element, as the four directions.

const SHORTEST = 24; // pixels: less is a tap

export function watchSwipes(element, onSwipe) {
  let from = null;
  element.addEventListener("pointerdown", (event) => {
    from = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  // During the swipe, not at its end: the tiles follow the finger at once, as in other games on a phone.
  addEventListener("pointermove", (event) => {
    if (!from || !event.isPrimary) return;
    const x = event.clientX - from.x;
    const y = event.clientY - from.y;
    if (Math.max(Math.abs(x), Math.abs(y)) < SHORTEST) return;
    from = null;
    const level = Math.abs(x) > Math.abs(y);
    if (level) onSwipe(x > 0 ? "right" : "left");
    else onSwipe(y > 0 ? "down" : "up");
  });
  addEventListener("pointerup", () => (from = null));
  addEventListener("pointercancel", () => (from = null));
}
