import { pino } from 'pino';
import { expect, it, test } from 'vitest';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap, StoreFault } from '../../common/node-events.ts';
import { leastFree } from '../../common/room.ts';
import { locationsIn } from '../../store/locations.ts';
import { StorageState } from './storage.ts';

it('warns below a tenth of a small disk, and below two gigabytes of a large one', () => {
  expect(leastFree(10e9)).toBe(1e9);
  expect(leastFree(1000e9)).toBe(2e9);
});

test('the time of the first refusal stays until the store accepts writes again', async () => {
  const events = new EventBus<NodeEventMap>(pino({ enabled: false }));
  const state = new StorageState(events, SYSTEM_CLOCK);
  const locations = { ...locationsIn('/tmp'), public: null };
  const refuse = (code: StoreFault) =>
    events.emit('storeState', () => ({ store: 'private', refusal: { code, message: code } }));
  expect((await state.read(locations)).stores).toEqual([{ store: 'private', refusing: null }]);
  refuse('busy');
  const { since, cause } = (await state.read(locations)).stores[0]!.refusing!;
  expect(cause).toBe('held');
  refuse('full');
  expect((await state.read(locations)).stores[0]!.refusing).toEqual({ since, cause: 'full', message: 'full' });
  events.emit('storeState', () => ({ store: 'private', refusal: null }));
  expect((await state.read(locations)).stores[0]!.refusing).toBeNull();
  state.close();
});
