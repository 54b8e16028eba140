import { describe, expect, it } from 'vitest';
import { fieldScale } from '../../../shared/measures/field-scale.ts';
import type { History } from '../../../shared/owner-api/readings.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { withDerived } from '../../opening/derived.ts';
import { fieldData, partOf, sealedIn, summarise } from './chart-data.ts';

const NO_UNITS = { units: {}, leafOffset: null };
const MINUTE = 60_000;
const PH = fieldScale('ph', undefined);
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };

function historyOf(times: number[], ph: (number | null)[], stepMs: number | null = null, sealed?: number[]) {
  const of = (values: (number | null)[]) => ({
    min: values.map((value) => (value === null ? null : value - (stepMs === null ? 0 : 1))),
    max: values.map((value) => (value === null ? null : value + (stepMs === null ? 0 : 1))),
    mean: values,
    count: values.map((value) => (value === null ? 0 : stepMs === null ? 1 : 10)),
    sealed: sealed ?? values.map(() => 0),
  });
  const none = times.map(() => null);
  const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, of(name === 'ph' ? ph : none)]));
  return withDerived({ axis: 'timestamp', stepMs, times, fields: fields as History['fields'] }, NO_UNITS);
}

describe('the source of a summary', () => {
  it('is named if values are still sealed', () => {
    const of = (opened: number, sealed: number) => partOf({ openings: { opened, failed: {} } }, sealed);
    expect([of(0, 0), of(10, 0), of(10, 5), of(0, 5)]).toEqual([null, null, 'opened', 'plain']);
  });
});

describe('fieldData', () => {
  it('draws no line across a gap', () => {
    const times = [0, 1, 2, 3, 4, 20, 21].map((minute) => minute * MINUTE);
    const data = fieldData(historyOf(times, [1, 2, 3, 4, 5, 6, 7]), PH, MINUTE);
    expect(data.times.map((time) => time / MINUTE)).toEqual([0, 1, 2, 3, 4, 12, 20, 21]);
    expect(data.mean).toEqual([1, 2, 3, 4, 5, null, 6, 7]);
    expect(data.count).toEqual([1, 1, 1, 1, 1, 0, 1, 1]);
  });

  it('sees no gap in one or two lost readings, nor in a rarer field', () => {
    const lost = [0, 1, 2, 3, 6, 7].map((minute) => minute * MINUTE);
    expect(fieldData(historyOf(lost, [1, 1, 1, 1, 1, 1]), PH, MINUTE).mean).not.toContain(null);
    const rare = fieldData(
      historyOf(
        Array.from({ length: 50 }, (_, minute) => minute * MINUTE),
        Array.from({ length: 50 }, (_, minute) => (minute % 10 === 0 ? 7 : null)),
      ),
      PH,
      MINUTE,
    );
    expect(rare.mean).toEqual([7, 7, 7, 7, 7]);
  });

  it('places a step at its middle and treats each missing one as a gap', () => {
    const data = fieldData(historyOf([0, 10, 20, 40], [1, 2, 3, 4], 10), PH, 1);
    expect(data.times).toEqual([5, 15, 25, 35, 45]);
    expect(data.mean).toEqual([1, 2, 3, null, 4]);
    expect(data.min).toEqual([0, 1, 2, null, 3]);
    expect(data.max).toEqual([2, 3, 4, null, 5]);
    expect(summarise(data, ALWAYS)).toEqual({ min: 0, max: 5, mean: 2.5, count: 40 });
  });

  it('connects steps that are shorter than the device’s interval', () => {
    const data = fieldData(historyOf([0, 30, 60, 90], [1, 2, 3, 4], 10), PH, 30);
    expect(data.mean).toEqual([1, 2, 3, 4]);
  });

  it('leaves out values that can’t be drawn, and counts sealed ones', () => {
    const data = fieldData(historyOf([1, 2, 3], [7, 1e300, null], null, [0, 0, 2]), PH, null);
    expect(data.mean).toEqual([7]);
    expect(data.sealed).toEqual([{ time: 3, count: 2 }]);
    expect(fieldData(historyOf([], []), PH, null)).toMatchObject({ times: [], sealed: [] });
  });
});

describe('the summary of a chart', () => {
  it('counts only the visible range, not the history before it', () => {
    const times = [0, 1, 2, 3, 4, 20, 21].map((minute) => minute * MINUTE);
    const history = historyOf(times, [1, 2, 3, 4, 5, 6, 7], null, [0, 1, 0, 0, 0, 1, 0]);
    const data = fieldData(history, PH, MINUTE);
    const view = { from: 2 * MINUTE, to: 20 * MINUTE };
    expect(summarise(data, view)).toEqual({ min: 3, max: 6, mean: 4.5, count: 4 });
    expect(sealedIn(data, view)).toBe(1);
    // Inside the gap.
    expect(summarise(data, { from: 5 * MINUTE, to: 19 * MINUTE })).toBeNull();
  });

  it('counts the step in which the view ends, but not one that is mostly before it', () => {
    const data = fieldData(historyOf([0, 10, 20, 30], [1, 2, 3, 4], 10), PH, 1);
    expect(summarise(data, { from: 16, to: 29 })).toEqual({ min: 2, max: 4, mean: 3, count: 10 });
    expect(summarise(data, { from: 15, to: 30 })).toEqual({ min: 1, max: 5, mean: 3, count: 30 });
  });
});
