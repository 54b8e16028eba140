import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import type { TestReading } from '../../../../../test/support/readings.ts';
import type { StoreName } from '../../../../shared/protocol/codes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 488_888 * HOUR + 10 * MINUTE;

let stores: OwnerStoresForTest;
beforeEach(() => {
  stores = new OwnerStoresForTest();
});
afterEach(() => stores.dispose());

const fill = (store: StoreName, id: string, count: number, over?: (index: number) => Partial<TestReading>) =>
  stores.fill(store, id, { last: NOW, count, ...(over && { over }) });

const overview = (now = NOW) => stores.ask('overview', { dayStart: 0 }, { now });
const summaryOf = async (id: string, now = NOW) => (await overview(now)).devices.find((device) => device.id === id)!;

describe('timestamps in the future', () => {
  const YEAR = 365 * DAY;

  it('do not change the time of a device’s last reading', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 300);
    // The node's clock was a year ahead for some minutes, in an earlier boot.
    const ahead = (index: number) => ({ seq: BigInt(1000 + index), receivedAt: NOW + YEAR + index * MINUTE });
    fill('private', id, 60, ahead);
    for (const isSummed of [false, true]) {
      if (isSummed) stores.sumUp('private');
      stores.memory.summaries.forgotten(id);
      expect((await summaryOf(id)).lastReceivedAt, `summed up: ${isSummed}`).toBe(NOW + 50);
      const { span } = await stores.ask('device', { id }, { now: NOW });
      expect(span!.to).toBeLessThanOrEqual(NOW + DAY);
    }
  });

  it('leave only the registration if there are no others', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 5, (index) => ({ receivedAt: NOW + YEAR + index }));
    stores.memory.summaries.forgotten(id);
    expect((await summaryOf(id)).lastReceivedAt).toBe(1_700_000_000_000);
  });

  it('do not keep an old value as the newest while this node’s clock is behind', async () => {
    for (const behind of [20 * MINUTE, 6 * HOUR]) {
      const { id } = stores.register({}, ['private']);
      fill('private', id, 100);
      const now = NOW - behind;
      for (const index of [0, 1, 2]) {
        const time = NOW + index * MINUTE;
        const reading = { timestamp: BigInt(time), receivedAt: time - behind, fields: [99 + index] };
        stores.append('private', id, [{ seq: BigInt(200 + index), ...reading }]);
      }
      stores.memory.summaries.arrived(id, 0);
      const { newest } = await summaryOf(id, now + 2 * MINUTE);
      expect(newest.ph).toMatchObject({ value: 101, seq: '202' });
    }
  });

  it('are not the newest if a device continues after one reading in the future', async () => {
    const { id } = stores.register({}, ['private']);
    fill('private', id, 100);
    stores.append('private', id, [
      { seq: 200n, timestamp: BigInt(NOW + 40 * MINUTE), receivedAt: NOW + 40 * MINUTE, fields: [99] },
      { seq: 201n, timestamp: BigInt(NOW + 50), receivedAt: NOW + 50, fields: [42] },
    ]);
    stores.memory.summaries.arrived(id, 0);
    // This node's clock was wrong, so the time of arrival is ahead, too.
    expect((await summaryOf(id)).newest.ph).toMatchObject({ value: 42, seq: '201' });
  });
});
