import { describe, expect, it } from 'vitest';
import { createNumberTicks, createTimeTicks } from './ticks.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
// Returns a local time, so that the test works in every time zone.
const at = (month: number, day: number, hour = 0, minute = 0) => new Date(2026, month - 1, day, hour, minute).getTime();

describe('createTimeTicks', () => {
  const ticks = createTimeTicks('en-GB');

  it('names the day at its beginning', () => {
    expect(ticks([at(11, 20, 18), at(11, 21, 0), at(11, 21, 6)], 6 * HOUR)).toEqual([
      '18:00\n20 Nov',
      '00:00\n21 Nov',
      '06:00',
    ]);
  });

  it('names the year at its beginning', () => {
    expect(ticks([at(12, 1), at(13, 1), at(14, 1)], 30 * DAY)).toEqual(['Dec\n2026', 'Jan\n2027', 'Feb']);
    expect(ticks([at(11, 20), at(11, 22)], 2 * DAY)).toEqual(['20 Nov\n2026', '22 Nov']);
    expect(ticks([at(1, 1)], 366 * DAY)).toEqual(['2026']);
  });

  it('shows seconds if they differ, in the chosen language', () => {
    expect(ticks([at(11, 20, 18), at(11, 20, 18)], 15_000)).toEqual(['18:00:00\n20 Nov', '18:00:00']);
    expect(createTimeTicks('es')([at(11, 20)], DAY)).toEqual(['20 nov\n2026']);
  });
});

it('shows enough decimals to distinguish two ticks', () => {
  expect(createNumberTicks('en')([5.8, 6, 6.2], 0.2)).toEqual(['5.8', '6.0', '6.2']);
  expect(createNumberTicks('en')([6, 6.25], 0.25)).toEqual(['6.00', '6.25']);
  expect(createNumberTicks('es')([0, 0.005], 0.005)).toEqual(['0,000', '0,005']);
  expect(createNumberTicks('en')([1000, 1500], 500)).toEqual(['1,000', '1,500']);
  expect(createNumberTicks('en')([0, 2e12], 2e12)).toEqual(['0E0', '2E12']);
});
