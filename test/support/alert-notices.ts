import { randomUUID } from 'node:crypto';
import type { Notice, NoticeFacts } from '../../src/main/alerts/channels/notice.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';

/** A device's id. */
export const DEVICE = 'ab'.repeat(32);
export const AT = Date.UTC(2026, 10, 22, 9, 30);

/** Returns a firing alert: pH below its range. */
export function someAlert(change: Partial<Alert> = {}): Alert {
  return {
    id: randomUUID(),
    rule: randomUUID(),
    kind: 'range',
    name: 'Lettuce',
    ...{ device: DEVICE, field: 'ph', store: null, severity: 'warning', state: 'firing' },
    ...{ since: AT - 600_000, firedAt: AT, snoozedUntil: null },
    ...{ side: 'low', value: 4.8, extreme: 4.7, limit: 5.5, endedAt: null, ended: null },
    ...change,
  };
}

/** Returns the facts of a message. */
export function someFacts(change: Partial<NoticeFacts> = {}): NoticeFacts {
  const alert = change.alert === undefined ? someAlert() : change.alert;
  return {
    ...{ id: randomUUID(), kind: 'fired', at: AT, severity: alert?.severity ?? 'warning', alert, held: null },
    device: { id: DEVICE, name: 'Tank 1 “north” ñ🌱', unit: null },
    ...change,
  };
}

/** Returns a message in words. */
export function someNotice(change: Partial<Notice> = {}): Notice {
  const { device, ...facts } = someFacts();
  return {
    ...facts,
    device: device && { id: device.id, name: device.name },
    numbers: { value: 4.8, limit: 5.5, extreme: 4.7, unit: '' },
    title: 'Tank 1 “north” ñ🌱: pH too low',
    text: '4.8, below 5.5 since 09:20.',
    ...{ html: null, digest: null },
    language: 'en',
    link: 'https://well.example/#/alerts/1',
    ...change,
  };
}
