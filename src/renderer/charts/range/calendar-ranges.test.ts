import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { CALENDAR_RANGES, calendarRange, daysBefore, firstWeekdayOf, unitAround } from './calendar-ranges.ts';

const before = process.env.TZ;
afterAll(() => {
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
});

/**
 * Until 2018, São Paulo changed the clocks at midnight. Lord Howe changes them by half an hour. Apia skipped 30
 * December 2011.
 */
const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'];
const HOUR = 3_600_000;
/** The end of the day that Apia skipped. */
const AFTER_SKIPPED = Date.UTC(2011, 11, 30, 10);
const times = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2036, 0, 1) });

function inZone<T>(zone: string, run: () => T): T {
  process.env.TZ = zone;
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  return run();
}
const local = (text: string) => new Date(text).getTime();
const texts = ({ from, to }: { from: number; to: number }) => [from, to].map((time) => new Date(time).toString());

describe('calendarRange', () => {
  it('knows the days, nights, weeks and months of a Friday', () => {
    inZone('Europe/Berlin', () => {
      const now = local('2026-11-20T15:30:00');
      const shown = (name: Parameters<typeof calendarRange>[0], week = 1) => calendarRange(name, now, week);
      expect(shown('today')).toEqual({ from: local('2026-11-20T00:00:00'), to: now });
      expect(shown('yesterday')).toEqual({
        from: local('2026-11-19T00:00:00'),
        to: local('2026-11-19T23:59:59.999'),
      });
      expect(shown('lastNight')).toEqual({ from: local('2026-11-19T20:00:00'), to: local('2026-11-20T07:59:59.999') });
      expect(shown('thisWeek').from).toBe(local('2026-11-16T00:00:00'));
      expect(shown('thisWeek', 7).from).toBe(local('2026-11-15T00:00:00'));
      expect(shown('thisMonth').from).toBe(local('2026-11-01T00:00:00'));
      expect(shown('lastMonth')).toEqual({ from: local('2026-10-01T00:00:00'), to: local('2026-10-31T23:59:59.999') });
    });
  });

  it('calls the present night the last one, from midnight to the next evening', () => {
    inZone('Europe/Berlin', () => {
      const from = local('2026-11-19T20:00:00');
      const early = local('2026-11-20T03:00:00');
      expect(calendarRange('lastNight', early, 1)).toEqual({ from, to: early });
      expect(calendarRange('lastNight', local('2026-11-20T23:00:00'), 1).from).toBe(from);
    });
  });

  it('has 23 or 25 hours in a day on which clocks change', () => {
    const lengthOf = (now: string) => {
      const { from, to } = calendarRange('yesterday', local(now), 1);
      return (to + 1 - from) / HOUR;
    };
    inZone('Europe/Berlin', () => {
      expect(lengthOf('2026-03-30T12:00:00')).toBe(23);
      expect(lengthOf('2026-10-26T12:00:00')).toBe(25);
    });
    // Midnight of 4 November 2018 did not exist there: the day began at one o'clock.
    inZone('America/Sao_Paulo', () => {
      expect(lengthOf('2018-11-05T12:00:00')).toBe(23);
      expect(texts(calendarRange('yesterday', local('2018-11-05T12:00:00'), 1))[0]).toContain('01:00:00');
    });
    // 30 December 2011 did not exist there.
    inZone('Pacific/Apia', () => expect(lengthOf('2011-12-31T12:00:00')).toBe(24));
    inZone('Australia/Lord_Howe', () => expect(lengthOf('2026-10-05T12:00:00')).toBe(23.5));
  });

  it.each(ZONES)('leaves no gap between two days or months, and ends in order, in %s', (zone) => {
    inZone(zone, () => {
      fc.assert(
        fc.property(times, fc.integer({ min: 1, max: 7 }), (now, week) => {
          const of = Object.fromEntries(CALENDAR_RANGES.map((name) => [name, calendarRange(name, now, week)]));
          expect(of.yesterday!.to + 1).toBe(of.today!.from);
          expect(of.lastMonth!.to + 1).toBe(of.thisMonth!.from);
          expect(calendarRange('today', of.yesterday!.to, week)).toEqual(of.yesterday);
          for (const { from, to } of Object.values(of)) expect(from).toBeLessThan(to);
          for (const name of ['today', 'thisWeek', 'thisMonth']) {
            expect(of[name]!.from).toBeLessThanOrEqual(now);
            expect(of[name]!.to).toBeGreaterThanOrEqual(now);
          }
          // A week that would begin on the skipped day begins on the next one.
          if (of.thisWeek!.from !== AFTER_SKIPPED) expect(new Date(of.thisWeek!.from).getDay()).toBe(week % 7);
          expect(of.today!.from - of.thisWeek!.from).toBeLessThan(7 * 24 * HOUR);
          expect(new Date(of.thisMonth!.from).getDate()).toBe(1);
          const night = unitAround('night', now, week);
          expect(night.from).toBeLessThan(night.to);
          expect(night.to).toBeGreaterThanOrEqual(now);
        }),
        {
          examples: [
            [AFTER_SKIPPED, 1],
            [AFTER_SKIPPED + 19 * HOUR, 5],
          ],
        },
      );
    });
  });
});

describe('daysBefore', () => {
  it('keeps the time of day over a change of the clocks', () => {
    inZone('Europe/Berlin', () => {
      expect(daysBefore(local('2026-10-26T06:00:00'), 1)).toBe(local('2026-10-25T06:00:00'));
      expect(daysBefore(local('2026-10-26T06:00:00'), 7)).toBe(local('2026-10-19T06:00:00'));
    });
  });
});

it('knows on which day a week begins', () => {
  expect(['en-US', 'en-GB', 'pt-BR', 'es', 'de'].map(firstWeekdayOf)).toEqual([7, 1, 7, 1, 1]);
});
