import { expect, it } from 'vitest';
import type { Alert } from '../alerts/alert.ts';
import { NO_NOTES } from '../owner-data/notes.ts';
import { wellnessOf } from './wellness.ts';

const NOW = 1_000_000;
const device = { id: 'a', mine: true, clockNotSet: false, lastReceivedAt: NOW, silentAfterMs: 1000, notes: NO_NOTES };
const silent = { ...device, lastReceivedAt: NOW - 5000 };
const alert = (more: Partial<Alert> = {}) =>
  ({ kind: 'range', state: 'firing', severity: 'warning', device: 'a', ...more }) as Alert;

it('is well only if a rule watches the device, it sends readings, and nothing fires', () => {
  expect(wellnessOf(device, [], true, NOW)).toBe('well');
  expect(wellnessOf(device, [alert({ device: 'b' })], true, NOW)).toBe('well');
  expect(wellnessOf(device, [], false, NOW)).toBe('unwatched');
  expect(wellnessOf({ ...device, lastReceivedAt: null }, [], true, NOW)).toBe('waiting');
});

it('needs its owner because of an alert, silence or an unset clock, until the owner acknowledged it', () => {
  expect(wellnessOf(device, [alert()], true, NOW)).toBe('needsYou');
  expect(wellnessOf(silent, [], true, NOW)).toBe('needsYou');
  expect(wellnessOf({ ...device, clockNotSet: true }, [], false, NOW)).toBe('needsYou');
  expect(wellnessOf(device, [alert({ state: 'acknowledged' })], true, NOW)).toBe('known');
  expect(wellnessOf(silent, [alert({ kind: 'silent', state: 'snoozed' })], true, NOW)).toBe('known');
  // There are two faults, and only one is acknowledged.
  expect(wellnessOf(silent, [alert({ state: 'acknowledged' })], true, NOW)).toBe('needsYou');
});

it('expects nothing of an inactive, lost or foreign device', () => {
  expect(wellnessOf({ ...silent, notes: { ...NO_NOTES, status: 1 } }, [alert()], true, NOW)).toBe('off');
  expect(wellnessOf({ ...silent, mine: false }, [], false, NOW)).toBe('foreign');
});
