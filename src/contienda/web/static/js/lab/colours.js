// Colours of players in tables and charts: Okabe and Ito's, which everybody tells apart, as css/lab.css has them.

const COLOURS = 8;

/** The colour of the player at this index; beyond the last colour, grey. */
export const colourOf = (place) => (place < COLOURS ? `var(--series-${place + 1})` : "var(--line-strong)");
