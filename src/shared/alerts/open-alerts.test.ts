import { expect, it } from 'vitest';
import type { Alert } from './alert.ts';
import { levelOf, openAlerts, settledAlerts } from './open-alerts.ts';

const alert = (state: Alert['state'], severity: Alert['severity'] = 'warning', device = 'a') =>
  ({ state, severity, device }) as Alert;
const ALL = [alert('pending'), alert('firing'), alert('acknowledged'), alert('snoozed')];

it('an open alert fires, and is neither acknowledged nor snoozed', () => {
  expect(openAlerts(ALL)).toEqual([ALL[1]]);
  expect(settledAlerts(ALL)).toEqual([ALL[2], ALL[3]]);
});

it('a device has the state of its worst alert, and open alerts count before others', () => {
  expect(levelOf([alert('pending')], 'a')).toBeNull();
  expect(levelOf(ALL, 'b')).toBeNull();
  expect(levelOf([alert('firing'), alert('firing', 'critical')], 'a')).toEqual({ severity: 'critical', isOpen: true });
  expect(levelOf([alert('firing'), alert('snoozed', 'critical')], 'a')).toEqual({ severity: 'warning', isOpen: true });
  expect(levelOf([alert('acknowledged', 'critical')], 'a')).toEqual({ severity: 'critical', isOpen: false });
});
