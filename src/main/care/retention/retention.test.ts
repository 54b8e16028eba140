import { pino } from 'pino';
import { expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import { NO_RETENTION } from '../../../shared/owner-api/retention.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import { StoreWriters } from '../../store/engines.ts';
import { Retention } from './retention.ts';

const DAY_MS = 86_400_000;
const NOW = 1_790_000_000_000;

it('deletes nothing until the clock is known to be right', async () => {
  const log = pino({ level: 'silent' });
  const stores = new OwnerStoresForTest();
  const { id } = stores.register({}, ['private']);
  const readings = Array.from({ length: 700 }, (_, index) => {
    const at = NOW - 30 * DAY_MS + index * 60_000;
    return { seq: BigInt(index), timestamp: BigInt(at), receivedAt: at, fields: [6] };
  });
  stores.append('private', id, readings);
  stores.sumUp('private');
  const writers = new StoreWriters({ log, ingesting: null });
  const bounds = { maxDevices: 10, maxBytes: 1e12, minFreeBytes: 0, minFreePart: 1 };
  const store = await writers.open('private', stores.paths.private, { durability: 'full', bounds });
  const events = new EventBus<NodeEventMap>(log);
  const clock = { now: () => NOW, isSteady: false };
  const locations = () => stores.paths;
  const retention = new Retention({ store: () => store, locations, clock, events, log });
  const kept = async () => (await stores.ask('device', { id })).readings[0]?.count;
  try {
    retention.start();
    await store.setChoice('retention', { ...NO_RETENTION, private: { count: 1, unit: 'days' } }, NOW);
    events.emit('clockChanged', () => ({}));
    expect(retention.state.deleting).toBeNull();
    expect(await kept()).toBe(700);
    clock.isSteady = true;
    events.emit('clockChanged', () => ({}));
    await expect.poll(() => retention.state.lastDeletion?.readings, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await kept()).toBe(700 - retention.state.lastDeletion!.readings);
  } finally {
    await retention.stop();
    await store.close();
    await writers.close();
    await stores.dispose();
  }
});
