import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { newReading } from '../../../test/support/readings.ts';
import { deviceRegistration } from '../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import type { StoreLocation } from './engine.ts';
import { engineOf } from './engines.ts';
import { movePublicStore, placeMovedStore, type StoreMove } from './move-store.ts';
import { type Row, TABLE_NAMES } from './rows.ts';
import { DirectWriter } from './sqlite/write/direct-writer.ts';

const START = 1_760_000_000_000;
/** More rows than one step of a move has. */
const READINGS = 600;

let folder: string;
let [from, to] = [] as unknown as [StoreLocation, StoreLocation];
const device = new SimulatedDevice();

beforeEach(async () => {
  folder = temporaryFolder();
  [from, to] = ['from.db', 'to.db'].map((name) => join(folder, name)) as [StoreLocation, StoreLocation];
  await engineOf(from).prepare('public', from);
  const writer = new DirectWriter(from);
  writer.register(deviceRegistration.parse(device.registration()), START, { way: 'public', by: null, received: null });
  writer.append(
    Array.from({ length: READINGS }, (_, at) =>
      newReading(device.id, {
        ...{ seq: BigInt(at), timestamp: BigInt(START + at), receivedAt: START, fields: [at / 7, 1, 2, 3, 4, 5] },
        signed: { signature: new Uint8Array(64).fill(1), raw: new Uint8Array(9).fill(2) },
      }),
    ),
  );
  writer.sumUp();
  writer.close();
});
afterEach(() => removeFolder(folder));

const move = (onProgress: StoreMove['onProgress'] = () => {}, signal = new AbortController().signal) =>
  movePublicStore({ from, to, identity: 'ab'.repeat(32), signal, onProgress });

/** Writes to a store as another program does, while it is moved. */
function change(path: string, sql: string): void {
  const db = new Database(path);
  expect(db.prepare(sql).run().changes).toBeGreaterThan(0);
  db.close();
}

/** All rows of a store, by table. */
async function rowsOf(location: StoreLocation): Promise<Record<string, readonly Row[]>> {
  const rows = await engineOf(location).movable.open(location, 'read');
  const tables: Record<string, readonly Row[]> = {};
  for (const table of TABLE_NAMES) tables[table] = await rows.read(table, null, 2 * READINGS);
  await rows.close();
  return tables;
}

it('moves the rows of every table', async () => {
  const zeros = (table: string) => {
    const db = new Database(from);
    const columns = db.pragma(`table_info(${table})`) as { name: string; notnull: number }[];
    db.close();
    const rest = columns.filter(({ name, notnull }) => notnull === 1 && !['device', 'hour', 'readings'].includes(name));
    return { names: rest.map(({ name }) => `, ${name}`).join(''), values: rest.map(() => ', 0').join('') };
  };
  const { names, values } = zeros('retained_hours');
  for (const sql of [
    `INSERT INTO withheld VALUES (1, 'omit', 'ph', 3, 10, 20)`,
    `INSERT INTO unregistered_devices VALUES (x'01', 2, 10, 20, 'device_not_found')`,
    `INSERT INTO hourly_counts VALUES (9, 'stored', 600)`,
    `INSERT INTO retained_hours (device, hour, readings${names}) VALUES (1, 9, 60${values})`,
    'INSERT INTO retention VALUES (1, 10)',
    'INSERT INTO moved_clocks VALUES (7, 30)',
    'INSERT INTO moved_arrivals VALUES (1, 30, -5, 2)',
    `INSERT INTO log_checkpoints VALUES (601, 40, 'note')`,
  ]) {
    change(from, sql);
  }
  const before = await rowsOf(from);
  const moved = await move();
  await placeMovedStore({ to });
  for (const table of TABLE_NAMES) {
    expect(before[table]!.length, table).toBeGreaterThan(0);
    expect(moved[table], table).toBe(before[table]!.length);
  }
  expect(await rowsOf(to)).toEqual(before);
  // The sums are made again.
  const writer = new DirectWriter(to);
  writer.sumUp();
  writer.close();
  const db = new Database(to, { readonly: true });
  expect(db.prepare('SELECT sum(readings) FROM hourly_rollups').pluck().get()).toBe(READINGS);
  db.close();
});

describe('a store that changes while it is moved', () => {
  const register = () => {
    const writer = new DirectWriter(from);
    writer.register(deviceRegistration.parse(new SimulatedDevice().registration()), START);
    writer.close();
  };

  it('is copied with what came behind the rows that were read', async () => {
    let isChanged = false;
    const moved = await move(() => {
      // The devices are copied before the readings.
      if (!isChanged) register();
      isChanged = true;
    });
    expect([isChanged, moved.devices]).toEqual([true, 2]);
    await placeMovedStore({ to });
    expect((await rowsOf(to)).devices).toHaveLength(2);
  });

  it('is not moved if it never stays the same', async () => {
    await expect(move(register)).rejects.toThrow('goes on changing');
    expect(await engineOf(to).exists(to)).toBe(false);
  });
});

describe('a copy that was cut off is refused if it has another', () => {
  it.each([
    ['signature', 'readings', 'UPDATE readings SET signature = zeroblob(64) WHERE seq = 5'],
    ['value', 'readings', 'UPDATE readings SET humidity = humidity + 1 WHERE seq = 599'],
    ['place in the log', 'readings', 'UPDATE readings SET entry = entry + 1000 WHERE seq = 0'],
    ['last reading', 'readings', 'UPDATE readings SET seq = 9999, entry = NULL WHERE seq = 599'],
    ['reading', 'readings', 'UPDATE readings SET seq = -1, entry = NULL WHERE seq = 3'],
    ['time of registration', 'devices', 'UPDATE devices SET created_at = created_at + 1'],
    ['fact about an owner', 'owners', `UPDATE users SET bio = 'another'`],
    ['hash', 'log_leaves', 'UPDATE log_leaves SET hash = zeroblob(32) WHERE entry = 9'],
  ])('%s', async (_what, table, sql) => {
    const cut = new AbortController();
    const cutOff = move((phase) => phase === 'checking' && cut.abort(new Error('cut off')), cut.signal);
    await expect(cutOff).rejects.toThrow('cut off');
    change(engineOf(to).movable.unfinished(to), sql);
    await expect(move()).rejects.toThrow(`the copy differs from the store in ${table}`);
    expect(await engineOf(to).exists(to)).toBe(false);
  });
});
