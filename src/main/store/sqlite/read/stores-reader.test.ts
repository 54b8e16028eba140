import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OwnerStoresForTest } from '../../../../../test/support/owner-stores.ts';
import { locationsIn } from '../../locations.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { openForWriting } from '../file/database.ts';
import { SqliteStoresReader } from './stores-reader.ts';

const HOUR = 3_600_000;
const START = 488_000 * HOUR;

let stores: OwnerStoresForTest;
let reader: SqliteStoresReader;
let isClosed: boolean;

beforeEach(() => {
  stores = new OwnerStoresForTest();
  reader = new SqliteStoresReader(stores.paths);
  isClosed = false;
});
afterEach(async () => {
  if (!isClosed) await reader.close();
  await stores.dispose();
});

const count = () => reader.snapshot(async (view) => (await view.devices()).length);

describe('a snapshot', () => {
  it('sees one state of the stores, and the next one sees what was written meanwhile', async () => {
    const { id } = stores.register({}, ['public']);
    const found = await reader.snapshot(async (view) => {
      const before = (await view.devices()).length;
      stores.register({}, ['private', 'public']);
      return [before, (await view.devices()).length, (await view.device(id))!.id];
    });
    expect(found).toEqual([1, 1, id]);
    expect(await count()).toBe(2);
  });

  it('waits for the one before it', async () => {
    const events: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = reader.snapshot(async () => {
      events.push('first begins');
      await promise;
      events.push('first ends');
    });
    const second = reader.snapshot(async () => events.push('second'));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(events).toEqual(['first begins']);
    resolve();
    await Promise.all([first, second]);
    expect(events).toEqual(['first begins', 'first ends', 'second']);
  });

  it('that fails is ended, and its error is told', async () => {
    const error = new Error('asked wrongly');
    await expect(
      reader.snapshot(async () => {
        throw error;
      }),
    ).rejects.toBe(error);
    stores.register({}, ['private']);
    expect(await count()).toBe(1);
  });

  it('tells a fault of the storage as such', async () => {
    const failed = reader.snapshot(async () => {
      throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_READ');
    });
    await expect(failed).rejects.toBeInstanceOf(StorageUnavailable);
    await expect(failed).rejects.toMatchObject({ code: 'unreachable', message: 'disk I/O error' });
    expect(await count()).toBe(0);
  });

  it('has only the private store if there is no other', async () => {
    const alone = new SqliteStoresReader({ ...stores.paths, public: null });
    expect(await alone.snapshot(async ({ names }) => names)).toEqual(['private']);
    await alone.close();
  });
});

it('is closed after the last snapshot, and answers nothing more', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const last = reader.snapshot(async (view) => {
    await promise;
    return (await view.devices()).length;
  });
  const closing = reader.close();
  isClosed = true;
  resolve();
  expect(await last).toBe(0);
  await closing;
  await expect(count()).rejects.toThrow('The database connection is not open');
});

it('can’t be opened without a store', () => {
  const missing = locationsIn(join(stores.folder, 'missing'));
  expect(() => new SqliteStoresReader(missing)).toThrow('directory does not exist');
});

describe('sums by arrival', () => {
  let id: string;
  const means = () =>
    reader.snapshot(async (view) => {
      const span = { axis: 'received', from: BigInt(START), to: BigInt(START + HOUR - 1) } as const;
      return (await view.sums(id, span, HOUR)).map(({ fields }) => fields.ph.mean);
    });
  function raise(): void {
    const db = openForWriting(stores.paths.private, 'normal');
    db.exec('UPDATE readings SET ph = ph + 1');
    db.close();
  }
  /** The newest readings are not kept as sums, and are of another hour. */
  beforeEach(() => {
    ({ id } = stores.register({}, ['private']));
    const readings = Array.from({ length: 1600 }, (_, index) => {
      return { seq: BigInt(index), timestamp: 1n, receivedAt: START + (index < 900 ? 0 : HOUR), fields: [5] };
    });
    stores.append('private', id, readings);
  });

  it('are kept until the device forgets readings', async () => {
    expect(await means()).toEqual([5]);
    raise();
    expect(await means()).toEqual([5]);
    reader.forgotten('ff'.repeat(32));
    expect(await means()).toEqual([5]);
    reader.forgotten(id);
    expect(await means()).toEqual([6]);
  });

  it('are made ahead in parts', async () => {
    expect([await reader.prepareArrivals(id, 400), await reader.prepareArrivals(id, 400)]).toEqual([true, true]);
    expect(await reader.prepareArrivals(id, 400)).toBe(false);
    raise();
    expect(await means()).toEqual([5]);
  });
});
