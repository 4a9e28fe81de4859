// Reads, compares and explains answers. The explanations come with the question (contienda.exercises.question).

import { figures, pick } from "../i18n.js";

const TOLERANCE = 0.005; // as in contienda.exercises.question

/** The number in a typed text (3,5 or −2 or 1/3 or +∞); NaN if there is none. */
export function readNumber(text) {
  const plain = text.trim().replaceAll("−", "-").replaceAll(",", ".");
  const endless = /^([+-]?)(inf|infinity|infinito|oo|∞)$/i.exec(plain);
  if (endless) return endless[1] === "-" ? -Infinity : Infinity;
  const parts = plain.split("/");
  if (parts.length > 2 || parts.some((part) => !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part.trim()))) return NaN;
  const number = parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
  return Number.isFinite(number) ? number : NaN;
}

/** An answer from a file, with its infinities restored. */
const bound = (value) => (value === "inf" ? Infinity : value === "-inf" ? -Infinity : value);

function same(one, other) {
  if (Array.isArray(one)) return one.length === other.length && one.every((part, i) => same(part, other[i]));
  const [a, b] = [bound(one), bound(other)];
  if (typeof a === "number" && typeof b === "number") return a === b || Math.abs(a - b) <= TOLERANCE;
  return a === b;
}

/** { right, text, step, moment }: `text` says what the search does and why; `step` is where the answer diverges. */
export function judge(question, said) {
  if (question.form === "branches") return judgeBranches(question, said);
  if (same(question.answer, said)) return { right: true, text: question.why, step: null, moment: question.moment };
  const known = question.cases.find(([answer]) => same(answer, said));
  const text = known ? known[1] : filled(question.otherwise, said);
  return { right: false, text, step: question.step, moment: question.moment };
}

/** The answer diverges at the first wrong branch in the order of the search. */
function judgeBranches({ answer, covered, settled, why, moment }, said) {
  const meant = new Set(said.map((key) => covered[key] ?? key));
  const real = new Set(answer);
  const wrong = [...meant].filter((key) => !real.has(key)).concat(answer.filter((key) => !meant.has(key)));
  if (!wrong.length) return { right: true, text: why, step: null, moment };
  const first = wrong.reduce((one, other) => (settled[other][0] < settled[one][0] ? other : one));
  return { right: false, text: settled[first][1], step: null, moment: settled[first][0] };
}

const filled = (texts, said) =>
  Object.fromEntries(
    Object.entries(texts).map(([language, text]) => [language, text.replaceAll("{said}", shown(said, language))]),
  );

function shown(said, language) {
  if (Array.isArray(said)) return figures(`[${said.map(digits).join(", ")}]`, language);
  return typeof said === "number" ? figures(digits(said), language) : said;
}

function digits(number) {
  if (!Number.isFinite(number)) return number > 0 ? "+∞" : "−∞";
  return String(Number(number.toPrecision(6))).replace("-", "−");
}

/** The right answer of a question, for the reader. */
export const answerText = ({ form, shows }) => (form === "branches" ? shows : figures(shows));

/** A text that came with the exercise, in the reader's language. */
export const words = (text) => pick(text);
