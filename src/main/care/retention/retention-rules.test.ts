import { expect, it } from 'vitest';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { RegisteredDevice } from '../../store/port.ts';
import type { KnownDevice } from '../../store/stores-view.ts';
import { toDelete } from './retention-rules.ts';

const NOW = 1_790_000_000_000;
const DAY_MS = 86_400_000;
const days = (count: number) => ({ count, unit: 'days' }) as const;

function known(id: string, stores: readonly StoreName[], mine: boolean | null = null): KnownDevice {
  const device = { id } as RegisteredDevice;
  const entries = stores.map((store) => ({ store, device }));
  return { id, entries, notes: { ...NO_NOTES, mine }, corrections: [] };
}

it('keeps readings as long as the rule of their store, owner and device says', () => {
  const [own, both, claimed, stranger] = ['1', '2', '3', '4'].map((digit) => digit.repeat(64)) as [
    string,
    string,
    string,
    string,
  ];
  const all = [
    known(own, ['private']),
    known(both, ['private', 'public']),
    known(claimed, ['public'], true),
    known(stranger, ['public'], false),
  ];
  const rules = { private: days(30), public: days(20), strangers: days(10), devices: [] };
  const kept = (found: ReturnType<typeof toDelete>) =>
    found.map(({ store, id, before }) => [store, id[0], (NOW - before) / DAY_MS]);
  expect(kept(toDelete(rules, all, NOW))).toEqual([
    ['private', '1', 30],
    ['private', '2', 30],
    ['public', '2', 20],
    ['public', '3', 20],
    ['public', '4', 10],
  ]);
  const devices = [
    { id: both, kept: null },
    { id: stranger, kept: days(5) },
  ];
  expect(kept(toDelete({ ...rules, private: null, devices }, all, NOW))).toEqual([
    ['public', '3', 20],
    ['public', '4', 5],
  ]);
});
