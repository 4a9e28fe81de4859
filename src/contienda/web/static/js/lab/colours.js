// Colours of players in tables and charts: Okabe and Ito's, which everybody tells apart, as css/lab.css has them.

const COLOURS = 8;

/** Of the player at this place; beyond the last colour they are grey. */
export const colourOf = (place) => (place < COLOURS ? `var(--series-${place + 1})` : "var(--line-strong)");
