import { type FieldName, perFieldName } from '../shared/protocol/fields.ts';

/**
 * Realistic readings of a hydroponic reservoir, as pure functions of time and a device's traits: the same device
 * measures the same at the same time in every run. The day is the UTC day.
 */

/** The numbers that make one device's curves different from another's. */
export interface Traits {
  /** The seed of every noise and per-cycle variation. */
  readonly salt: number;
  /** The mean and half the daily range of the air temperature, °C. */
  readonly meanTemp: number;
  readonly tempSwing: number;
  /** The mean relative humidity, %. */
  readonly meanHumidity: number;
  /** The dissolved solids just after dosing, ppm. */
  readonly dosedEc: number;
  /** The pH just after a correction. */
  readonly correctedPh: number;
  /** The distance from the sensor down to the surface just after a refill, mm. */
  readonly fullLevel: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns the traits of a device from its key: always the same for the same bytes. */
export function traitsOf(seed: Uint8Array): Traits {
  const salt = seed.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
  const pick = (index: number, low: number, high: number) => low + (high - low) * unit(salt, 1000 + index);
  return {
    salt,
    meanTemp: pick(0, 19, 24),
    tempSwing: pick(1, 3, 6),
    meanHumidity: pick(2, 52, 68),
    dosedEc: pick(3, 900, 1500),
    correctedPh: pick(4, 5.6, 5.9),
    fullLevel: pick(5, 60, 110),
  };
}

interface Curve {
  /** Returns the value at a time in Unix milliseconds, in the field's reference unit. */
  readonly at: (traits: Traits, time: number) => number;
  /** The least and the greatest value that such a reservoir can have. */
  readonly range: readonly [number, number];
}

/** The curve of each field. */
export const CURVES: Readonly<Record<FieldName, Curve>> = {
  ph: { at: phAt, range: [5.4, 6.7] },
  ec: { at: ecAt, range: [650, 1520] },
  waterLevel: { at: levelAt, range: [55, 220] },
  tempWater: { at: waterSensorAt, range: [10, 32] },
  tempAmbient: { at: airSensorAt, range: [8, 36] },
  humidity: { at: humidityAt, range: [20, 98] },
};

/** Returns the measurements of the sensors at a time in Unix milliseconds, in the reference units. */
export function measure(traits: Traits, time: number): Record<FieldName, number> {
  return perFieldName((name) => CURVES[name].at(traits, time));
}

/** The direction in which a value drifts out of the range of its curve. */
export type Drift = 'low' | 'high';

/** The time until a drifting value reaches its final value. */
const DRIFT_MS = 45_000;

/**
 * Returns a value that has drifted for so many milliseconds. Its final value is beyond its range by half of the range's
 * width.
 */
export function drifted(field: FieldName, value: number, drift: Drift, forMs: number): number {
  const [low, high] = CURVES[field].range;
  const beyond = drift === 'low' ? low - (high - low) / 2 : high + (high - low) / 2;
  const goal = field === 'humidity' ? Math.min(100, Math.max(0, beyond)) : beyond;
  const part = Math.min(1, Math.max(0, forMs / DRIFT_MS));
  return value + (goal - value) * part;
}

/** Returns the air temperature: warmest at 15 h, coldest at 3 h, with slow weather over days. */
function airAt(traits: Traits, time: number): number {
  const weather = 2 * noise(traits.salt + 3, time / (1.5 * DAY));
  return traits.meanTemp + weather + traits.tempSwing * Math.cos((2 * Math.PI * (time - 15 * HOUR)) / DAY);
}

/** Returns the water temperature: it follows the air four hours later, with two fifths of its swing. */
function waterAt(traits: Traits, time: number): number {
  const mean = traits.meanTemp - 1;
  return mean + 0.4 * (airAt(traits, time - 4 * HOUR) - mean);
}

function airSensorAt(traits: Traits, time: number): number {
  return airAt(traits, time) + 0.15 * noise(traits.salt + 1, time / (5 * MINUTE));
}

function waterSensorAt(traits: Traits, time: number): number {
  return waterAt(traits, time) + 0.05 * noise(traits.salt + 2, time / (10 * MINUTE));
}

/** Returns the humidity: the warmer the air, the drier. */
function humidityAt(traits: Traits, time: number): number {
  const warmer = airSensorAt(traits, time) - traits.meanTemp;
  const value = traits.meanHumidity - 2.2 * warmer + 3 * noise(traits.salt + 4, time / HOUR);
  return Math.min(98, Math.max(20, value));
}

/** Returns the EC: plants take up nutrients over about nine hours, then the pump doses for ten minutes. */
function ecAt(traits: Traits, time: number): number {
  const depletion = sawtooth(traits.salt + 5, time, 9 * HOUR, 10 * MINUTE);
  return traits.dosedEc - 160 * depletion + 4 * noise(traits.salt + 6, time / (3 * MINUTE));
}

/** Returns the pH: it drifts upward over about fourteen hours, then acid brings it back within twenty minutes. */
function phAt(traits: Traits, time: number): number {
  const drift = sawtooth(traits.salt + 7, time, 14 * HOUR, 20 * MINUTE);
  return traits.correctedPh + 0.55 * drift + 0.02 * noise(traits.salt + 8, time / (4 * MINUTE));
}

/**
 * Returns the distance to the surface: it grows as plants drink and water evaporates. The reservoir is refilled about
 * every two days.
 */
function levelAt(traits: Traits, time: number): number {
  const used = sawtooth(traits.salt + 9, time, 50 * HOUR, 15 * MINUTE);
  return traits.fullLevel + 90 * used + noise(traits.salt + 10, time / (2 * MINUTE));
}

/**
 * Rises from 0 to about 1 over a period and falls back to 0 within its last `fall` milliseconds. The height of each
 * cycle differs by up to 15 %; the phase depends on the salt.
 */
function sawtooth(salt: number, time: number, period: number, fall: number): number {
  const shifted = time / period + unit(salt, 0);
  const cycle = Math.floor(shifted);
  const position = shifted - cycle;
  const turn = 1 - fall / period;
  const height = 0.85 + 0.3 * unit(salt, cycle);
  return height * (position < turn ? position / turn : (1 - position) / (1 - turn));
}

/** Returns smooth noise between -1 and 1 that changes over about one unit of `x`. */
function noise(salt: number, x: number): number {
  const left = Math.floor(x);
  const part = x - left;
  const smooth = part * part * (3 - 2 * part);
  const a = unit(salt, left);
  const b = unit(salt, left + 1);
  return 2 * (a + (b - a) * smooth) - 1;
}

/**
 * Returns a number from 0 to below 1 that looks random but depends only on the arguments (the finaliser of
 * MurmurHash3).
 */
function unit(salt: number, index: number): number {
  let hash = (salt ^ Math.imul(index | 0, 0x9e3779b1)) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
