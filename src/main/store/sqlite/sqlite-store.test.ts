import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { BLOCK_READING } from '../../../../test/support/played-lane.ts';
import { newReading, type TestReading } from '../../../../test/support/readings.ts';
import { playedVerifiers, ServedWriter } from '../../../../test/support/served-writer.ts';
import { storePath } from '../../../../test/support/store-file.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { entryText } from '../../../shared/proof/leaf.ts';
import { deviceRegistration } from '../../../shared/protocol/device.ts';
import { perFieldName } from '../../../shared/protocol/fields.ts';
import { SimulatedDevice } from '../../../simulator/device.ts';
import type { ArrivalMove } from '../arrival-move.ts';
import { type Counts, HOUR_MS } from '../counts.ts';
import type { StoreLocation } from '../engine.ts';
import type { NewEntry, RegisteredDevice } from '../port.ts';
import type { NewBlock } from '../reading.ts';
import { prepareStore } from './file/database.ts';
import { SqliteStore } from './sqlite-store.ts';
import { DirectWriter } from './write/direct-writer.ts';

const log = pino({ level: 'silent' });
const UNKNOWN = 'ff'.repeat(32);
const CREATED = 1_700_000_000_000;
const START = 480_000 * HOUR_MS;

let folder: string;
let path: StoreLocation;
let served: ServedWriter;
let store: SqliteStore;
/** A device that had old readings when the store was opened. */
let old: SimulatedDevice;

const registrationOf = (device: SimulatedDevice) => deviceRegistration.parse(device.registration());

beforeAll(async () => {
  folder = temporaryFolder();
  path = storePath(folder, 'local');
  prepareStore(path, 'private');
  old = new SimulatedDevice();
  const direct = new DirectWriter(path);
  direct.register(registrationOf(old), CREATED);
  const at = (seq: number, timestamp: number, receivedAt = timestamp) =>
    newReading(old.id, { seq: BigInt(seq), timestamp: BigInt(timestamp), receivedAt, fields: [6] });
  const times = [START, START + 1, START + HOUR_MS, ...Array.from({ length: 500 }, (_, n) => START + 9 * HOUR_MS + n)];
  direct.append([at(1, 10, START), at(2, 20, START + 1), ...times.map((time, index) => at(index + 3, time))]);
  direct.sumUp();
  direct.close();
  served = new ServedWriter({ path, durability: 'normal', bounds: null }, log);
  store = new SqliteStore('private', path, served.writer);
});
afterAll(async () => {
  await store.close();
  await served.end();
  removeFolder(folder);
});

async function registered(): Promise<SimulatedDevice> {
  const device = new SimulatedDevice();
  expect(await store.register(registrationOf(device), CREATED)).toBe('created');
  return device;
}
/** Appends readings without fields. */
const append = (id: string, ...readings: (Partial<TestReading> & { readonly clock?: number })[]) =>
  store.append(
    readings.map(({ clock = 0, ...reading }) => {
      const whole = { seq: 1n, timestamp: BigInt(START), receivedAt: START, fields: [], ...reading };
      return { ...newReading(id, whole), clock };
    }),
  );
function query(sql: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare(sql).raw().all();
  } finally {
    db.close();
  }
}

