/** The height of the drawing's own coordinates; the width is one per value. */
export const HEIGHT = 20;
const MARGIN = 1.5;

/**
 * The SVG path of values at equal steps, oldest first; null is a gap. Coordinates are 0…`values.length - 1` and
 * 0…`HEIGHT`; a constant value is drawn in the middle. Empty if there are fewer than two values.
 */
export function sparklinePath(values: readonly (number | null)[]): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const value of values) {
    if (value === null) continue;
    count++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (count < 2) return '';
  const scale = high > low ? (HEIGHT - 2 * MARGIN) / (high - low) : 0;
  const path: string[] = [];
  let drawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const y = scale === 0 ? HEIGHT / 2 : HEIGHT - MARGIN - (value - low) * scale;
    const point = `${index} ${Math.round(y * 100) / 100}`;
    // A single value between gaps is drawn as a dot: a line of length zero with round ends.
    const alone = !drawing && (values[index + 1] ?? null) === null;
    path.push(alone ? `M${point}h0` : `${drawing ? 'L' : 'M'}${point}`);
    drawing = true;
  });
  return path.join('');
}
