import fc from 'fast-check';
import { cellToLatLng, latLngToCell } from 'h3-js';
import { expect, it } from 'vitest';
import { daysAndNights, dayTimes } from './day-times.ts';

const HOUR = 3_600_000;
const ZONES = [
  'Europe/Copenhagen',
  'America/Sao_Paulo',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
];
const cell = (resolution: number) => BigInt(`0x${latLngToCell(55.7, 12.6, resolution)}`).toString();

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);

it('days and nights follow each other without gaps, and are what each moment is, in every zone', () => {
  fc.assert(
    fc.property(
      ...([fc.constantFrom(...ZONES), clock, clock] as const),
      fc.integer({ min: 0, max: 20 * 365 * 24 }).map((hours) => Date.UTC(2006, 0) + hours * HOUR + 12_345),
      fc.integer({ min: 1, max: 400 * HOUR }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
      (zone, from, to, start, length, places) => {
        fc.pre(from !== to);
        const day = dayTimes({ from, to }, null, zone, null);
        const parts = daysAndNights(day, { from: start, to: start + length });
        expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([start, start + length]);
        for (const [index, part] of parts.entries()) {
          expect(part.from).toBeLessThan(part.to);
          expect(part.from).toBe(index === 0 ? start : parts[index - 1]!.to);
          if (index > 0) expect([day.isDay(part.from - 1), day.isDay(part.from)]).toEqual([!part.isDay, part.isDay]);
        }
        for (const place of places) {
          const at = Math.floor(start + place * (length - 1));
          expect(parts.find((part) => at >= part.from && at < part.to)?.isDay).toBe(day.isDay(at));
        }
      },
    ),
    { numRuns: 150 },
  );
});

it('day is from sunrise to sunset if the location is known, without own hours', () => {
  const day = dayTimes(undefined, cell(7), 'UTC', cellToLatLng);
  expect(day.by).toBe('sun');
  const from = Date.parse('2026-03-20T00:00:00Z');
  const parts = daysAndNights(day, { from, to: from + 24 * HOUR });
  expect(parts.map(({ isDay }) => isDay)).toEqual([false, true, false]);
  // Sunrise in Copenhagen on that day is at 05:13 UTC, sunset at 17:22.
  expect(Math.abs(parts[1]!.from - Date.parse('2026-03-20T05:13:00Z'))).toBeLessThan(3 * 60_000);
  expect(Math.abs(parts[1]!.to - Date.parse('2026-03-20T17:22:00Z'))).toBeLessThan(3 * 60_000);
  expect(dayTimes(undefined, cell(2), 'UTC', cellToLatLng).by).toBe('usual');
  expect(dayTimes(undefined, cell(7), 'UTC', null).by).toBe('usual');
  expect(dayTimes({ from: '07:00', to: '19:00' }, cell(7), 'UTC', cellToLatLng).by).toBe('own');
});

it('an empty stretch has no days', () => {
  expect(daysAndNights(dayTimes(undefined, null, 'UTC', null), { from: 5, to: 5 })).toEqual([]);
});
