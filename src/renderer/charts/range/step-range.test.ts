import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { View } from '../view.ts';
import { CALENDAR_RANGES } from './calendar-ranges.ts';
import { type ChartRange, type Preset, resolveRange } from './chart-range.ts';
import { stepped } from './step-range.ts';

const before = process.env.TZ;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

const HOUR = 3_600_000;
const preset = (name: Preset): ChartRange => ({ kind: 'preset', preset: name });
const viewOf = (range: ChartRange, now: number): View => resolveRange(range, now, null, 1).view;
const step = (range: ChartRange, direction: -1 | 1, now: number) =>
  stepped(range, viewOf(range, now), direction, now, 1);

function local(text: string): number {
  return new Date(text).getTime();
}

function whole(from: string, to: string): ChartRange {
  return { kind: 'custom', from: local(from), to: local(to) };
}

describe('the range before', () => {
  it('follows the calendar if the range does', () => {
    process.env.TZ = 'Europe/Berlin';
    // It is Monday, so this week is a few hours old.
    const now = local('2026-11-23T16:12:00');
    expect(step(preset('thisWeek'), -1, now)).toEqual(preset('lastWeek'));
    expect(step(preset('lastWeek'), -1, now)).toEqual(whole('2026-11-09T00:00:00', '2026-11-15T23:59:59.999'));
    expect(step(preset('today'), -1, now)).toEqual(preset('yesterday'));
    expect(step(preset('yesterday'), -1, now)).toEqual(whole('2026-11-21T00:00:00', '2026-11-21T23:59:59.999'));
    expect(step(preset('thisMonth'), -1, now)).toEqual(preset('lastMonth'));
    expect(step(preset('lastMonth'), -1, now)).toEqual(whole('2026-09-01T00:00:00', '2026-09-30T23:59:59.999'));
    expect(step(preset('lastNight'), -1, now)).toEqual(whole('2026-11-21T20:00:00', '2026-11-22T07:59:59.999'));
  });

  it('has the same width, and ends at the beginning of the other', () => {
    const now = Date.UTC(2026, 10, 23, 12);
    const { from } = viewOf(preset('24h'), now);
    expect(step(preset('24h'), -1, now)).toEqual({ kind: 'custom', from: from - 24 * HOUR, to: from });
    expect(stepped(preset('24h'), { from: 0, to: 24 * HOUR }, -1, now, 1)).toMatchObject({ from: 0, to: 24 * HOUR });
  });

  it('of a day on which clocks change has its 23 or 25 hours', () => {
    process.env.TZ = 'Europe/Berlin';
    const range = step(whole('2026-10-26T00:00:00', '2026-10-26T23:59:59.999'), -1, local('2026-11-23T16:00:00'));
    expect(range).toEqual(whole('2026-10-25T00:00:00', '2026-10-25T23:59:59.999'));
    expect(range?.kind === 'custom' && range.to + 1 - range.from).toBe(25 * HOUR);
  });
});

it('there is no range after the present one', () => {
  const now = Date.UTC(2026, 10, 23, 12);
  for (const name of ['today', 'thisWeek', 'thisMonth', '24h', '7d'] as const) {
    expect(step(preset(name), 1, now), name).toBeNull();
  }
});

it.each(['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Australia/Lord_Howe'])(
  'a step back and one forward return to the same range, in %s',
  (zone) => {
    process.env.TZ = zone;
    const times = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2036, 0, 1) });
    const names = fc.constantFrom<Preset>(...CALENDAR_RANGES, '1h', '24h', '7d');
    fc.assert(
      fc.property(times, names, fc.integer({ min: 1, max: 12 }), (now, name, steps) => {
        let range = preset(name);
        for (let count = 0; count < steps; count += 1) {
          const earlier = step(range, -1, now)!;
          // No time between them is left out or counted twice.
          const gap = viewOf(range, now).from - viewOf(earlier, now).to;
          if (name !== 'lastNight') expect(gap).toBeLessThanOrEqual(1);
          expect(gap).toBeGreaterThanOrEqual(0);
          range = earlier;
        }
        for (let count = 0; count < steps; count += 1) range = step(range, 1, now)!;
        expect(range).toEqual(preset(name));
      }),
    );
  },
);
