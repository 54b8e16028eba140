import { pino } from 'pino';
import { expect, it, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { leastFree } from '../../common/room.ts';
import { causeOf, StorageState } from './storage.ts';

it.each([
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY_DBMOVED', 'read_only'],
  ['SQLITE_BUSY_SNAPSHOT', 'held'],
  ['SQLITE_CORRUPT', 'damaged'],
  ['STORE_FULL', 'limit'],
  ['DISK_RESERVED', 'reserved'],
  ['WRITER_LOST', 'other'],
] as const)('%s is told as %s', (code, cause) => {
  expect(causeOf({ code })).toBe(cause);
});

it('warns below a tenth of a small disk, and below two gigabytes of a large one', () => {
  expect(leastFree(10e9)).toBe(1e9);
  expect(leastFree(1000e9)).toBe(2e9);
});

test('the time of the first refusal stays until the store takes writes again', async () => {
  const events = new EventBus<NodeEventMap>(pino({ enabled: false }));
  const state = new StorageState(events, SYSTEM_CLOCK);
  const paths = { private: '/tmp/private.db', public: null };
  const refuse = (code: string) =>
    events.emit('storeState', () => ({ store: 'private', refusal: { code, message: code } }));
  expect((await state.read(paths)).stores).toEqual([{ store: 'private', refusing: null }]);
  refuse('SQLITE_BUSY');
  const { since } = (await state.read(paths)).stores[0]!.refusing!;
  refuse('SQLITE_FULL');
  expect((await state.read(paths)).stores[0]!.refusing).toEqual({ since, cause: 'full', message: 'SQLITE_FULL' });
  events.emit('storeState', () => ({ store: 'private', refusal: null }));
  expect((await state.read(paths)).stores[0]!.refusing).toBeNull();
  state.close();
});
