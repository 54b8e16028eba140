import { describe, expect, it } from 'vitest';
import { byHours, calendarBounds, dayParts, type Measured } from './day-parts.ts';

const HOUR = 3_600_000;
const BERLIN = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);
const hours = (bounds: readonly number[]) => bounds.slice(1).map((each, index) => (each - bounds[index]!) / HOUR);

describe('the bounds of days and weeks', () => {
  it('have 23 and 25 hours if clocks change', () => {
    const spring = { from: at('2026-03-28T00:00+01:00'), to: at('2026-03-31T00:00+02:00') };
    expect(hours(calendarBounds(spring, BERLIN, null))).toEqual([24, 23, 24]);
    const autumn = { from: at('2026-10-24T12:00+02:00'), to: at('2026-10-26T06:00+01:00') };
    expect(hours(calendarBounds(autumn, BERLIN, null))).toEqual([12, 25, 6]);
  });

  it('begin a week on the owner’s first day, across a change of the clocks', () => {
    const span = { from: at('2026-03-20T10:00+01:00'), to: at('2026-04-02T00:00+02:00') };
    const starts = (first: number) =>
      calendarBounds(span, BERLIN, first)
        .slice(1, -1)
        .map((each) => new Date(each).toISOString());
    expect(starts(1)).toEqual(['2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
    expect(starts(7)).toEqual(['2026-03-21T23:00:00.000Z', '2026-03-28T23:00:00.000Z']);
  });

  it('continue if a zone skips a day', () => {
    const span = { from: at('2011-12-29T00:00-10:00'), to: at('2012-01-01T00:00+14:00') };
    expect(hours(calendarBounds(span, 'Pacific/Apia', null))).toEqual([24, 24]);
  });
});

describe('the parts of a line', () => {
  /** Returns hourly means from midnight in Berlin: `warm` by day, `cold` by night. */
  function hourly(from: number, count: number, warm: number, cold: number): Measured {
    const isDay = byHours({ from: '08:00', to: '20:00' }, BERLIN);
    const times = Array.from({ length: count }, (_, index) => from + index * HOUR + HOUR / 2);
    const mean = times.map((time) => (isDay(time) ? warm : cold));
    const min = mean.map((value) => value - 1);
    return { times, mean, min, max: mean.map((value) => value + 1), count: times.map(() => 60), stepMs: HOUR };
  }
  const isDay = byHours({ from: '08:00', to: '20:00' }, BERLIN);

  it.each([
    ['in spring', '2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00', 23],
    ['in autumn', '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00', 25],
  ])('distinguish day and night by local time, also when clocks change: %s', (_, begin, end, count) => {
    const span = { from: at(begin), to: at(end) };
    const [part] = dayParts(hourly(span.from, count, 25, 15), [{ low: 20, high: 30 }], [span.from, span.to], isDay);
    expect(part).toMatchObject({ day: 25, night: 15, min: 14, max: 26, count: count * 60 });
    expect(part!.mean).toBeCloseTo((12 * 25 + (count - 12) * 15) / count, 6);
    // Twelve hours of a line that starts half an hour later and ends half an hour earlier than the stretch.
    expect(part!.inRange).toBeCloseTo(12 / (count - 1), 6);
  });

  it('leave out time without measurements', () => {
    const from = at('2026-05-01T00:00+02:00');
    const parts = dayParts(hourly(from, 24, 25, 15), [], [from, from + 24 * HOUR, from + 48 * HOUR], isDay);
    expect(parts[0]).toMatchObject({ inRange: null, day: 25 });
    expect(parts[1]).toMatchObject({ inRange: null, mean: null, day: null, night: null, min: null, count: 0 });
  });

  it('leave out means that cover both day and night', () => {
    const line = { ...hourly(0, 1, 20, 20), stepMs: 24 * HOUR };
    expect(dayParts(line, [], [0, 24 * HOUR], isDay)[0]).toMatchObject({ mean: 20, day: null, night: null });
  });
});

it('counts hours across midnight', () => {
  const isDay = byHours({ from: '18:00', to: '12:00' }, 'UTC');
  const isDayAt = (hour: number) => isDay(Date.UTC(2026, 0, 1, hour));
  expect([0, 11, 12, 17, 18, 23].map(isDayAt)).toEqual([true, true, false, false, true, true]);
});
