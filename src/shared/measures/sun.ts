const DEGREE = Math.PI / 180;
const J2000_MS = Date.UTC(2000, 0, 1, 12);
const DAY_MS = 86_400_000;
/** The height of the sun's middle when its upper edge is at the horizon, with the refraction of the air. */
const HORIZON = -0.833;

/** A place on the earth in degrees north and east. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Returns the height of the sun's middle above the horizon in degrees, without refraction, by the low-precision
 * formulas of the Astronomical Almanac (1950 to 2050, within 0.01°).
 */
export function sunHeight(at: number, { latitude, longitude }: Place): number {
  const days = (at - J2000_MS) / DAY_MS;
  const meanLongitude = 280.46 + 0.985_647_4 * days;
  const anomaly = (357.528 + 0.985_600_3 * days) * DEGREE;
  const ecliptic = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * DEGREE;
  const tilt = (23.439 - 0.000_000_4 * days) * DEGREE;
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(ecliptic), Math.cos(ecliptic));
  const declination = Math.asin(Math.sin(tilt) * Math.sin(ecliptic));
  const siderealDegrees = (18.697_374_558 + 24.065_709_824_419_08 * days) * 15;
  const hourAngle = (siderealDegrees + longitude) * DEGREE - ascension;
  const north = latitude * DEGREE;
  const sine = Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(sine) / DEGREE;
}

/** Returns whether a time (Unix milliseconds) is between sunrise and sunset at a place. */
export function isSunUp(at: number, place: Place): boolean {
  return sunHeight(at, place) > HORIZON;
}
