import { describe, expect, it } from 'vitest';
import type { FieldData } from './chart-data.ts';
import { differingIntervals } from './intervals.ts';

const MINUTE = 60_000;
const counted = { from: 0, to: Number.POSITIVE_INFINITY };

/** Returns a line with readings at these minutes. With `stepMs`, each step has `counts` readings. */
function line(minutes: readonly number[], counts = minutes.map(() => 1), stepMs: number | null = null) {
  const values = minutes.map(() => 6);
  const data: FieldData = {
    times: minutes.map((minute) => minute * MINUTE),
    ...{ mean: values, min: values, max: values, count: counts, stepMs, sealed: [] },
    openings: { opened: 0, failed: {} },
  };
  return { data, counted };
}
const every = (step: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * step);

describe('the intervals of lines', () => {
  it('differ if one device measures more often, or changed its interval', () => {
    expect(differingIntervals([line(every(1, 600)), line(every(10, 60))])).toEqual({
      least: MINUTE,
      greatest: 10 * MINUTE,
    });
    const changed = line([...every(1, 60), ...every(10, 60, 60)]);
    expect(differingIntervals([changed, line(every(10, 60))])).toEqual({ least: MINUTE, greatest: 10 * MINUTE });
  });

  it('do not differ if both measure about as often, or for a single line', () => {
    expect(differingIntervals([line(every(1, 60)), line(every(1.02, 60))])).toBeNull();
    expect(differingIntervals([line([...every(1, 60), ...every(10, 60, 60)])])).toBeNull();
    expect(differingIntervals([line(every(1, 60)), line([0, 100])])).toBeNull();
  });

  it('count the readings of each step, however far apart steps lie', () => {
    const hours = every(60, 24);
    const dense = line(
      hours,
      hours.map(() => 60),
      60 * MINUTE,
    );
    const sparse = line(
      every(120, 12),
      every(120, 12).map(() => 1),
      60 * MINUTE,
    );
    expect(differingIntervals([dense, sparse])).toEqual({ least: MINUTE, greatest: 120 * MINUTE });
  });

  it('do not count gaps', () => {
    const minutes = [...every(1, 5), 5.5, ...every(1, 5, 600), 800, ...every(1, 5, 1000)];
    const counts = minutes.map((minute) => (minute === 5.5 || minute === 800 ? 0 : 1));
    expect(differingIntervals([line(minutes, counts), line(every(1, 60))])).toBeNull();
  });
});