describe('devices', () => {
  it('are registered once, with the way in the log', async () => {
    const device = new SimulatedDevice({ mac: '020000000001', name: 'Tank', ownerPubkey: 'aa'.repeat(32) });
    const registration = registrationOf(device);
    const origin = { way: 'local', by: 'phone', received: null } as const;
    expect(await store.register(registration, CREATED + 1, origin)).toBe('created');
    expect(await store.register(registration, CREATED + 2)).toBe('exists');
    const { way, received } = origin;
    const entry = { kind: 'registration', device: device.id, at: CREATED + 1, way, by: '"phone"', received } as const;
    expect(query('SELECT content FROM log_entries')).toEqual([[entryText(entry)]]);
    const found = (await store.device(device.id)) as RegisteredDevice;
    expect({ ...found, privacyPolicy: found.privacyPolicy, hardware: found.hardware }).toEqual({
      ...{ id: device.id, mac: '020000000001', name: 'Tank', type: 0, location: null, publishTo: 2 },
      ...{ ownerPubkey: 'aa'.repeat(32), ownerName: 'aaaaaaaaaaaa', createdAt: CREATED + 1 },
      ...{ privacyPolicy: registration.privacyPolicy, hardware: registration.hardware },
    });
    expect([await store.device(UNKNOWN), store.name]).toEqual([null, 'private']);
  });

  it('are in the order of registration, all or a page of them', async () => {
    await registered();
    const ids = (await store.devices()).map(({ id }) => id);
    expect(ids).toEqual(query('SELECT lower(hex(id)) FROM devices ORDER BY device').flat());
    expect(ids[0]).toBe(old.id);
    const page = async (after: string | null, limit: number) =>
      (await store.devices({ after, limit })).map(({ id }) => id);
    expect([await page(null, 1), await page(ids[0]!, 1)]).toEqual([[ids[0]], [ids[1]]]);
  });

  it('are forgotten in steps, after which the file can be made smaller', async () => {
    const { id } = await registered();
    await append(id, ...Array.from({ length: 220 }, (_, seq) => ({ seq: BigInt(seq) })));
    expect(await store.forget(id, 200)).toEqual({ readings: 200, isDone: false });
    expect((await store.device(id))!.id).toBe(id);
    expect(await store.forget(id, 200)).toEqual({ readings: 20, isDone: true });
    expect(await store.device(id)).toBe(null);
    const before = await store.bytes();
    const [[pages, bytes]] = query('SELECT * FROM pragma_page_count, pragma_page_size') as [[number, number]];
    expect(before).toBe(pages * bytes);
    expect(await store.compact()).toBe(undefined);
    expect(await store.bytes()).toBeLessThan(before);
    expect(query('SELECT * FROM pragma_freelist_count')).toEqual([[0]]);
  });
});

describe('readings', () => {
  it('are stored once, if their device is known, and each has its outcome', async () => {
    const { id } = await registered();
    const own = await append(id, { seq: 1n, receivedAt: 5 }, { seq: 1n, receivedAt: 6 }, { seq: 2n, receivedAt: 7 });
    expect(own).toEqual([{ kind: 'stored', receivedAt: 5 }, { kind: 'duplicate' }, { kind: 'stored', receivedAt: 7 }]);
    expect(await append(UNKNOWN, {})).toEqual([{ kind: 'unknown_device' }]);
    expect(await store.append([])).toEqual([]);
  });

  it('are latest first by time, then by seq, also after the place of a seq', async () => {
    const { id } = await registered();
    const LARGE = 2n ** 63n + 5n;
    const some = Object.entries({ 1: 10, 2: 10, 3: 5, 5: 10, 7: 0 }).map(([seq, time]) => [BigInt(seq), BigInt(time)]);
    const pairs = [...some, [LARGE, 2n ** 64n - 1n]] as [bigint, bigint][];
    const rest = { receivedAt: 9, keyVersion: 1, fields: [6] };
    await append(id, ...pairs.map(([seq, timestamp]) => ({ seq, timestamp, ...rest })));
    expect((await store.latest(id, 99))[0]).toEqual({
      ...{ seq: LARGE, timestamp: 2n ** 64n - 1n, receivedAt: 9, keyVersion: 1 },
      fields: { ...perFieldName(() => null), ph: 6 },
    });
    const seqs = async (limit: number, before?: bigint) =>
      (await store.latest(id, limit, before)).map(({ seq }) => seq);
    expect(await seqs(99)).toEqual([LARGE, 5n, 2n, 1n, 3n, 7n]);
    expect(await seqs(2)).toEqual([LARGE, 5n]);
    const after: [before: bigint, seqs: bigint[]][] = [
      [5n, [2n, 1n, 3n, 7n]],
      [6n, [5n, 2n, 1n, 3n, 7n]],
      [4n, [3n, 7n]],
      [3n, [7n]],
      [7n, []],
      [8n, [7n]],
      [LARGE, [5n, 2n, 1n, 3n, 7n]],
      [LARGE + 1n, [LARGE, 5n, 2n, 1n, 3n, 7n]],
      [1n, [3n, 7n]],
      [0n, []],
    ];
    for (const [before, left] of after) expect(await seqs(99, before), `before ${before}`).toEqual(left);
    expect(await seqs(1, 5n)).toEqual([2n]);
    expect(await store.latest(UNKNOWN, 99)).toEqual([]);
  });

  it('are deleted by their age, in steps', async () => {
    const prune = (limit: number) => store.prune(old.id, START + 5 * HOUR_MS, limit);
    expect(await prune(1)).toEqual({ readings: 2, isDone: false, isWaiting: false });
    expect(await prune(9)).toEqual({ readings: 1, isDone: true, isWaiting: false });
    expect(await store.prune(UNKNOWN, START, 9)).toEqual({ readings: 0, isDone: true, isWaiting: false });
    const strays = (after: bigint | null, limit: number, before = START + HOUR_MS) =>
      store.pruneStrays(old.id, before, after, limit);
    expect(await strays(null, 1000, START)).toEqual({ readings: 0, next: null });
    expect(await strays(1n, 1000)).toEqual({ readings: 1, next: null });
    expect(await strays(null, 1)).toEqual({ readings: 1, next: 5n });
  });

  it('have other times of arrival once their clock is known to be wrong', async () => {
    const [first, second] = [await registered(), await registered()];
    for (const { id } of [first, second]) await append(id, { seq: 1n, clock: 7 });
    const move: ArrivalMove = { clock: 7, next: 8, by: 1000, from: START, to: START, at: CREATED };
    const [[number]] = query(`SELECT device FROM devices WHERE id = x'${first.id}'`) as [[number]];
    expect(await store.moveArrivals(move, `${number} ${START}`, 10)).toEqual({ devices: [second.id], next: null });
    expect(await store.moveArrivals(move, null, 10)).toEqual({ devices: [], next: null });
    expect(await append(first.id, { seq: 2n, clock: 7 })).toEqual([{ kind: 'stored', receivedAt: START + 1000 }]);
    const arrivals = async ({ id }: SimulatedDevice) => (await store.latest(id, 9)).map(({ receivedAt }) => receivedAt);
    expect([await arrivals(first), await arrivals(second)]).toEqual([[START + 1000, START], [START + 1000]]);
  });
});

