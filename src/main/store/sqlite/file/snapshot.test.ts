import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { DirectWriter } from '../write/direct-writer.ts';
import { prepareStore } from './database.ts';
import { inspectCopy, inspectStore, problemOfCopy, snapshotStore } from './snapshot.ts';

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
    const { devices, readings, lastReceivedAt, rows } = inspect();
    expect([devices, readings, lastReceivedAt, rows.users]).toEqual([1, 2, 7, 1]);
  });

  it('is refused as another one', () => {
    expect(asOther).toThrow('it is not a public store');
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
