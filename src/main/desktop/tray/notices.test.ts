import { expect, it } from 'vitest';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { NoticeWatch } from './notices.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;

function device(id: string, over: Partial<DeviceSummary> = {}): DeviceSummary {
  const notes = NO_NOTES;
  const parts = { id, name: `device ${id}`, mine: true, notes, lastReceivedAt: NOW, silentAfterMs: 5 * MINUTE };
  return { ...parts, ...over } as DeviceSummary;
}

const view = (now: number, devices: DeviceSummary[], knocking: [string, 'ours' | 'strangers'][] = []) =>
  ({
    now,
    devices,
    unregistered: knocking.map(([id, whose]) => ({ id, isOurs: whose === 'ours' })),
  }) as unknown as Overview;

it('reports a silent device once, and again after it sent something', () => {
  const watch = new NoticeWatch();
  expect(watch.look(view(NOW, [device('a')]))).toEqual([]);
  expect(watch.look(view(NOW + 6 * MINUTE, [device('a')]))).toEqual([
    { kind: 'silent', device: 'a', name: 'device a', since: NOW },
  ]);
  expect(watch.look(view(NOW + 7 * MINUTE, [device('a')]))).toEqual([]);
  expect(watch.look(view(NOW + 8 * MINUTE, [device('a', { lastReceivedAt: NOW + 8 * MINUTE })]))).toEqual([]);
  expect(watch.look(view(NOW + 20 * MINUTE, [device('a', { lastReceivedAt: NOW + 8 * MINUTE })]))).toHaveLength(1);
});

it('reports nothing at a start that was silent or knocking before', () => {
  const watch = new NoticeWatch();
  const before = view(NOW + 6 * MINUTE, [device('a')], [['b', 'ours']]);
  expect(watch.look(before)).toEqual([]);
  expect(watch.look(before)).toEqual([]);
});

it('ignores strangers, lost and inactive devices, and devices without readings', () => {
  const watch = new NoticeWatch();
  const { notes } = device('x');
  const devices = [
    device('a', { mine: false }),
    device('b', { notes: { ...notes, status: 1 } }),
    device('c', { notes: { ...notes, status: 2 } }),
    device('d', { lastReceivedAt: null }),
  ];
  watch.look(view(NOW, devices));
  expect(watch.look(view(NOW + 60 * MINUTE, devices))).toEqual([]);
});

it('reports each knocking device once, except strangers at the public endpoint', () => {
  const watch = new NoticeWatch();
  watch.look(view(NOW, []));
  expect(
    watch.look(
      view(
        NOW,
        [],
        [
          ['a', 'ours'],
          ['b', 'strangers'],
        ],
      ),
    ),
  ).toEqual([{ kind: 'knocking', device: 'a' }]);
  expect(watch.look(view(NOW, [], []))).toEqual([]);
  expect(watch.look(view(NOW, [], [['a', 'ours']]))).toEqual([]);
});

it('reports a failing store once an hour', () => {
  const watch = new NoticeWatch();
  expect(watch.storeFailed(NOW)).toEqual([{ kind: 'store' }]);
  expect(watch.storeFailed(NOW + 59 * MINUTE)).toEqual([]);
  expect(watch.storeFailed(NOW + 61 * MINUTE)).toEqual([{ kind: 'store' }]);
});
