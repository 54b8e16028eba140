import { expect, it } from 'vitest';
import { fieldScale } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import { dayTimes } from '../../../shared/owner-data/day-times.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { stageShares } from './stage-shares.ts';

const HOUR = 3_600_000;
const ZONE = 'Europe/Copenhagen';
const DEVICE = 'aa'.repeat(32);
const cycle: Cycle = {
  ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', crop: 'Tomato', variety: '', zone: ZONE },
  ...{ place: { kind: 'device', device: DEVICE }, plants: null, areaM2: null, plantedAt: '2026-03-29', endedAt: null },
  stages: [
    {
      ...{ name: 'Seedling', from: '2026-03-29' },
      ranges: [{ field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 21 } }],
    },
    { name: 'Fruiting', from: '2026-03-30', ranges: [{ field: 'tempAmbient', low: 24, high: 26 }] },
  ],
};

it('counts time in range with the range of each hour, on a day on which clocks change', () => {
  // Midnight in Copenhagen. This day has 23 hours: a night of five until 6 o'clock, and one of four from 20 o'clock.
  const from = Date.parse('2026-03-28T23:00:00Z');
  const times = Array.from({ length: 48 }, (_, index) => from + index * HOUR);
  const mean = times.map(() => 25);
  const data = {
    ...{ times, mean, min: mean, max: mean, count: mean.map(() => 1), stepMs: null },
    ...{ sealed: [], openings: { opened: 0, failed: {} } },
  };
  const device = { id: DEVICE, location: null, notes: NO_NOTES } as unknown as DeviceSummary;
  const scale = fieldScale('tempAmbient', undefined);
  const days = (_: unknown, zone = ZONE) => dayTimes({ from: '06:00', to: '20:00' }, null, zone, null);
  const shares = stageShares(cycle, [{ device, field: 'tempAmbient', scale, data }], from + 47 * HOUR, days);
  expect(shares[0]!.shares.get('tempAmbient')).toBeCloseTo(14 / 23, 9);
  expect(shares[1]!.shares.get('tempAmbient')).toBe(1);
});
