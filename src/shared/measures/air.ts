// What temperature and humidity say of the air together. Derived whenever it is shown, never stored.

/** Saturation vapour pressure in kPa over water at a temperature in °C: FAO Irrigation and Drainage Paper 56, equation 11. */
export function saturationPressure(celsius: number): number {
  return 0.6108 * Math.exp((17.27 * celsius) / (celsius + 237.3));
}

/**
 * Vapour pressure deficit in kPa, of air of a temperature in °C and a relative humidity in per cent. `leafOffset`: by how many
 * degrees leaves are warmer than the air, usually less than 0; 0 gives the deficit of the air itself. null outside of what a
 * sensor of air can mean.
 */
export function vapourPressureDeficit(celsius: number, humidity: number, leafOffset = 0): number | null {
  if (!isAir(celsius, humidity)) return null;
  return saturationPressure(celsius + leafOffset) - (saturationPressure(celsius) * humidity) / 100;
}

/** Coefficients of the Magnus form over water, -45 to 60 °C (Sonntag 1990). */
const MAGNUS_B = 17.62;
const MAGNUS_C = 243.12;

/** Dew point in °C by the Magnus form; null of perfectly dry air, and outside of what a sensor of air can mean. */
export function dewPoint(celsius: number, humidity: number): number | null {
  if (!isAir(celsius, humidity) || humidity === 0) return null;
  const gamma = Math.log(humidity / 100) + (MAGNUS_B * celsius) / (MAGNUS_C + celsius);
  return (MAGNUS_C * gamma) / (MAGNUS_B - gamma);
}

function isAir(celsius: number, humidity: number): boolean {
  return celsius >= -45 && celsius <= 60 && humidity >= 0 && humidity <= 100;
}
