// Values of the air that depend on temperature and humidity together. They are computed when they are shown and never
// stored.

/**
 * Returns the saturation vapour pressure in kPa over water at a temperature in °C: FAO Irrigation and Drainage Paper
 * 56, equation 11.
 */
export function saturationPressure(celsius: number): number {
  return 0.6108 * Math.exp((17.27 * celsius) / (celsius + 237.3));
}

/**
 * Returns the vapour pressure deficit in kPa, for an air temperature in °C and a relative humidity in per cent.
 * `leafOffset`: how many degrees leaves are warmer than the air, usually less than 0; 0 gives the deficit of the air
 * itself. Returns null for values that an air sensor can't measure.
 */
export function vapourPressureDeficit(celsius: number, humidity: number, leafOffset = 0): number | null {
  if (!isAir(celsius, humidity)) return null;
  return saturationPressure(celsius + leafOffset) - (saturationPressure(celsius) * humidity) / 100;
}

/** The coefficients of the Magnus form over water, -45 to 60 °C (Sonntag 1990). */
const MAGNUS_B = 17.62;
const MAGNUS_C = 243.12;

/**
 * Returns the dew point in °C by the Magnus form; null for perfectly dry air, and for values that an air sensor can't
 * measure.
 */
export function dewPoint(celsius: number, humidity: number): number | null {
  if (!isAir(celsius, humidity) || humidity === 0) return null;
  const gamma = Math.log(humidity / 100) + (MAGNUS_B * celsius) / (MAGNUS_C + celsius);
  return (MAGNUS_C * gamma) / (MAGNUS_B - gamma);
}

function isAir(celsius: number, humidity: number): boolean {
  return celsius >= -45 && celsius <= 60 && humidity >= 0 && humidity <= 100;
}