describe('blocks', () => {
  it.each([false, true])('are ingested by appending: %s', async (isByAppend) => {
    const device = await registered();
    const { used, verifiers } = playedVerifiers();
    const ingesting = new SqliteStore('private', path, served.writer, { verifiers, isByAppend });
    const check = { publicKey: Buffer.from(device.id, 'hex'), signature: 'ab'.repeat(64), message: 'cd' };
    const block: NewBlock = { check, reading: { ...BLOCK_READING, clock: 0 } };
    expect(await ingesting.ingest([block])).toEqual([{ kind: 'stored', receivedAt: 3 }]);
    expect(used).toEqual([isByAppend ? 'append' : 'lane']);
    const fields = { ...perFieldName(() => null), ...BLOCK_READING.fields };
    expect(await ingesting.latest(device.id, 9)).toEqual([
      { seq: 1n, timestamp: 2n, receivedAt: 3, keyVersion: 4, fields },
    ]);
    await ingesting.close();
  });

  it('are not ingested without verifiers', () => {
    expect(() => store.ingest([])).toThrow(new Error('the private store was opened without verifiers'));
  });
});

describe('counts', () => {
  const counts = (outcome: string, more: Partial<Counts> = {}): Counts => ({
    ...{ withheld: [], outcomes: [{ hour: 1, outcome, count: 2 }], unregistered: null, ...more },
  });

  it('are added, and some wait for another write', async () => {
    const stranger = { id: UNKNOWN, attempts: 1, firstAt: 2, lastAt: 3, lastError: 'who' };
    expect(await store.unregistered()).toEqual([]);
    const written = () => query('SELECT outcome || hour || count FROM hourly_counts ORDER BY outcome').flat();
    const riding = store.addCounts(counts('riding', { unregistered: [stranger] }), 60_000);
    expect([await store.refusal(), written()]).toEqual([null, []]);
    expect([await store.addCounts(counts('alone')), await riding]).toEqual([undefined, undefined]);
    expect(written()).toEqual(['alone12', 'riding12']);
    expect(await store.unregistered()).toEqual([stranger]);
  });

  it('of the log are signed in checkpoints', async () => {
    expect(await store.addCheckpoint({ size: 4, at: 5, note: 'signed' })).toBe(undefined);
    expect(query('SELECT size, at, note FROM log_checkpoints')).toEqual([[4, 5, 'signed']]);
  });
});

