/** A distribution of times in milliseconds. */
export interface Distribution {
  readonly count: number;
  /** The sum of all times. */
  readonly total: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Returns the distribution of times in milliseconds, with percentiles by nearest rank. Throws RangeError if there are
 * no times.
 */
export function distribution(times: readonly number[]): Distribution {
  if (times.length === 0) throw new RangeError('no times were measured');
  const sorted = Float64Array.from(times).sort();
  return {
    count: sorted.length,
    total: sorted.reduce((sum, time) => sum + time, 0),
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    max: sorted.at(-1)!,
  };
}

/** Returns the middle value. */
export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
}
