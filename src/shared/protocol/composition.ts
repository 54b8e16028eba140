import { FIELD_NAMES, type FieldName } from './fields.ts';

/**
 * The compositions of raw strings from a reading's values. A store has the number of a composition in place of the raw
 * string, so a number never changes its meaning: a new composition, or a new field in one, needs a new number.
 */
export const Composition = {
  /** Only the header. */
  HEADER: 0,
  /** The order and decimals of the firmware. */
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
  /** In the order of SENSOR_FIELDS. Only numbers are in the raw string. */
  readonly values: readonly unknown[];
}

/**
 * Returns the raw string of a reading. A single digit without decimals is padded with one space, as in the firmware.
 */
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

/** Returns the composition of exactly this raw string; null if none matches. */
export function compositionOf(raw: string, reading: Composed): Composition | null {
  // The firmware's is first because nearly every raw string has it.
  if (raw === compose(Composition.FIRMWARE, reading)) return Composition.FIRMWARE;
  return raw === compose(Composition.HEADER, reading) ? Composition.HEADER : null;
}

/** Returns whether a stored number is a composition. */
export function isComposition(value: unknown): value is Composition {
  return value === Composition.HEADER || value === Composition.FIRMWARE;
}