describe('the owner’s records', () => {
  const [A, B] = ['aa'.repeat(32), 'bb'.repeat(32)];
  const photo = { id: 'ee'.repeat(32), width: 4, height: 3, bytes: 100 };
  const noted: NewEntry = { id: null, device: A, at: 6, text: 'noted', updatedAt: 7, by: 'phone' };
  const seen: NewEntry = { ...noted, device: B, at: 5, act: { kind: 'observed', photos: [photo] } };

  it('are entries of the journal, and a choice that is written with one', async () => {
    const ids = [await store.writeEntry(noted), await store.writeEntry(seen, { name: 'tasks', value: [1] })];
    expect(ids).toEqual([1, 2]);
    expect(query('SELECT name, value, updated_at FROM owner_choices')).toEqual([['tasks', '[1]', 7]]);
    expect([await store.entry(1), await store.entry(2), await store.entry(3)]).toEqual([
      { ...noted, id: 1 },
      { ...seen, id: 2 },
      null,
    ]);
    expect(await store.entriesWithPhotos()).toEqual([{ ...seen, id: 2 }]);
    const changed = { ...noted, id: 1, text: 'changed' };
    expect([await store.writeEntry(changed), await store.writeEntry({ ...noted, id: 9 })]).toEqual([1, null]);
    expect(await store.entry(1)).toEqual(changed);
    expect([await store.deleteEntry(1), await store.deleteEntry(1), await store.entry(1)]).toEqual([true, false, null]);
  });

  it('are choices', async () => {
    expect(await store.setChoice('units', { ec: 'ppm500' }, 8)).toBe(undefined);
    await store.setChoice('tasks', [], 9);
    expect(Object.fromEntries(await store.choices())).toEqual({ tasks: [], units: { ec: 'ppm500' } });
    expect(query('SELECT name || updated_at FROM owner_choices ORDER BY name').flat()).toEqual(['tasks9', 'units8']);
  });

  it('are notes, with which the entries of a device go, unless they are to stay', async () => {
    const notes = { ...NO_NOTES, displayName: 'Tank' };
    expect(await store.setNotes(A, notes, 11)).toBe(undefined);
    const noteRows = () => query('SELECT lower(hex(id)), display_name, updated_at FROM device_notes');
    expect(noteRows()).toEqual([[A, 'Tank', 11]]);
    const entry = (await store.writeEntry(noted))!;
    await store.setNotes(A, null, 12, true);
    expect([noteRows(), (await store.entry(entry))?.id]).toEqual([[], entry]);
    await store.setNotes(A, null, 13);
    expect(await store.entry(entry)).toBe(null);
  });
});

describe('a store', () => {
  it('passes its durability on', async () => {
    const set = vi.spyOn(served.writer, 'setDurability');
    expect(await store.setDurability('full')).toBe(undefined);
    expect(set.mock.calls).toEqual([['full']]);
    expect(set.mock.settledResults).toEqual([{ type: 'fulfilled', value: undefined }]);
  });

  it('says why it refuses readings, and is read until it is closed', async () => {
    const publicPath = storePath(folder, 'public');
    prepareStore(publicPath, 'public');
    const bounds = { maxDevices: 1, maxBytes: 1, minFreeBytes: 0, minFreePart: 0 };
    const own = new ServedWriter({ path: publicPath, durability: 'normal', bounds }, log);
    const full = new SqliteStore('public', publicPath, own.writer);
    const refusal = { code: 'limit', message: 'the store holds its limit of 1 bytes' };
    expect([await full.refusal(), full.name, await full.devices()]).toEqual([refusal, 'public', []]);
    await expect(full.register(registrationOf(old), CREATED)).rejects.toMatchObject(refusal);
    await full.close();
    await expect(full.devices()).rejects.toThrow('not open');
    await own.end();
  });
});
