import type { FieldName } from './fields.ts';

/**
 * The raw string that a device signs, in the grammar of the firmware:
 * `<device_pubkey_hex>|<seq>|<timestamp_ms>|<key_version>`, then any number of `|<name>=<number>`.
 */

/** One number of a raw string. */
export interface RawNumber {
  readonly value: number;
  /**
   * Half of one unit in the last written decimal place: the largest difference to another rounding of the same value.
   */
  readonly tolerance: number;
}

/** A raw string that follows the grammar. */
export interface RawContent {
  /** As written; lowercase it before comparing. */
  readonly deviceId: string;
  readonly seq: string;
  readonly timestamp: string;
  readonly keyVersion: string;
  readonly fields: ReadonlyMap<string, RawNumber>;
  /** Whether a name occurs more than once. */
  readonly hasDuplicate: boolean;
}

const HEADER = /^[0-9a-fA-F]{64}\|[0-9]+\|[0-9]+\|[0-9]+$/;
const NUMBER = /^ *([+-]?(?:[0-9]+(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]+))?) *$/;

/** Reads a raw string. Returns null if it has another composition. */
export function parseRaw(raw: string): RawContent | null {
  const parts = raw.split('|');
  if (parts.length < 4 || !HEADER.test(parts.slice(0, 4).join('|'))) return null;
  const fields = new Map<string, RawNumber>();
  let hasDuplicate = false;
  for (let index = 4; index < parts.length; index += 1) {
    const part = parts[index]!;
    const equals = part.indexOf('=');
    if (equals < 1) return null;
    const number = parseNumber(part.slice(equals + 1));
    if (number === null) return null;
    const name = part.slice(0, equals);
    if (fields.has(name)) hasDuplicate = true;
    fields.set(name, number);
  }
  return {
    deviceId: parts[0]!,
    seq: parts[1]!,
    timestamp: parts[2]!,
    keyVersion: parts[3]!,
    fields,
    hasDuplicate,
  };
}

function parseNumber(text: string): RawNumber | null {
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const decimals = (match[2] ?? match[3] ?? '').length;
  const exponent = match[4] === undefined ? -decimals - 1 : BigInt(match[4]) - BigInt(decimals + 1);
  // Adding 0 changes -0 to 0: the two are one value. A decimal text is rounded the same way everywhere, unlike a power.
  return { value: Number(match[1]) + 0, tolerance: Number(`5e${exponent}`) };
}

/**
 * Returns whether a JSON number is the same measurement as the raw string's: they differ by at most half of the raw
 * string's last decimal. The slack of two units in the last place of a double allows for the errors of binary fractions
 * at an exact half. An exponent too large for a double makes a value or tolerance infinite; that agrees with nothing.
 */
export function agrees(raw: RawNumber, json: number): boolean {
  if (!Number.isFinite(raw.value) || !Number.isFinite(raw.tolerance) || !Number.isFinite(json)) return false;
  const slack = 2 * Number.EPSILON * Math.max(Math.abs(raw.value), Math.abs(json));
  return Math.abs(raw.value - json) <= raw.tolerance + slack;
}

/** A field for `formatRaw`: its name, its value and its number of decimals. */
export interface RawFieldInput {
  readonly name: FieldName;
  readonly value: number;
  readonly decimals: number;
}

/** Writes a raw string as the firmware does: a single digit without decimals is padded with one space. */
export function formatRaw(
  deviceId: string,
  seq: string,
  timestamp: string,
  keyVersion: number,
  fields: readonly RawFieldInput[],
): string {
  const written = fields.map(({ name, value, decimals }) => {
    const text = value.toFixed(decimals);
    return `${name}=${text.length === 1 ? ` ${text}` : text}`;
  });
  return [deviceId, seq, timestamp, String(keyVersion), ...written].join('|');
}
