import { latLngToCell } from 'h3-js';
import { expect, it } from 'vitest';
import type { DayHours } from '../../../shared/owner-data/day-parts.ts';
import type { KnownDevice } from '../../store/stores-view.ts';
import { DeviceDays } from './device-days.ts';

const cell = (latitude: number, longitude: number) => BigInt(`0x${latLngToCell(latitude, longitude, 7)}`);
const locations: Readonly<Record<string, bigint | null>> = {
  copenhagen: cell(55.7, 12.6),
  auckland: cell(-36.8, 174.8),
  unknown: null,
};
const device = (id: string) => ({ id, entries: [{ device: { location: locations[id] } }] }) as unknown as KnownDevice;

it('each device has the day of its own place or its own hours, also after these change', async () => {
  const hours: Record<string, DayHours> = {};
  const days = new DeviceDays({ find: device }, (id) => hours[id]);
  const noon = Date.parse('2026-03-20T12:00:00Z');
  const at = () => Object.keys(locations).map((id) => days.of(id, 'UTC').isDay(noon));
  // Before the places can be read, the usual hours count.
  expect(at()).toEqual([true, true, true]);
  await days.prepare();
  expect(at()).toEqual([true, false, true]);
  hours.copenhagen = { from: '13:00', to: '20:00' };
  expect(at()).toEqual([false, false, true]);
  delete hours.copenhagen;
  expect(at()).toEqual([true, false, true]);
  // 12:00 UTC is 1:00 in Auckland, where the usual hours count.
  expect(days.of('unknown', 'Pacific/Auckland').isDay(noon)).toBe(false);
});

it('the times of a day are made once, and again for another zone or other hours', async () => {
  const hours: Record<string, DayHours> = {};
  const days = new DeviceDays({ find: (id) => (id === 'gone' ? null : device(id)) }, (id) => hours[id]);
  await days.prepare();
  const first = days.of('copenhagen', 'UTC');
  expect(days.of('copenhagen', 'UTC')).toBe(first);
  expect(days.of('copenhagen', 'Europe/Copenhagen')).not.toBe(first);
  expect(days.of('gone', 'UTC')).toBe(days.of('unknown', 'UTC'));
  hours.copenhagen = { from: '13:00', to: '20:00' };
  expect(days.of('copenhagen', 'UTC')).not.toBe(first);
  await days.prepare();
  delete hours.copenhagen;
  expect(days.of('copenhagen', 'UTC')).toBe(first);
});
