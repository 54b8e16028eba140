// Devices compute in 32-bit floats and sealed fields are float32 by definition: 6.2 comes as 6.199999809265137, or as
// 6.199999809 where the firmware's JSON prints ten digits of it. Neither is what the sensor said.

/** Digits from which a decimal may be a printed float32: nine tell any two float32 apart. */
const FLOAT32_DIGITS = 9;

/**
 * The shortest decimal that names the same float32: 6.2 for 6.199999809. A number that no float32 lies behind (a
 * double in its own right, a whole number, not a finite one) is given back as it is.
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

/** Whether `value` is the float32 itself, or what is left of it when it is written with as many digits as `value` has. */
function isPrintOf(value: number, single: number): boolean {
  if (value === single) return true;
  const digits = significantDigits(value);
  return digits >= FLOAT32_DIGITS && Number(single.toPrecision(digits)) === value;
}

function significantDigits(value: number): number {
  return value.toExponential().replace(/e.*$/, '').replace(/[-.]/g, '').length;
}
