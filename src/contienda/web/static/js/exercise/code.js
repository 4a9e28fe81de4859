// The code that a student hands in; contienda.exercises.code reads it, and says what its bytes mean.

const VERSION = 1;
const LONGEST_TEXT = 80;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const COST = 0.25; // the cost of each wrong try and each hint
const FULL_MARK = 10;

/** The mark from 0 to 10 for attempts { right, tries, hints }. */
export function markOf(attempts) {
  const points = attempts.map(({ right, tries, hints }) => (right ? Math.max(0, 1 - COST * (tries - 1 + hints)) : 0));
  return Math.round((100 * FULL_MARK * points.reduce((sum, one) => sum + one, 0)) / Math.max(points.length, 1)) / 100;
}

/** The code of a finished exercise. */
export function makeCode({ fingerprint, title, name, finished, seconds, attempts }) {
  const bytes = [VERSION, ...whole(fingerprint, 4), ...whole(Math.floor(finished / 60_000), 4)];
  bytes.push(...whole(Math.min(Math.floor(seconds), 2 ** 24 - 1), 3), attempts.length);
  for (const { right, tries, hints } of attempts)
    bytes.push((right ? 128 : 0) | (Math.min(hints, 7) << 4) | Math.min(tries, 15));
  for (const text of [title, name]) {
    const written = shortened(text);
    bytes.push(written.length, ...written);
  }
  bytes.push(...whole(checksum(bytes), 4));
  return base32(bytes).match(/.{1,5}/g).join("-");
}

function whole(number, count) {
  return Array.from({ length: count }, (_, i) => Math.floor(number / 256 ** (count - 1 - i)) % 256);
}

/** A text cut to a number of bytes, without splitting a character. */
function shortened(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= LONGEST_TEXT) return bytes;
  return new TextEncoder().encode(new TextDecoder().decode(bytes.slice(0, LONGEST_TEXT)).replace(/\ufffd+$/, ""));
}

function checksum(bytes) {
  let found = 0x811c9dc5;
  for (const byte of bytes) found = Math.imul(found ^ byte, 0x01000193) >>> 0;
  return found;
}

function base32(bytes) {
  let [letters, bits, held] = ["", 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      letters += LETTERS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits ? letters + LETTERS[(held << (5 - bits)) & 31] : letters;
}
