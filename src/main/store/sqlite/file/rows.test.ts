import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { StartError } from '../../../common/start-error.ts';
import { fileLocation } from '../../locations.ts';
import { DEVICE_CELLS, type Row, type StoreRows } from '../../rows.ts';
import { DirectWriter } from '../write/direct-writer.ts';
import { prepareStore } from './database.ts';
import { SQLITE_ROWS } from './rows.ts';

const [HALF, MAX] = [2n ** 63n, 2n ** 64n - 1n];
/** The seqs of the first device, in their order. */
const SEQS = [0n, 1n, HALF - 1n, HALF, HALF + 1n, MAX - 1n, MAX];
const signature = new Uint8Array(64).fill(1);
const [first, second, silent] = [new SimulatedDevice(), new SimulatedDevice(), new SimulatedDevice()];

let folder: string;
/** A store with readings, and an empty one. */
let [full, empty] = ['', ''].map(fileLocation);
let open: StoreRows[];

/** Runs SQL on a store, and returns the rows of the last statement. */
function ask(path: string, sql: string): unknown[] {
  const db = new Database(path);
  const rows = db.prepare(sql).safeIntegers().raw().all();
  db.close();
  return rows;
}

function change(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

async function opened(path: string, access: 'read' | 'write'): Promise<StoreRows> {
  const rows = await SQLITE_ROWS.open(fileLocation(path), access);
  open.push(rows);
  return rows;
}

/** Copies a store to a new file. */
function copyOf(path: string): ReturnType<typeof fileLocation> {
  const copy = join(folder, `copy-${readdirSync(folder).length}.db`);
  copyFileSync(path, copy);
  return fileLocation(copy);
}

beforeAll(() => {
  folder = temporaryFolder();
  [full, empty] = ['full.db', 'empty.db'].map((name) => fileLocation(join(folder, name)));
  for (const path of [full!, empty!]) prepareStore(path, 'public');
  const writer = new DirectWriter(full!);
  for (const [device, location] of [
    [first, 5n],
    [silent, undefined],
    [second, MAX],
  ] as const) {
    writer.register(deviceRegistration.parse(device.registration({ location })), 5);
  }
  const reading = (device: SimulatedDevice, seq: bigint) =>
    newReading(device.id, {
      ...{ seq, timestamp: MAX - seq, receivedAt: 7, fields: [Number(seq % 7n)] },
      signed: { signature, raw: Buffer.from(seq === 1n ? 'another text' : `${device.id}|${seq}|${MAX - seq}|0`) },
    });
  writer.append([...SEQS].reverse().map((seq) => reading(first, seq)));
  writer.append([reading(second, MAX), reading(second, 0n)]);
  writer.close();
});
afterAll(() => removeFolder(folder));
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  for (const rows of open) await rows.close();
});

describe('readings', () => {
  const keys = (rows: readonly Row[]) => rows.map(([device, seq]) => `${device} ${seq}`);
  const ALL = [...SEQS.map((seq) => `1 ${seq}`), '3 0', `3 ${MAX}`];

  it('are read device by device, in the order of unsigned seqs', async () => {
    const rows = await opened(full!, 'read');
    expect(keys(await rows.read('readings', null, 100))).toEqual(ALL);
  });

  it.each([1, 2, 3, 4, 5, 8, 9])('are read in pages of %d', async (limit) => {
    const rows = await opened(full!, 'read');
    const read: string[] = [];
    for (let after: Row | null = null; ; ) {
      const page: readonly Row[] = await rows.read('readings', after, limit);
      expect(page.length).toBe(Math.min(limit, ALL.length - read.length));
      read.push(...keys(page));
      if (page.length < limit) break;
      after = page.at(-1)!.slice(0, 2);
    }
    expect(read).toEqual(ALL);
  });

  it('have unsigned numbers, and the number of a composition or bytes', async () => {
    const [, one, , half] = await (await opened(full!, 'read')).read('readings', null, 4);
    const rest = [null, null, null, null, null, Buffer.from(signature)];
    expect(one).toEqual([1n, 1n, MAX - 1n, 7n, 0n, 1, ...rest, Buffer.from('another text'), null, 5n, null]);
    expect(half).toEqual([1n, HALF, HALF - 1n, 7n, 0n, 1, ...rest, 0n, null, 3n, null]);
  });

  it('are written as the writer writes them', async () => {
    const copy = copyOf(full!);
    change(copy, 'DELETE FROM readings');
    const rows = await (await opened(full!, 'read')).read('readings', null, 100);
    await (await opened(copy, 'write')).insert('readings', rows);
    const stored = 'SELECT *, typeof(signed) FROM readings ORDER BY device, seq';
    expect(ask(copy, stored)).toEqual(ask(full!, stored));
    expect(new Set(ask(copy, 'SELECT typeof(signed) FROM readings').flat())).toEqual(new Set(['real', 'blob']));
  });
});

describe('devices', () => {
  const LOCATION = DEVICE_CELLS.indexOf('location');

  it('have unsigned locations', async () => {
    const rows = await (await opened(full!, 'read')).read('devices', null, 10);
    expect(rows.map((row) => [row[0], row[LOCATION]])).toEqual([
      [1n, 5n],
      [2n, null],
      [3n, MAX],
    ]);
    expect(rows[0]).toHaveLength(DEVICE_CELLS.length);
    expect(rows[0]![1]).toEqual(Buffer.from(first.id, 'hex'));
  });

  it('are read and written in pages', async () => {
    const from = await opened(full!, 'read');
    const to = await opened(copyOf(empty!), 'write');
    await to.insert('owners', await from.read('owners', null, 10));
    const [page, rest] = [await from.read('devices', null, 2), await from.read('devices', [2n], 2)];
    expect([page.map(([device]) => device), rest.map(([device]) => device)]).toEqual([[1n, 2n], [3n]]);
    await to.insert('devices', page);
    await to.insert('devices', rest);
    expect(await to.read('devices', null, 10)).toEqual([...page, ...rest]);
  });
});

