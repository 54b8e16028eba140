import { expect, it } from 'vitest';
import { isSunUp, type Place, sunHeight } from './sun.ts';

const MINUTE = 60_000;
const LONDON = { latitude: 51.5074, longitude: -0.1278 };
const SAO_PAULO = { latitude: -23.5505, longitude: -46.6333 };

/** Returns the times of sunrise and sunset within a day after a time. */
function changes(from: number, place: Place): string[] {
  const minutes = Array.from({ length: 1440 }, (_, index) => from + index * MINUTE);
  const found = minutes.filter((at) => isSunUp(at, place) !== isSunUp(at - MINUTE, place));
  return found.map((at) => new Date(at).toISOString().slice(11, 16));
}
const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

it.each([
  ['London in June', LONDON, Date.UTC(2024, 5, 20), ['03:43', '20:21']],
  ['London in December', LONDON, Date.UTC(2024, 11, 21), ['08:04', '15:53']],
  ['São Paulo in December', SAO_PAULO, Date.UTC(2024, 11, 21), ['08:17', '21:52']],
] as const)('knows when the sun rises and sets: %s', (_, place, from, expected) => {
  const found = changes(from, place);
  expect(found).toHaveLength(2);
  for (const [index, time] of expected.entries()) {
    expect(Math.abs(minutesOf(found[index]!) - minutesOf(time))).toBeLessThanOrEqual(2);
  }
});

it('has days without night and without day beyond the polar circles', () => {
  const tromso = { latitude: 69.65, longitude: 18.96 };
  expect(changes(Date.UTC(2024, 5, 20), tromso)).toEqual([]);
  expect(isSunUp(Date.UTC(2024, 5, 20), tromso)).toBe(true);
  expect(changes(Date.UTC(2024, 11, 20), tromso)).toEqual([]);
  expect(isSunUp(Date.UTC(2024, 11, 20, 11), tromso)).toBe(false);
});

it('has the sun nearly overhead at noon on the equator at an equinox', () => {
  expect(sunHeight(Date.UTC(2024, 2, 20, 12, 7), { latitude: 0, longitude: 0 })).toBeGreaterThan(89);
});
