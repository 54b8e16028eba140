/**
 * JSON whose integers keep all their digits. Integers outside the range that a double holds exactly are read as
 * `bigint`, and every `bigint` is written as a JSON integer.
 */

/** Text shorter than this (16 digits and a point) keeps its fraction as a double. */
const SHORTEST_LOST_FRACTION = 17;
const NUMBER = /^(-?[0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Parses JSON text. Throws SyntaxError on malformed text and RangeError on text nested too deeply for the reviver.
 */
export function parseJson64(text: string): unknown {
  return JSON.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || source === undefined) return value;
    if (Number.isSafeInteger(value) && source.length < SHORTEST_LOST_FRACTION) return value;
    const exact = exactInteger(source);
    // A fraction that a double has no room for must not pass as an integer.
    if (exact === null) return Number.NaN;
    return Number.isSafeInteger(value) ? value : exact;
  });
}

/**
 * The integer that a JSON number writes, in whatever spelling (`1e19` and `10.0` are integers too), or null where it has
 * a fraction. The number must be finite as a double, so the zeros to append are few.
 */
function exactInteger(source: string): bigint | null {
  const match = NUMBER.exec(source);
  if (match === null) return null;
  const fraction = match[2] ?? '';
  const shift = Number(match[3] ?? 0) - fraction.length;
  const digits = match[1]! + fraction;
  if (shift >= 0) return BigInt(digits + '0'.repeat(shift));
  return /^0+$/.test(digits.slice(shift)) ? BigInt(digits.slice(0, shift)) : null;
}

/** Writes a value as JSON text, bigints as integers with all their digits. */
export function stringifyJson64(value: unknown, indent?: number): string {
  return JSON.stringify(value, writeBigint, indent);
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}
