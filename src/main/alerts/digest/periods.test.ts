import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/thorough.ts';
import { dueAt, dueNow, periodAt } from './periods.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);
const DAILY = { weekday: null, time: '07:00', zone: 'Europe/Berlin' };
const iso = (ms: number) => new Date(ms).toISOString();

describe('the time of a summary', () => {
  it('is the local time of the zone, in summer and winter', () => {
    expect(iso(dueAt('2026-01-10', DAILY))).toBe('2026-01-10T06:00:00.000Z');
    expect(iso(dueAt('2026-07-10', DAILY))).toBe('2026-07-10T05:00:00.000Z');
    expect(iso(dueAt('2026-07-10', { time: '00:00', zone: 'Asia/Kathmandu' }))).toBe('2026-07-09T18:15:00.000Z');
  });

  it('is once on a day in which clocks change: after a skipped hour, and at the first of two equal ones', () => {
    const half = { time: '02:30', zone: 'Europe/Berlin' };
    expect(iso(dueAt('2026-03-29', half))).toBe('2026-03-29T01:00:00.000Z');
    expect(iso(dueAt('2026-10-25', half))).toBe('2026-10-25T00:30:00.000Z');
    // On this day clocks skip midnight.
    expect(iso(dueAt('2018-11-04', { time: '00:00', zone: 'America/Sao_Paulo' }))).toBe('2018-11-04T03:00:00.000Z');
  });

  it('covers the previous day or week, also across a new year and a day of 25 hours', () => {
    const daily = periodAt(DAILY, at('2027-01-01T08:00:00Z'));
    expect([daily.day, iso(daily.from), iso(daily.to)]).toEqual([
      '2027-01-01',
      '2026-12-31T06:00:00.000Z',
      '2027-01-01T06:00:00.000Z',
    ]);
    expect(periodAt(DAILY, at('2027-01-01T05:59:59Z')).day).toBe('2026-12-31');
    const long = periodAt(DAILY, at('2026-10-25T06:00:00Z'));
    expect((long.to - long.from) / HOUR).toBe(25);
    // 2027-01-03 is a Sunday.
    const weekly = periodAt({ ...DAILY, weekday: 7 }, at('2027-01-06T12:00:00Z'));
    expect([weekly.day, iso(weekly.from)]).toEqual(['2027-01-03', '2026-12-27T06:00:00.000Z']);
  });
});

describe('the summary that is due', () => {
  it('is none for a time before the summary was turned on', () => {
    expect(dueNow(DAILY, null, at('2026-11-25T10:00:00Z'))).toEqual({ period: null, told: '2026-11-25' });
  });

  it('is sent late, but not by more than half its period, and only the newest of several', () => {
    const due = (now: string) => dueNow(DAILY, '2026-11-20', at(now));
    expect(due('2026-11-25T17:59:00Z').period?.day).toBe('2026-11-25');
    expect(due('2026-11-25T18:01:00Z')).toEqual({ period: null, told: '2026-11-25' });
    const weekly = dueNow({ ...DAILY, weekday: 1 }, '2026-11-09', at('2026-11-25T10:00:00Z'));
    expect(weekly.period?.day).toBe('2026-11-23');
  });

  it('is not repeated after the clock was set back, by minutes at midnight too', () => {
    expect(dueNow(DAILY, '2026-11-25', at('2026-11-25T05:58:00Z')).period).toBeNull();
    const midnight = { ...DAILY, time: '00:00' };
    expect(dueNow(midnight, '2026-11-25', at('2026-11-24T22:58:00Z'))).toEqual({ period: null, told: '2026-11-25' });
  });

  it('continues on the next day after a clock that was a year ahead', () => {
    const back = dueNow(DAILY, '2027-11-25', at('2026-11-25T10:00:00Z'));
    expect(back).toEqual({ period: null, told: '2026-11-25' });
    expect(dueNow(DAILY, back.told, at('2026-11-26T06:00:00Z')).period?.day).toBe('2026-11-26');
  });

  it('is once a day in any zone and with any steps of the clock', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    const time = fc.constantFrom('00:00', '02:30', '07:00', '23:59');
    fc.assert(
      fc.property(
        zone,
        time,
        fc.array(fc.integer({ min: -2 * HOUR, max: 5 * HOUR }), { minLength: 40, maxLength: 80 }),
        (tz, wall, steps) => {
          const when = { weekday: null, time: wall, zone: tz };
          let now = at('2026-10-23T12:00:00Z');
          let told: string | null = null;
          const days: string[] = [];
          for (const step of steps) {
            now += step;
            const found = dueNow(when, told, now);
            if (found.period !== null) {
              days.push(found.period.day);
              expect(now - found.period.to).toBeLessThanOrEqual(DAY);
            }
            told = found.told;
          }
          expect(new Set(days).size).toBe(days.length);
        },
      ),
      runs(20),
    );
  });
});
