import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';

const HOUR = 3_600_000;
const NOW = 488_888 * HOUR + 10 * 60_000;

let stores: OwnerStoresForTest;
beforeEach(() => {
  stores = new OwnerStoresForTest();
});
afterEach(() => stores.dispose());

describe('the number of readings of a store', () => {
  it('counts each reading, with any timestamp, before and after it is summed up', async () => {
    const { id } = stores.register({}, ['private']);
    const turn = 2n ** 63n;
    const last = 2n ** 64n - 1n;
    const hour = BigInt(HOUR);
    const edges = [
      0n,
      BigInt(NOW),
      turn - 2n * hour,
      turn - 1n,
      turn,
      turn + hour,
      turn + 9n * hour,
      last - hour,
      last,
    ];
    const readings = edges.map((timestamp, index) => ({ seq: BigInt(index), timestamp, receivedAt: NOW, fields: [1] }));
    stores.append('private', id, readings);
    const count = async () => (await stores.ask('device', { id })).readings;
    expect(await count()).toEqual([{ store: 'private', count: edges.length }]);
    const next = { seq: 100n, timestamp: BigInt(NOW + 2 * HOUR), receivedAt: NOW, fields: [1] };
    stores.append('private', id, [next]);
    stores.sumUp('private');
    expect(await count()).toEqual([{ store: 'private', count: edges.length + 1 }]);
  });

  it('has the first and latest arrival of only these readings, too', async () => {
    const { id } = stores.register({}, ['private']);
    const late = [0n, 1n, 2n, 3n].map((index) => {
      return { seq: index, timestamp: 2n ** 64n - 1n - index, receivedAt: NOW + Number(index) * HOUR, fields: [1] };
    });
    stores.append('private', id, late);
    const span = { from: NOW, to: NOW + 3 * HOUR };
    expect(await stores.ask('device', { id })).toMatchObject({ clockNotSet: true, span });
  });
});

describe('errors', () => {
  const id = 'ee'.repeat(32);
  it.each([
    ['device', { id }],
    ['latestReadings', { id, limit: 1 }],
    ['history', { id, from: null, to: null, maxPoints: 10 }],
    ['readingsPage', { id, from: null, to: null, cursor: null, limit: 1 }],
  ] as const)('%s of an unknown device is not found', async (method, input) => {
    await expect(stores.ask(method, input as never)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['', 'x', 'timestamp.1', 'timestamp.1.2.3', 'timestamp.01.2', 'received.1.-1', 'seq.1.2'])(
    'an unknown cursor (%j) is invalid input',
    async (cursor) => {
      const known = stores.register({}, ['private']);
      const input = { id: known.id, from: null, to: null, cursor, limit: 1 };
      await expect(stores.ask('readingsPage', input)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
});

it('a device says whether another listed one has the same name', async () => {
  const register = (name: string) => stores.register({ name }, ['private']);
  const [first, second, other] = [register('Greenhouse'), register('Greenhouse'), register('Nursery')];
  const details = await Promise.all([first, second, other].map(({ id }) => stores.ask('device', { id })));
  expect(details.map(({ hasNamesake }) => hasNamesake)).toEqual([true, true, false]);
  const { devices } = await stores.ask('overview', { dayStart: 0 });
  expect(new Set(devices.filter(({ hasNamesake }) => hasNamesake).map(({ id }) => id))).toEqual(
    new Set([first.id, second.id]),
  );
});
