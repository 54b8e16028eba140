import { expect, it } from 'vitest';
import { OpenedSeries } from '../opened-series.ts';
import { openedSparkline } from './sparkline-means.ts';

const HOUR_MS = 3_600_000;
const ok = (value: number) => ({ ok: true, value, keyIndex: 0 }) as const;

it('fills steps without a mean from their opened values, and leaves gaps', () => {
  const startAt = 100 * HOUR_MS;
  const series = new OpenedSeries();
  series.put('1', startAt - 1, 0, { ph: ok(99) });
  series.put('2', startAt, 0, { ph: ok(6), ec: ok(10) });
  series.put('3', startAt + 10, 0, { ph: ok(8) });
  series.put('4', startAt + 23 * HOUR_MS, 0, { ph: { ok: false, reason: 'wrong_key', keyVersion: 1 }, ec: ok(3) });
  series.put('5', startAt + 24 * HOUR_MS, 0, { ph: ok(99) });
  const plainEc = Array.from({ length: 24 }, (_, step) => (step === 23 ? 4 : null));
  const humidity = Array.from({ length: 24 }, () => 50);
  const sparkline = { startAt, stepMs: HOUR_MS, values: { ec: plainEc, humidity } };
  const values = openedSparkline(sparkline, series);
  expect(values.ph).toEqual([7, ...Array.from({ length: 23 }, () => null)]);
  expect(values.ec).toEqual([10, ...Array.from({ length: 22 }, () => null), 4]);
  expect(values.humidity).toBe(humidity);
  expect(values.tempWater).toBeUndefined();
  expect(openedSparkline(sparkline, new OpenedSeries())).toBe(sparkline.values);
});
