import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../../test/support/node-process.ts';
import { newReading } from '../../../../../test/support/readings.ts';
import { deviceRegistration } from '../../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../../simulator/device.ts';
import { DirectWriter } from '../write/direct-writer.ts';
import { openForReading, prepareStore } from './database.ts';
import { entryOfRow, LEAF_COLUMNS, type LeafRow, textOfRow } from './leaf-rows.ts';

const MAX = 2n ** 64n - 1n;
const SEALED = new Uint8Array(28).fill(9);
const device = new SimulatedDevice();
const signature = new Uint8Array(64).fill(1);
let folder: string;
let rows: LeafRow[];

beforeAll(() => {
  folder = temporaryFolder();
  const path = join(folder, 'private.db');
  prepareStore(path, 'private');
  const writer = new DirectWriter(path);
  writer.register(deviceRegistration.parse(device.registration()), 5);
  const raw = Buffer.from(`${device.id}|1|2|0`);
  writer.append([
    newReading(device.id, {
      seq: 1n,
      timestamp: 2n,
      receivedAt: 7,
      fields: [6.5, null, 3],
      signed: { signature, raw },
    }),
    {
      ...newReading(device.id, { seq: MAX, timestamp: MAX - 1n, receivedAt: 8, keyVersion: 4, fields: [SEALED] }),
      clock: 3,
    },
  ]);
  writer.close();
  const change = new Database(path);
  change.exec("UPDATE readings SET first_arrival = '70 9', received_at = 71 WHERE seq = -1");
  change.close();
  const db = openForReading(path);
  const sql = `SELECT ${LEAF_COLUMNS} FROM readings r JOIN devices d USING (device) ORDER BY r.seq DESC`;
  rows = db.prepare<[], LeafRow>(sql).raw().safeIntegers().all();
  db.close();
});
afterAll(() => removeFolder(folder));

it('a stored reading has its entry', () => {
  expect(rows.map(entryOfRow)).toEqual([
    {
      ...{ kind: 'reading', device: device.id, seq: '1', timestamp: '2', receivedAt: 7, clock: 0, keyVersion: 0 },
      signed: { signature: Buffer.from(signature), raw: Buffer.from(`${device.id}|1|2|0`) },
      fields: new Map([
        ['ph', 6.5],
        ['waterLevel', 3],
      ]),
    },
    {
      ...{ kind: 'reading', device: device.id, seq: `${MAX}`, timestamp: `${MAX - 1n}`, receivedAt: 70, clock: 9 },
      ...{ keyVersion: 4, signed: null, fields: new Map([['ph', Buffer.from(SEALED)]]) },
    },
  ]);
});

it('a stored reading has the text of its entry', () => {
  expect(textOfRow(rows[1]!)).toBe(
    `reading\ndevice ${device.id}\nseq ${MAX}\ntimestamp ${MAX - 1n}\nreceived 70\nclock 9\nkey-version 4\n` +
      `sealed ph ${'09'.repeat(28)}\n`,
  );
});

it('the number of its entry comes first', () => {
  expect(rows.map(([entry]) => entry)).toEqual([0n, 1n]);
});
