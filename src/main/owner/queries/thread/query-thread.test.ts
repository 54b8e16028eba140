import { renameSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NODE_KEY, OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { storePath } from '../../../../../test/support/store-file.ts';
import type { Output } from '../../../../shared/owner-api/contract.ts';
import { type QueryContext, STORES_ALONE } from '../queries.ts';
import { QueryThread } from './query-thread.ts';

const CONTEXT: QueryContext = { ...STORES_ALONE, now: 0 };

let stores: OwnerStoresForTest;
let thread: QueryThread;
beforeEach(() => {
  stores = new OwnerStoresForTest();
  const locations = { private: storePath(stores.folder, 'local'), public: null };
  thread = new QueryThread({ locations, nodePublicKey: NODE_KEY, dataDir: stores.folder }, pino({ level: 'silent' }));
});
afterEach(async () => {
  await thread.close();
  await stores.dispose();
});

async function devices(): Promise<number> {
  const { bytes } = await thread.ask('overview', { dayStart: 0 }, CONTEXT);
  return (JSON.parse(new TextDecoder().decode(bytes)) as { devices: unknown[] }).devices.length;
}

it('answers many queries at once, each with its own answer, and sees later writes', async () => {
  expect(await devices()).toBe(0);
  const { id } = stores.register({}, ['private']);
  const asked = [
    devices(),
    expect(thread.ask('device', { id: NODE_KEY }, CONTEXT)).rejects.toMatchObject({ code: 'not_found' }),
    thread.ask('device', { id }, CONTEXT).then(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)).id),
  ];
  expect(await Promise.all(asked)).toEqual([1, expect.anything(), id]);
});

it('a thread that dies rejects its queries, and restarts with the next one', async () => {
  const path = storePath(stores.folder, 'local');
  renameSync(path, `${path}.away`);
  await expect(devices()).rejects.toMatchObject({ code: 'internal_error' });
  renameSync(`${path}.away`, path);
  expect(await devices()).toBe(0);
});

it('shows readings that arrived between two queries, once it hears about them', async () => {
  const { id } = stores.register({}, ['private']);
  const lastReceivedAt = async () => {
    const { bytes } = await thread.ask('overview', { dayStart: 0 }, { ...CONTEXT, now: 1_700_003_000_000 });
    const { devices } = JSON.parse(new TextDecoder().decode(bytes)) as Output<'overview'>;
    return devices[0]?.lastReceivedAt;
  };
  const reading = (seq: number) => {
    const at = 1_700_000_000_000 + seq * 1000;
    return { seq: BigInt(seq), timestamp: BigInt(at), receivedAt: at, fields: [] };
  };
  stores.append(
    'private',
    id,
    Array.from({ length: 300 }, (_, index) => reading(index + 1000)),
  );
  expect(await lastReceivedAt()).toBe(reading(1299).receivedAt);
  // This reading is neither among the latest by timestamp nor among those by seq: only `arrived` reports it.
  const late = { ...reading(1), receivedAt: reading(2000).receivedAt };
  stores.append('private', id, [late]);
  thread.arrived(id, late.receivedAt);
  expect(await lastReceivedAt()).toBe(late.receivedAt);
});
