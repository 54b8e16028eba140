// Devices compute in 32-bit floats, and encrypted fields are float32 by definition: 6.2 arrives as 6.199999809265137,
// or as 6.199999809 if the firmware's JSON prints ten digits of it. The sensor reported neither.

/** The number of digits from which a decimal may be a printed float32: nine digits distinguish any two float32. */
const FLOAT32_DIGITS = 9;

/**
 * Returns the shortest decimal of the same float32: 6.2 for 6.199999809. Returns other numbers unchanged: a double that
 * is not a printed float32, a whole number, one that is not finite.
 */
export function shortestFloat32(value: number): number {
  if (!Number.isFinite(value) || Number.isInteger(value)) return value;
  const single = Math.fround(value);
  if (!Number.isFinite(single) || !isPrintOf(value, single)) return value;
  for (let digits = 1; digits < FLOAT32_DIGITS; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return candidate;
  }
  return Number(single.toPrecision(FLOAT32_DIGITS));
}

/** Returns whether `value` is the float32 itself, or the float32 printed with as many digits as `value` has. */
function isPrintOf(value: number, single: number): boolean {
  if (value === single) return true;
  const digits = significantDigits(value);
  return digits >= FLOAT32_DIGITS && Number(single.toPrecision(digits)) === value;
}

function significantDigits(value: number): number {
  return value.toExponential().replace(/e.*$/, '').replace(/[-.]/g, '').length;
}
