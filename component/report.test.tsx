import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Alert } from '../src/shared/alerts/alert.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const HOUR_MS = 3_600_000;

test('a report has every ended alert of its range, from all pages', async () => {
  const roof = new FakeDevice({ name: 'Roof', sent: readings({ count: 60 }) });
  const alert = (number: number): Alert => {
    const at = Date.now() - HOUR_MS - number * 60_000;
    return {
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      ...{ rule: crypto.randomUUID(), kind: 'range', name: 'pH', device: roof.id, field: 'ph', store: null },
      ...{ severity: 'warning', state: 'firing', since: at, firedAt: at, snoozedUntil: null, side: 'low' },
      ...{ value: 5.1, extreme: 5, limit: 5.5, endedAt: at + 1000, ended: 'back' },
    };
  };
  const ended = Array.from({ length: 5 }, (_, number) => alert(number + 1));
  await openPage(`#/report/device/${roof.id}`, {
    devices: [roof],
    answers: {
      alerts: () => ({ now: Date.now(), alerts: [] }),
      // A node with pages of two.
      alertHistory: ({ before }) => {
        const start = ended.findIndex(({ id }) => id === before) + 1;
        return { alerts: ended.slice(start, start + 2), hasMore: ended.length > start + 2 };
      },
    },
  });
  await expect.poll(() => page.getByRole('row', { name: /pH.*below|pH of/ }).all().length).toBe(ended.length);
});
