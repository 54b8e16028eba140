import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '../../src/shared/owner-api/contract.ts';
import type { ExportsView } from '../../src/shared/owner-api/exports.ts';
import { registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { writeOldReadings } from '../support/old-readings.ts';
import { call, EventSocket, failure } from '../support/owner-client.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

const MINUTE = 60_000;
/** So many that an export is still under way when the next call comes. */
const READINGS = 100_000;
const FIRST = 1_750_000_000_000;
const ALL = { dialect: 'comma', from: null, to: null } as const;

let root: string;
let node: RunningNode;
const dataDir = () => join(root, 'data');
const folder = () => join(root, 'out');

beforeAll(async () => {
  root = temporaryFolder();
  mkdirSync(folder());
  const first = await startNode({ dataDir: dataDir() });
  const { id } = await registeredDevice(first.url('local'), { name: 'Tank' });
  await first.stop();
  writeOldReadings(dataDir(), id, { count: READINGS, first: FIRST, stepMs: MINUTE });
  node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
});
afterAll(async () => {
  await node.dispose();
  removeFolder(root);
});

const begin = (wish: Partial<Input<'beginExport'>> & Pick<Input<'beginExport'>, 'format'>) =>
  call(node, 'beginExport', { folder: folder(), ...ALL, ...wish });

async function ended(): Promise<NonNullable<ExportsView['last']>> {
  const view = () => call(node, 'exports', {});
  await expect.poll(async () => (await view()).work, { timeout: 60_000, interval: 200 }).toBeNull();
  return (await view()).last!;
}

/** The name of an export of that time, in local time as the node's. */
function nameAt(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return `wellhouse-export-${local.slice(0, 10)}-${local.slice(11, 19).replaceAll(':', '')}`;
}

describe('the owner', () => {
  test('sees the size beforehand and the progress, and finds the complete folder under its name', async () => {
    expect(await call(node, 'exportSize', { from: null, to: null })).toMatchObject({ devices: 1, readings: READINGS });
    const events = new EventSocket(node);
    await events.ready;
    expect(await begin({ format: 'ndjson' })).toEqual({ problem: null });
    await events.next('exports');
    events.close();
    await expect
      .poll(async () => (await call(node, 'exports', {})).work, { timeout: 60_000, interval: 20 })
      .toMatchObject({ format: 'ndjson', file: expect.stringMatching(/^Tank-/), total: READINGS });
    expect(readdirSync(folder())).toEqual([expect.stringMatching(/^wellhouse-export-.*\.part$/)]);
    const last = await ended();
    expect(last).toMatchObject({ format: 'ndjson', files: 3, readings: READINGS, problem: null });
    expect(readdirSync(folder()).map((name) => join(folder(), name))).toEqual([last.folder]);
    const tank = readdirSync(last.folder).find((name) => name.startsWith('Tank-'))!;
    expect(readFileSync(join(last.folder, tank), 'utf8').trimEnd().split('\n')).toHaveLength(READINGS);
    expect(last.bytes).toBeGreaterThan(READINGS * 100);
  });

  test('limits the readings by their timestamps', async () => {
    const range = { from: FIRST + 10 * MINUTE, to: FIRST + 19 * MINUTE };
    expect(await call(node, 'exportSize', range)).toMatchObject({ readings: 10 });
    await begin({ format: 'csv', ...range });
    expect(await ended()).toMatchObject({ readings: 10, problem: null });
    expect(await begin({ format: 'sqlite', ...range })).toMatchObject({ problem: { fault: 'refused' } });
  });

  test('copies the stores', async () => {
    await begin({ format: 'sqlite' });
    const last = await ended();
    expect(last).toMatchObject({ format: 'sqlite', readings: null, problem: null });
    const db = new Database(join(last.folder, 'private.db'), { readonly: true });
    expect(db.prepare('SELECT count(*) FROM reading_forms').pluck().get()).toBe(READINGS);
    db.close();
  });

  test('makes several in one second', async () => {
    const taken = Array.from({ length: 60 }, (_, second) => join(folder(), nameAt(Date.now() + second * 1000)));
    for (const path of taken) mkdirSync(path, { recursive: true });
    await begin({ format: 'csv', from: FIRST, to: FIRST });
    const last = await ended();
    expect(last).toMatchObject({ readings: 1, problem: null });
    // An earlier test may have made one in the same second.
    expect(last.folder).toMatch(/-\d{6}-\d$/);
    expect(taken).toContain(last.folder.slice(0, -2));
    for (const path of taken) removeFolder(path);
  });

  test('stops one without leftovers', async () => {
    const before = readdirSync(folder());
    await begin({ format: 'parquet' });
    expect(await begin({ format: 'csv' })).toMatchObject({ problem: { fault: 'busy' } });
    await call(node, 'cancelExport', {});
    const last = await ended();
    expect(last).toMatchObject({ files: 0, problem: { fault: 'cancelled' } });
    expect(readdirSync(folder())).toEqual(before);
    expect(existsSync(last.folder)).toBe(false);
  });

  test('can’t use a missing folder, one in the data, or a relative path', async () => {
    for (const wrong of [join(root, 'missing'), dataDir(), 'out']) {
      expect(await begin({ format: 'csv', folder: wrong })).toMatchObject({ problem: { fault: 'no_folder' } });
    }
    expect(existsSync(join(root, 'missing'))).toBe(false);
    expect((await failure(node, 'beginExport', { folder: folder(), ...ALL, format: 'xlsx' }))[0]).toBe(400);
  });
});

test('a stopping node leaves no part of an export', async () => {
  const before = readdirSync(folder());
  await begin({ format: 'parquet' });
  const working = async () => (await call(node, 'exports', {})).work?.total;
  await expect.poll(working, { timeout: 60_000, interval: 20 }).toBe(READINGS);
  await node.stop();
  expect(readdirSync(folder())).toEqual(before);
  node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
  expect(await call(node, 'exports', {})).toMatchObject({ work: null, last: null });
});

const disks = [mountSmallDisk(1)];
describe.skipIf(disks[0] === null)('a disk that is full (skipped where this user may not mount a small one)', () => {
  const disk = disks[0] as SmallDisk;
  afterAll(() => disk.remove());

  test.each(['csv', 'parquet', 'sqlite'] as const)('leaves no part of %s, and reports that', async (format) => {
    disk.fill();
    expect(await begin({ format, folder: disk.folder })).toEqual({ problem: null });
    expect(await ended()).toMatchObject({ files: 0, problem: { fault: 'no_room' } });
    disk.free();
    expect(readdirSync(disk.folder)).toEqual([]);
  });

  test('ends before it uses the node’s reserved space', async () => {
    await begin({ format: 'csv', folder: disk.folder });
    expect(await ended()).toMatchObject({
      problem: { fault: 'no_room', message: expect.stringMatching(/^the disk of .* is full$/) },
    });
    expect(readdirSync(disk.folder)).toEqual([]);
  });
});
