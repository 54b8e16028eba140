import { describe, expect, it } from 'vitest';
import type { History } from '../../shared/owner-api/readings.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import type { OpenedFields } from '../format/values.ts';
import { mergeOpened } from './merge-opened.ts';
import { OpenedSeries } from './opened-series.ts';

const ALL = { from: null, to: null };
const ok = (value: number) => ({ ok: true, value, keyIndex: 0 }) as const;
const failed = (reason: 'no_key' | 'wrong_key') => ({ ok: false, reason, keyVersion: 1 }) as const;

/** Returns a history in which only pH has values. */
function historyOf(stepMs: number | null, times: number[], ph: Partial<History['fields']['ph']>): History {
  const none = () => times.map(() => null);
  const zero = () => times.map(() => 0);
  const empty = () => ({ min: none(), max: none(), mean: none(), count: zero(), sealed: zero() });
  const fields = Object.fromEntries(FIELD_NAMES.map((field) => [field, empty()])) as History['fields'];
  return { axis: 'timestamp', stepMs, times, fields: { ...fields, ph: { ...empty(), ...ph } } };
}

function seriesOf(...readings: readonly (readonly [seq: string, time: number, fields: OpenedFields])[]): OpenedSeries {
  const series = new OpenedSeries();
  for (const [seq, time, fields] of readings) series.put(seq, time, time, fields);
  return series;
}

describe('mergeOpened', () => {
  it('merges minimum, maximum and mean of opened values into their steps, weighted with plain ones', () => {
    const history = historyOf(100, [0, 100, 300], {
      min: [2, null, null],
      max: [4, null, null],
      mean: [3, null, null],
      count: [2, 0, 0],
      sealed: [1, 2, 1],
    });
    const series = seriesOf(['1', 50, { ph: ok(9) }], ['2', 100, { ph: ok(1) }], ['3', 199, { ph: ok(2) }]);
    const { history: merged, missing } = mergeOpened(history, ALL, series);
    expect(merged.fields.ph).toEqual({
      min: [2, 1, null],
      max: [9, 2, null],
      mean: [5, 1.5, null],
      count: [3, 2, 0],
      sealed: [0, 0, 1],
    });
    expect(merged.openings.ph).toEqual({ opened: 3, failed: {} });
    const corrections = [{ field: 'ph' as const, from: 199, slope: 1, offset: 5 }];
    const { mean } = mergeOpened(history, ALL, series, corrections).history.fields.ph;
    // The node's values are already corrected.
    expect(mean).toEqual([5, 4, null]);
    // The step from 200 has no reading, so it stays a gap.
    expect(merged.times).toEqual([0, 100, 300]);
    expect(missing).toEqual({ from: 300, to: 399, readings: 1 });
  });

  it('counts failures by cause, and draws no number for them', () => {
    const history = historyOf(100, [0], { sealed: [3] });
    const series = seriesOf(
      ['1', 1, { ph: failed('no_key') }],
      ['2', 2, { ph: failed('wrong_key') }],
      ['3', 3, { ph: failed('wrong_key') }],
    );
    const { history: merged, missing } = mergeOpened(history, ALL, series);
    expect(merged.openings.ph).toEqual({ opened: 0, failed: { no_key: 1, wrong_key: 2 } });
    expect(merged.fields.ph).toMatchObject({ mean: [null], count: [0], sealed: [0] });
    expect(missing).toBeNull();
  });

  it('gives single readings their own value, also several of one time', () => {
    const history = historyOf(null, [10, 20, 20, 30], { sealed: [1, 1, 1, 1] });
    const series = seriesOf(['1', 10, { ph: ok(1) }], ['2', 20, { ph: ok(2) }], ['3', 20, { ph: ok(3) }]);
    const { history: merged, missing } = mergeOpened(history, ALL, series);
    expect(merged.fields.ph.mean).toEqual([1, 2, 3, null]);
    expect(merged.fields.ph.count).toEqual([1, 1, 1, 0]);
    expect(missing).toEqual({ from: 30, to: 30, readings: 1 });
  });

  it('leaves out values outside of the range, and those after the history', () => {
    const history = historyOf(100, [0], { sealed: [1] });
    const series = seriesOf(['1', 10, { ph: ok(1) }], ['2', 60, { ph: ok(5) }], ['3', 250, { ph: ok(7) }]);
    const { history: merged, missing } = mergeOpened(history, { from: 0, to: 50 }, series);
    expect(merged.fields.ph).toMatchObject({ mean: [1], count: [1], sealed: [0] });
    expect(missing).toBeNull();
  });

  it('requests nothing outside of the range', () => {
    const history = historyOf(100, [0, 100], { sealed: [1, 1] });
    expect(mergeOpened(history, { from: 40, to: 130 }, seriesOf()).missing).toEqual({ from: 40, to: 130, readings: 2 });
  });
});

describe('OpenedSeries', () => {
  it('withdraws values that prove to be copies, and forgets everything on demand', () => {
    const series = seriesOf(['1', 10, { ph: ok(1), ec: ok(2) }]);
    const seen = () => {
      const values: unknown[] = [];
      series.forEach(0, 100, (_time, field, value) => values.push([FIELD_NAMES[field], value]));
      return values;
    };
    series.overturn('1', 'ph');
    expect(seen()).toEqual([
      ['ph', 'nonce_reused'],
      ['ec', 2],
    ]);
    expect(series.has('1', 10, 10)).toBe(true);
    expect(series.has('1', 10, 11)).toBe(false);
    series.clear();
    expect(seen()).toEqual([]);
    expect(series.size).toBe(0);
  });
});
