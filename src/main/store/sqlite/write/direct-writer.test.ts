import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { prepareStore } from '../file/database.ts';
import { DirectWriter } from './direct-writer.ts';
import type { WriteJob } from './write-jobs.ts';

const HOUR = 3_600_000;
let folder: string;
let writer: DirectWriter;
let other: Database.Database;
beforeAll(() => {
  folder = temporaryFolder();
  prepareStore(join(folder, 'private.db'), 'private');
});
beforeEach(() => {
  writer = new DirectWriter(join(folder, 'private.db'));
  other = new Database(join(folder, 'private.db'));
});
afterEach(() => {
  writer.close();
  other.close();
});
afterAll(() => removeFolder(folder));

const values = (sql: string) => other.prepare(sql).pluck().all();
const count = (outcome: string): WriteJob => ({
  ...{ kind: 'count', counts: { withheld: [], outcomes: [{ hour: 1, outcome, count: 1 }], unregistered: null } },
});

it('registers a device, appends its readings, and sums up all but the present hour', () => {
  const device = new SimulatedDevice();
  const origin = { way: 'imported', by: null, received: null } as const;
  writer.register(deviceRegistration.parse(device.registration()), 5, origin);
  expect(values('SELECT created_at FROM devices')).toEqual([5]);
  expect(values('SELECT content FROM log_entries')).toEqual([
    `registration\ndevice ${device.id}\nat 5\nway imported\n`,
  ]);
  const readings = Array.from({ length: 30 }, (_, hour) =>
    newReading(device.id, { seq: BigInt(hour), timestamp: BigInt(hour * HOUR), receivedAt: 7, fields: [6] }),
  );
  writer.append(readings);
  writer.sumUp();
  expect(values('SELECT hour FROM hourly_rollups')).toEqual(Array.from({ length: 29 }, (_, hour) => hour));
  expect(values('SELECT size FROM log_state')).toEqual([31]);
});

it('returns the outcomes of jobs, and throws if one fails', () => {
  expect(writer.run([count('a'), { kind: 'deleteEntry', id: 1 }])).toEqual([
    { ok: true, result: null },
    { ok: true, result: false },
  ]);
  expect(() => writer.run([count('b'), count(null as never)])).toThrow(
    'SQLITE_CONSTRAINT_NOTNULL: NOT NULL constraint failed: hourly_counts.outcome',
  );
  other.exec('BEGIN IMMEDIATE');
  expect(() => writer.run([count('c')])).toThrow('another process uses the store');
  other.exec('ROLLBACK');
  expect(values('SELECT outcome FROM hourly_counts ORDER BY outcome')).toEqual(['a', 'b']);
});
