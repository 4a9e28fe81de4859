// Formats the figures of experiments for all tables.

import { interval, number, t } from "../i18n.js";
import { h } from "../view.js";

export const status = (name) => h("span", { class: `pill ${name}` }, t(`lab.status.${name}`));

/** A figure with its interval, for a table. */
export const withInterval = (span, show) =>
  h("span", { class: "number" }, show(span.value), " ", h("small", {}, interval(show(span.low), show(span.high))));

/** The time left: 1:05, or 2:00:09. */
export function clock(seconds) {
  const whole = Math.round(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export const percent = (share) => `${number(100 * share, 1)} %`;
