import { FIELD_NAMES, type FieldName } from './fields.ts';

/**
 * Ways in which raw strings are put together from a reading's values. A store keeps the number of one in place of the raw
 * string, so a number never changes its meaning: a new way, or a new field in one, is a new number.
 */
export const Composition = {
  /** The header alone. */
  HEADER: 0,
  /** The firmware's order and decimals. */
  FIRMWARE: 1,
} as const;
export type Composition = (typeof Composition)[keyof typeof Composition];

type Part = readonly [name: FieldName, decimals: number];

const PARTS: Readonly<Record<Composition, readonly Part[]>> = {
  [Composition.HEADER]: [],
  [Composition.FIRMWARE]: [
    ['ec', 0],
    ['ph', 2],
    ['waterLevel', 0],
    ['tempWater', 2],
    ['tempAmbient', 2],
    ['humidity', 2],
  ],
};

const PLACES = Object.fromEntries(FIELD_NAMES.map((name, place) => [name, place])) as Record<FieldName, number>;

/** The parts of a raw string. */
export interface Composed {
  /** Lowercase hex. */
  readonly deviceId: string;
  readonly seq: bigint | number | string;
  readonly timestamp: bigint | number | string;
  readonly keyVersion: number;
  /** In the order of SENSOR_FIELDS; only numbers are in the raw string. */
  readonly values: readonly unknown[];
}

/** The raw string of a reading. A single digit without decimals is padded with one space, as the firmware does. */
export function compose(composition: Composition, { deviceId, seq, timestamp, keyVersion, values }: Composed): string {
  let raw = `${deviceId}|${seq}|${timestamp}|${keyVersion}`;
  for (const [name, decimals] of PARTS[composition]) {
    const value = values[PLACES[name]];
    if (typeof value !== 'number') continue;
    const text = value.toFixed(decimals);
    raw += text.length === 1 ? `|${name}= ${text}` : `|${name}=${text}`;
  }
  return raw;
}

/** The composition that gives exactly this raw string; null: none does. */
export function compositionOf(raw: string, reading: Composed): Composition | null {
  // The firmware's comes first: nearly every raw string is one.
  if (raw === compose(Composition.FIRMWARE, reading)) return Composition.FIRMWARE;
  return raw === compose(Composition.HEADER, reading) ? Composition.HEADER : null;
}

/** Whether a stored number names a composition. */
export function isComposition(value: unknown): value is Composition {
  return value === Composition.HEADER || value === Composition.FIRMWARE;
}
