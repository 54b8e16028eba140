import { type FieldName, perFieldName } from '../protocol/fields.ts';

/** The quantity of a field. A value may be shown in any unit of its quantity. */
export type Quantity = 'acidity' | 'conductivity' | 'distance' | 'temperature' | 'humidity' | 'pressure';

interface Unit {
  readonly quantity: Quantity;
  /** The symbol after a number. Dissolved solids always include their scale: "ppm" alone is ambiguous. */
  readonly symbol: string;
  /** The unit in the headers of files. It is English in every language, because programs read them. */
  readonly header: string;
  /** The decimals of a converted value: about the resolution of the field's sensor. */
  readonly digits: number;
  /**
   * A value in the quantity's reference unit is `(value * multiply + add) / divide`. All three are whole numbers, so
   * that a conversion adds no error of its own.
   */
  readonly multiply: number;
  readonly add: number;
  readonly divide: number;
}

const same = { multiply: 1, add: 0, divide: 1 };

/** Every unit that can be converted. Dissolved solids stand for a conductivity: 500 or 700 ppm per mS/cm. */
export const UNITS = {
  ph: { quantity: 'acidity', symbol: '', header: '', digits: 2, ...same },
  ppm500: { quantity: 'conductivity', symbol: 'ppm₅₀₀', header: 'ppm, 500 scale', digits: 0, ...same },
  ppm700: {
    quantity: 'conductivity',
    symbol: 'ppm₇₀₀',
    header: 'ppm, 700 scale',
    digits: 0,
    multiply: 5,
    add: 0,
    divide: 7,
  },
  microsiemens: {
    quantity: 'conductivity',
    symbol: 'µS/cm',
    header: 'µS/cm',
    digits: 0,
    multiply: 1,
    add: 0,
    divide: 2,
  },
  millisiemens: {
    quantity: 'conductivity',
    symbol: 'mS/cm',
    header: 'mS/cm',
    digits: 3,
    multiply: 500,
    add: 0,
    divide: 1,
  },
  millimetre: { quantity: 'distance', symbol: 'mm', header: 'mm', digits: 0, ...same },
  centimetre: { quantity: 'distance', symbol: 'cm', header: 'cm', digits: 1, multiply: 10, add: 0, divide: 1 },
  inch: { quantity: 'distance', symbol: 'in', header: 'in', digits: 2, multiply: 127, add: 0, divide: 5 },
  celsius: { quantity: 'temperature', symbol: '°C', header: '°C', digits: 2, ...same },
  fahrenheit: { quantity: 'temperature', symbol: '°F', header: '°F', digits: 1, multiply: 5, add: -160, divide: 9 },
  kilopascal: { quantity: 'pressure', symbol: 'kPa', header: 'kPa', digits: 2, ...same },
  percentHumidity: { quantity: 'humidity', symbol: '%', header: '%', digits: 2, ...same },
} as const satisfies Record<string, Unit>;

/** A unit that a device may send a value in. */
export type UnitId = keyof typeof UNITS;

/**
 * The unit in which the reference firmware sends each field; the protocol names none. `waterLevel` is the distance from
 * the sensor to the water.
 */
export const REFERENCE_UNITS: Readonly<Record<FieldName, UnitId>> = {
  ph: 'ph',
  ec: 'ppm500',
  waterLevel: 'millimetre',
  tempWater: 'celsius',
  tempAmbient: 'celsius',
  humidity: 'percentHumidity',
};

/** The quantity of each field. */
export const QUANTITIES: Readonly<Record<FieldName, Quantity>> = perFieldName(
  (name) => UNITS[REFERENCE_UNITS[name]].quantity,
);

/** The decimals of each field that the reference firmware signs. */
export const REFERENCE_DIGITS: Readonly<Record<FieldName, number>> = perFieldName(
  (name) => UNITS[REFERENCE_UNITS[name]].digits,
);

/** Returns the units of a quantity, the reference unit first. */
export function unitsOf(quantity: Quantity): UnitId[] {
  return (Object.keys(UNITS) as UnitId[]).filter((unit) => UNITS[unit].quantity === quantity);
}

/** Converts a value to another unit of the same quantity. With the same unit, every digit stays. */
export function convert(value: number, from: UnitId, to: UnitId): number {
  if (from === to) return value;
  const { multiply, add, divide }: Unit = UNITS[from];
  const target: Unit = UNITS[to];
  const reference = (value * multiply + add) / divide;
  return withoutNoise((reference * target.divide - target.add) / target.multiply);
}

/** Rounds to twelve digits: more than any sensor has, and few enough to remove the errors of binary fractions. */
export function withoutNoise(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : value;
}
