import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays, dayOf, daysBetween, isZone, startOfDay } from './days.ts';

it.each<[string, string, string]>([
  // Clocks go forward at 02:00, and back at 03:00.
  ['Europe/Copenhagen', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Europe/Copenhagen', '2026-03-30', '2026-03-29T22:00:00Z'],
  ['Europe/Copenhagen', '2026-10-26', '2026-10-25T23:00:00Z'],
  // Clocks went forward at midnight, so the day started at 01:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z'],
  // Clocks went back at midnight: the last hour of the previous day came twice.
  ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z'],
  // Midnight came twice.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
  ['Pacific/Kiritimati', '2026-05-01', '2026-04-30T10:00:00Z'],
  ['Pacific/Pago_Pago', '2026-05-01', '2026-05-01T11:00:00Z'],
])('in %s, %s begins at %s', (zone, day, at) => {
  expect(new Date(startOfDay(day, zone)).toISOString()).toBe(at.replace('Z', '.000Z'));
});

it('returns the first millisecond of a day, in any zone', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
  const days = fc.integer({ min: 0, max: 40 * 365 }).map((count) => addDays('1995-01-01', count));
  fc.assert(
    fc.property(zones, days, (zone, day) => {
      const start = startOfDay(day, zone);
      return dayOf(start, zone) === day && dayOf(start - 1, zone) === addDays(day, -1);
    }),
    { numRuns: 200 },
  );
});

it('counts calendar days of any length', () => {
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(daysBetween('2026-03-28', '2026-04-11')).toBe(14);
  expect([isZone('Europe/Lisbon'), isZone('Mars/Base')]).toEqual([true, false]);
});
