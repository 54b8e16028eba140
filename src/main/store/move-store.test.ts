import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { newReading } from '../../../test/support/readings.ts';
import { deviceRegistration } from '../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../simulator/device.ts';
import { StartError } from '../common/start-error.ts';
import type { StoreLocation } from './engine.ts';
import { engineOf } from './engines.ts';
import { fileLocation } from './locations.ts';
import { movePublicStore, placeMovedStore, type StoreMove } from './move-store.ts';
import { type Row, TABLE_NAMES } from './rows.ts';
import { STORE_VERSION } from './sqlite/file/migrations.ts';
import { versionOfStore } from './sqlite/file/snapshot.ts';
import { DirectWriter } from './sqlite/write/direct-writer.ts';

const START = 1_760_000_000_000;
/** More rows than one step of a move has. */
const READINGS = 600;

/** A store that each test gets a copy of, in its own folder. */
let template: StoreLocation;
let templateFolder: string;
let folder: string;
let [from, to] = [] as unknown as [StoreLocation, StoreLocation];
const device = new SimulatedDevice();

beforeAll(async () => {
  templateFolder = temporaryFolder();
  template = fileLocation(join(templateFolder, 'from.db'));
  await engineOf(template).prepare('public', template);
  const writer = new DirectWriter(template);
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
afterAll(() => removeFolder(templateFolder));
beforeEach(() => {
  folder = temporaryFolder();
  [from, to] = ['from.db', 'to.db'].map((name) => fileLocation(join(folder, name))) as [StoreLocation, StoreLocation];
  copyFileSync(template, from);
});
afterEach(() => removeFolder(folder));

const move = (onProgress: StoreMove['onProgress'] = () => {}, signal = new AbortController().signal) =>
  movePublicStore({ from, to, identity: 'ab'.repeat(32), signal, onProgress });

/** Copies everything, and stops before the comparison ends. */
async function cutOff(): Promise<void> {
  const cut = new AbortController();
  const stopped = move((phase) => phase === 'checking' && cut.abort(new Error('cut off')), cut.signal);
  await expect(stopped).rejects.toThrow('cut off');
}

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
    await expect(move(register)).rejects.toThrow(
      new StartError('the store that is moved goes on changing: stop every node that uses it, then run this again'),
    );
    expect(await engineOf(to).exists(to)).toBe(false);
  });
});

it('tells how many rows were copied, and then how many were checked', async () => {
  const told: unknown[] = [];
  const moved = await move((...progress) => told.push(progress));
  expect(Object.values(moved).reduce((sum, rows) => sum + rows)).toBeGreaterThan(1000);
  expect(told).toEqual([
    ['copying', 500],
    ['copying', 1000],
    ['checking', 500],
    ['checking', 1000],
  ]);
});

describe('a move is refused', () => {
  it('without a store', async () => {
    [from, to] = [to, from];
    await expect(move()).rejects.toThrow(new StartError(`there is no store at ${from}`));
  });

  it('if there is a store at its target, before and after the copy', async () => {
    const taken = new StartError(
      `there is a store at ${to} already (a node that starts creates one): remove it if you need nothing of it, or name ` +
        'another place, then run this again',
    );
    const unfinished = engineOf(to).movable.unfinished(to);
    await move();
    await engineOf(to).prepare('public', to);
    await expect(move()).rejects.toThrow(taken);
    await expect(placeMovedStore({ to })).rejects.toThrow(taken);
    expect([(await rowsOf(to)).devices, (await rowsOf(unfinished)).devices]).toMatchObject([[], [{}]]);
  });

  it('if the store is of another version, which it keeps', async () => {
    const db = new Database(from);
    db.pragma('user_version = 3');
    db.close();
    await expect(move()).rejects.toThrow(
      new StartError(`the store is of version 3, not ${STORE_VERSION}: start its node once, then move it`),
    );
    expect(versionOfStore(from)).toBe(3);
    expect(readdirSync(folder).filter((name) => !name.startsWith('from.db'))).toEqual([]);
  });

  it('if it is ended before it begins, and goes on later', async () => {
    const ended = new Error('ended');
    await expect(move(() => {}, AbortSignal.abort(ended))).rejects.toBe(ended);
    expect(await move()).toMatchObject({ readings: READINGS, devices: 1, owners: 1 });
  });
});

describe('a copy that was cut off', () => {
  const differs = (row: string) =>
    new StartError(
      `the copy differs from the store in ${row}: the store was changed meanwhile; stop every node that uses it, remove ` +
        'the unfinished copy, then run this again',
    );

  it('gets the rows that came between its own', async () => {
    change(from, `INSERT INTO hourly_counts VALUES (1, 'a', 1), (1, 'ä', 2), (2, 'B', 3), (10, 'a', 4)`);
    await cutOff();
    change(
      from,
      `INSERT INTO hourly_counts VALUES (0, 'z', 1), (1, 'aa', 2), (1, 'b', 3), (2, 'A', 4), (3, '', 5), (9, 'a', 6)`,
    );
    expect(await move()).toMatchObject({ outcomes: 10 });
    expect(await rowsOf(engineOf(to).movable.unfinished(to))).toEqual(await rowsOf(from));
  });

  it.each([
    ['a row that is gone', 'DELETE FROM readings WHERE seq = 5', () => 'readings 1 5'],
    ['the last row', 'DELETE FROM readings WHERE seq = 599', () => 'readings 1 599'],
    ['another value', 'UPDATE readings SET ec = 9 WHERE seq = 7', () => 'readings 1 7'],
    ['another name', "UPDATE users SET name = 'x'", () => `owners ${device.ownerPubkey}`],
  ])('is refused for %s, which is named', async (_what, sql, row) => {
    await cutOff();
    change(from, sql);
    await expect(move()).rejects.toThrow(differs(row()));
  });
});

describe('a copy that was cut off is refused if it has another', () => {
  it.each([
    ['signature', 'readings', 'UPDATE readings SET signature = zeroblob(64) WHERE seq = 5'],
    ['signature, or none', 'readings', 'UPDATE readings SET signature = NULL WHERE seq = 5'],
    ['value', 'readings', 'UPDATE readings SET humidity = humidity + 1 WHERE seq = 599'],
    ['place in the log', 'readings', 'UPDATE readings SET entry = entry + 1000 WHERE seq = 0'],
    ['last reading', 'readings', 'UPDATE readings SET seq = 9999, entry = NULL WHERE seq = 599'],
    ['reading', 'readings', 'UPDATE readings SET seq = -1, entry = NULL WHERE seq = 3'],
    ['time of registration', 'devices', 'UPDATE devices SET created_at = created_at + 1'],
    ['fact about an owner', 'owners', `UPDATE users SET bio = 'another'`],
    ['hash', 'log_leaves', 'UPDATE log_leaves SET hash = zeroblob(32) WHERE entry = 9'],
  ])('%s', async (_what, table, sql) => {
    await cutOff();
    change(engineOf(to).movable.unfinished(to), sql);
    await expect(move()).rejects.toThrow(`the copy differs from the store in ${table}`);
    expect(await engineOf(to).exists(to)).toBe(false);
  });
});