describe('other tables', () => {
  it('are read in the order of their keys', async () => {
    const copy = copyOf(full!);
    change(
      copy,
      `INSERT INTO hourly_counts VALUES (2, 'a', 1), (1, 'b', 2), (1, 'a', 3);
       INSERT INTO unregistered_devices VALUES (x'ff', 1, 2, 3, 'x'), (x'01', 4, 5, 6, 'y')`,
    );
    const rows = await opened(copy, 'read');
    expect(await rows.read('outcomes', null, 2)).toEqual([
      [1n, 'a', 3n],
      [1n, 'b', 2n],
    ]);
    expect(await rows.read('outcomes', [1n, 'b'], 2)).toEqual([[2n, 'a', 1n]]);
    expect(await rows.read('unregistered', null, 1)).toEqual([[Buffer.of(1), 4n, 5n, 6n, 'y']]);
    expect(await rows.read('unregistered', [Buffer.of(1)], 1)).toEqual([[Buffer.of(255), 1n, 2n, 3n, 'x']]);
    const owners = [first, silent, second].map(({ ownerPubkey }) => ownerPubkey).sort();
    expect((await rows.read('owners', null, 9)).map(([id]) => (id as Buffer).toString('hex'))).toEqual(owners);
  });

  it('have the columns that they were created with', async () => {
    const rows = await opened(copyOf(empty!), 'write');
    await rows.insert('log_nodes', [[8n, 1n, Buffer.of(3)]]);
    expect(await rows.read('log_nodes', null, 9)).toEqual([[8n, 1n, Buffer.of(3)]]);
  });
});

describe('rows that do not fit', () => {
  const counts = (path: string) => ask(path, 'SELECT * FROM hourly_counts');

  it('are refused together, with the reason', async () => {
    const copy = copyOf(empty!);
    const rows = await opened(copy, 'write');
    const twice = rows.insert('outcomes', [
      [1n, 'stored', 1n],
      [1n, 'stored', 2n],
    ]);
    await expect(twice).rejects.toThrow(
      new StartError(
        'rows of outcomes do not fit the copy (UNIQUE constraint failed: hourly_counts.hour, hourly_counts.outcome): the ' +
          'store was changed meanwhile; stop every node that uses it, then run this again',
      ),
    );
    await expect(twice).rejects.toBeInstanceOf(StartError);
    expect(counts(copy)).toEqual([]);
  });

  it('and other errors are those of the program', async () => {
    const rows = await opened(copyOf(empty!), 'write');
    await expect(rows.insert('outcomes', [[1n, 'stored']])).rejects.toThrow(RangeError);
    await expect((await opened(full!, 'read')).insert('outcomes', [[1n, 'a', 1n]])).rejects.toThrow(
      expect.objectContaining({ code: 'SQLITE_READONLY' }),
    );
  });
});

describe('a copy', () => {
  const state = (path: string) => ask(path, 'SELECT * FROM log_state');

  it('that is fresh takes the state of the log from the moved rows', async () => {
    const copy = copyOf(empty!);
    await opened(copy, 'read');
    expect(state(copy)).toEqual([[1n, 0n]]);
    await opened(copy, 'write');
    expect(state(copy)).toEqual([]);
  });

  it('that has devices or leaves already keeps its state', async () => {
    for (const path of [full!, empty!]) {
      const copy = copyOf(path);
      change(copy, path === full ? 'DELETE FROM log_leaves' : "INSERT INTO log_leaves VALUES (1, x'01', 0)");
      await opened(copy, 'write');
      expect(state(copy)).toEqual([[1n, 0n]]);
    }
  });

  it('is placed with marks for missing sums and deleted leaves', async () => {
    const unfinished = SQLITE_ROWS.unfinished(fileLocation(join(folder, 'placed.db')));
    expect(unfinished).toBe(join(folder, 'placed.db.new-move'));
    copyFileSync(full!, unfinished);
    change(
      unfinished,
      `DELETE FROM log_state; INSERT INTO log_entries VALUES (100, 'an entry');
       INSERT INTO log_leaves VALUES (3, x'03', 0), (100, x'04', 0), (101, x'05', 0), (102, x'06', 1)`,
    );
    const db = new Database(unfinished);
    db.exec("INSERT INTO hourly_counts VALUES (1, 'in the log', 1)");
    const placed = fileLocation(join(folder, 'placed.db'));
    await SQLITE_ROWS.place(unfinished, placed);
    db.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('placed'))).toEqual(['placed.db']);
    expect(state(placed)).toEqual([[1n, 0n]]);
    expect(ask(placed, 'SELECT outcome FROM hourly_counts')).toEqual([['in the log']]);
    expect(ask(placed, 'SELECT entry, is_deleted FROM log_leaves')).toEqual([
      [3n, 0n],
      [100n, 0n],
      [101n, 1n],
      [102n, 1n],
    ]);
    const hours = ask(
      full!,
      'SELECT DISTINCT device, ((timestamp >> 1) & 9223372036854775807) / 1800000 FROM readings',
    );
    expect(new Set(ask(placed, 'SELECT device, hour FROM dirty_hours').map(String))).toEqual(
      new Set(hours.map(String)),
    );
  });

  it('keeps its state and its marks when it is placed', async () => {
    const unfinished = copyOf(full!);
    change(unfinished, 'UPDATE log_state SET size = 9');
    const placed = fileLocation(join(folder, 'again.db'));
    await SQLITE_ROWS.place(unfinished, placed);
    expect(state(placed)).toEqual([[1n, 9n]]);
  });
});
