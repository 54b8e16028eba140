/**
 * JSON whose integers keep all their digits. Integers that a double can't store exactly are read as `bigint`, and every
 * `bigint` is written as a JSON integer.
 */

/** A double can store the fraction of a shorter text (16 digits and a point). */
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
    // A fraction that a double can't store must not count as an integer.
    if (exact === null) return Number.NaN;
    return Number.isSafeInteger(value) ? value : exact;
  });
}

/**
 * Returns the integer of a JSON number in any spelling (`1e19` and `10.0` are integers too); null if it has a fraction.
 * The number must be finite as a double, so only a few zeros are appended.
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

/** Writes a value as JSON text. Bigints become integers with all their digits. */
export function stringifyJson64(value: unknown, indent?: number): string {
  return JSON.stringify(value, writeBigint, indent);
}

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(value.toString()) : value;
}
