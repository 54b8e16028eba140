import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { StorageUnavailable } from '../../storage-unavailable.ts';
import { DirectWriter } from '../write/direct-writer.ts';
import { openForWriting, prepareStore } from './database.ts';
import { STORE_VERSION } from './migrations.ts';
import {
  inspectCopy,
  inspectStore,
  NEWEST_VERSION,
  problemOfCopy,
  snapshotBytes,
  snapshotStore,
  versionInHeader,
  versionOfStore,
} from './snapshot.ts';

const LEAF_OF_INDEX = 0x0a;
let folder: string;
let [path, copy] = ['', ''];
const device = new SimulatedDevice();

beforeEach(() => {
  folder = temporaryFolder();
  [path, copy] = [join(folder, 'private.db'), join(folder, 'copy.db')];
  prepareStore(path, 'private');
  const writer = new DirectWriter(path);
  writer.register(deviceRegistration.parse(device.registration()), 5);
  writer.append([1n, 2n].map((seq) => newReading(device.id, { seq, timestamp: seq, receivedAt: 7, fields: [6] })));
  writer.close();
});
afterEach(() => removeFolder(folder));

/** Changes a byte of the index by id: SQLite reads on, and only a check of the whole file finds it. */
function damageIndex(file: string): void {
  const bytes = readFileSync(file);
  const pageBytes = bytes.readUInt16BE(16);
  const id = Buffer.from(device.id, 'hex');
  for (let at = bytes.indexOf(id); at >= 0; at = bytes.indexOf(id, at + 1)) {
    if (bytes[at - (at % pageBytes)] === LEAF_OF_INDEX) bytes[at]! ^= 1;
  }
  expect(bytes.equals(readFileSync(file))).toBe(false);
  writeFileSync(file, bytes);
}

describe.each([
  ['a store', () => inspectStore(path, 'private'), () => inspectStore(path, 'public'), () => path],
  ['a copy', () => inspectCopy(copy, 'private'), () => inspectCopy(copy, 'public'), () => copy],
] as const)('%s that is inspected', (_what, inspect, asOther, file) => {
  beforeEach(() => snapshotStore(path, copy));

  it('is counted', () => {
    const { rows, ...rest } = inspect();
    expect(rest).toEqual({ version: STORE_VERSION, devices: 1, readings: 2, lastReceivedAt: 7 });
    const { devices, readings, users, log_state, dirty_hours, ...others } = rows;
    expect([devices, readings, users, log_state, dirty_hours]).toEqual([1, 2, 1, 1, 1]);
    expect(Object.keys(others)).toEqual([
      ...['device_notes', 'hourly_counts', 'hourly_rollups', 'journal', 'log_checkpoints', 'log_entries', 'log_leaves'],
      ...['log_nodes', 'moved_arrivals', 'moved_clocks', 'owner_choices', 'retained_hours', 'retention'],
      ...['unregistered_devices', 'withheld'],
    ]);
    expect(new Set(Object.values(others))).toEqual(new Set([0]));
  });

  it('is refused as another one', () => {
    expect(asOther).toThrow(new Error('it is not a public store'));
  });

  it('is counted with tables of any name, and without readings', () => {
    const db = new Database(file());
    db.exec('CREATE TABLE "o""r" (content); INSERT INTO "o""r" VALUES (1), (2); DELETE FROM readings');
    db.close();
    const { readings, lastReceivedAt, rows } = inspect();
    expect([readings, lastReceivedAt, rows['o"r']]).toEqual([0, null, 2]);
  });

  it('is refused if it is damaged', () => {
    damageIndex(file());
    expect(inspect).toThrow('missing from index');
  });

  it('is refused if rows refer to missing ones', () => {
    const db = new Database(file());
    db.pragma('foreign_keys = OFF');
    db.exec('DELETE FROM devices');
    db.close();
    expect(inspect).toThrow('rows refer to missing rows');
  });
});

it('a copy is readable only by its owner, takes the place of no file, and leaves nothing beside it', () => {
  snapshotStore(path, copy);
  if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(() => snapshotStore(path, copy)).toThrow('EEXIST');
  inspectCopy(copy, 'private');
  expect(['-wal', '-shm'].filter((suffix) => existsSync(copy + suffix))).toEqual([]);
});

it('tells what is wrong with a copied file, with its log, and leaves both as they are', () => {
  snapshotStore(path, copy);
  writeFileSync(join(folder, 'notes.txt'), 'no database');
  expect([problemOfCopy(copy), problemOfCopy(join(folder, 'notes.txt'))]).toEqual([null, null]);
  damageIndex(copy);
  const before = readFileSync(copy);
  expect(problemOfCopy(copy)).toContain('missing from index');
  expect(readFileSync(copy).equals(before)).toBe(true);
  expect(['-wal', '-shm'].filter((suffix) => existsSync(copy + suffix))).toEqual([]);
});

it('checks a copied file with its log, which stays, and without it', () => {
  const db = openForWriting(path, 'normal');
  db.exec("INSERT INTO hourly_counts VALUES (1, 'stored', 5)");
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, copy + suffix);
  db.close();
  const log = readFileSync(`${copy}-wal`);
  expect(problemOfCopy(copy)).toBeNull();
  expect(readFileSync(`${copy}-wal`).equals(log)).toBe(true);
  expect(existsSync(`${copy}-shm`)).toBe(false);
  rmSync(`${copy}-wal`);
  expect(problemOfCopy(copy)).toBeNull();
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'private.db']);
});

it('a copy has what the store had, and takes no more room than was said', () => {
  const bytes = snapshotBytes(path);
  expect(bytes).toBe(statSync(path).size);
  snapshotStore(path, copy);
  expect(statSync(copy).size).toBeLessThanOrEqual(bytes);
  expect(inspectCopy(copy, 'private')).toEqual(inspectStore(path, 'private'));
});

describe('the version of a store', () => {
  it('is the newest that this program knows', () => {
    expect([versionOfStore(path), versionInHeader(path), NEWEST_VERSION]).toEqual(Array(3).fill(STORE_VERSION));
  });

  it('is in its header, as four bytes', () => {
    const header = readFileSync(path).subarray(0, 100);
    header.writeUInt32BE(0x01020304, 60);
    writeFileSync(copy, header);
    expect(versionInHeader(copy)).toBe(0x01020304);
  });

  it('is not known without a whole header of SQLite', () => {
    expect([versionInHeader(copy), versionInHeader(join(folder, 'away', 'copy.db'))]).toEqual([null, null]);
    const header = readFileSync(path).subarray(0, 100);
    writeFileSync(copy, header.subarray(0, 99));
    expect(versionInHeader(copy)).toBeNull();
    for (const at of [0, 14]) {
      const other = Buffer.from(header);
      other[at]! ^= 1;
      writeFileSync(copy, other);
      expect(versionInHeader(copy)).toBeNull();
    }
  });
});

it.each([
  ['its version', () => versionOfStore(copy)],
  ['its size', () => snapshotBytes(copy)],
  ['its contents', () => inspectStore(copy, 'private')],
  ['whether it is whole', () => problemOfCopy(copy)],
  ['a copy', () => snapshotStore(copy, join(folder, 'other.db'))],
])('a missing store is asked for %s, and is not created', (_what, ask) => {
  expect(ask).toThrow(new StorageUnavailable('read_only', 'unable to open database file'));
  expect(existsSync(copy)).toBe(false);
});
