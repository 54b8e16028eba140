import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import { hashOfText } from '../../src/main/store/log-leaves.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { toRow } from '../../src/main/store/sqlite/write/write-jobs.ts';
import type { LoggedReading, StoreLog } from '../../src/main/store/store-log.ts';
import type { StoresView } from '../../src/main/store/stores-view.ts';
import { parseEntry } from '../../src/shared/proof/leaf.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { problemsOf, rootAt, rootOfLeaves } from '../support/log-trees.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { LOG_DEVICES, LOG_SPAN, LOG_START, logContract, loggedReading, loggedReadings } from './contract/log.ts';

const HOUR = 3_600_000;
const [START, SPAN, devices] = [LOG_START, LOG_SPAN, LOG_DEVICES];

let folder: string;
let path: string;
let writer: DirectWriter;
beforeEach(() => {
  folder = temporaryFolder();
  path = storePath(folder, 'local');
  prepareStore(path, 'private');
  writer = new DirectWriter(path);
  for (const device of devices) register(device);
});
afterEach(() => {
  writer.close();
  removeFolder(folder);
});

const register = (device: SimulatedDevice) =>
  writer.register(deviceRegistration.parse(device.registration({ publishTo: 0 })), START);

const ask = <T>(question: (log: StoreLog, view: StoresView) => T | Promise<T>) => askOf(path, question);
async function askOf<T>(path: string, question: (log: StoreLog, view: StoresView) => T | Promise<T>): Promise<T> {
  const reader = await openStoresReader({ private: fileLocation(path), public: null });
  try {
    return await reader.snapshot(async (view) => question(await view.log('private'), view));
  } finally {
    await reader.close();
  }
}

const problems = () => ask((log) => problemsOf(log));
const rootNow = () => ask((log) => ({ size: log.size, root: rootAt(log) }));

/** Changes the store's file as somebody would who is not the program. */
function tamper(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe('the log of a store', () => {
  describe('passes the contract', () =>
    logContract(async () => {
      const folder = temporaryFolder();
      const path = storePath(folder, 'local');
      prepareStore(path, 'private');
      const writer = new DirectWriter(path);
      return {
        name: 'private',
        register: (registration, at, origin) => writer.register(registration, at, origin),
        append: (readings) => writer.append(readings),
        prune: (id, before) => void writer.run([{ kind: 'prune', id, before, limit: 1000 }]),
        forget: (id) => void writer.run([{ kind: 'forget', id, limit: 10_000 }]),
        hash: () => void writer.sumUp(),
        ask: (question) => askOf(path, question),
        close: () => {
          writer.close();
          removeFolder(folder);
        },
      };
    }));

  it('stays the same after any deletion by the program, before or after hashing, and any number of opens', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const), count: fc.integer({ min: 1, max: 90 }) }),
      fc.constant({ kind: 'hash' as const }),
      fc.constant({ kind: 'open' as const }),
      fc.record({
        kind: fc.constant('forget' as const),
        device: fc.nat({ max: 1 }),
        limit: fc.integer({ min: 1, max: 60 }),
      }),
      fc.record({ kind: fc.constant('strays' as const), device: fc.nat({ max: 1 }) }),
    );
    const next = loggedReadings();
    const leaves: Uint8Array[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const each of steps) {
          if (each.kind === 'append') {
            const readings = Array.from({ length: each.count }, next);
            const before = leaves.length;
            writer.append(readings);
            await ask(async (_log, view) => {
              for (const { id } of devices) {
                const logged = await view.loggedReadings('private', id, SPAN, null, 100_000);
                for (const { seq: of, text } of logged) {
                  const at = readings.findIndex((reading) => reading.deviceId === id && reading.seq === of);
                  if (at >= 0) leaves[before + at] = hashOfText(text);
                }
              }
            });
          } else if (each.kind === 'hash') writer.sumUp();
          else if (each.kind === 'open') {
            writer.close();
            writer = new DirectWriter(path);
          } else if (each.kind === 'forget') {
            writer.run([{ kind: 'forget', id: devices[each.device]!.id, limit: each.limit }]);
            register(devices[each.device]!);
          } else {
            const id = devices[each.device]!.id;
            writer.run([{ kind: 'pruneStrays', id, before: START * 2, after: null, limit: 5 }]);
          }
        }
        writer.sumUp();
        const { size, root } = await rootNow();
        expect(size).toBe(leaves.length);
        expect(root).toBe(Buffer.from(rootOfLeaves(leaves)).toString('hex'));
        expect(await problems()).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('keeps the hash of a reading that is deleted when it is the next to be hashed', async () => {
    const [{ id }] = devices as [SimulatedDevice];
    for (const first of [0, 2]) {
      writer.append([loggedReading(devices[0]!, first), loggedReading(devices[0]!, first + 1)]);
      const logged = await ask((_, view) => view.loggedReadings('private', id, SPAN, null, 9));
      const next = hashOfText(logged.find(({ seq }) => seq === BigInt(first))!.text);
      writer.run([{ kind: 'forget', id, limit: 1 }]);
      writer.sumUp();
      expect(await ask((log) => Buffer.from(log.subtree(0, first)).equals(next))).toBe(true);
      expect(await problems()).toEqual([]);
      // So that the next reading is the oldest.
      writer.run([{ kind: 'forget', id, limit: 1 }]);
    }
  });

  it('gives the places of a group that failed to the next ones', async () => {
    const faulty = { hour: null as never, outcome: 'stored', count: 1 };
    const counts = { withheld: [], outcomes: [faulty], unregistered: null };
    const append = (seq: number) => ({ kind: 'append' as const, rows: [toRow(loggedReading(devices[0]!, seq))] });
    expect(() => writer.run([append(1), { kind: 'count', counts }, append(2)])).toThrow('NOT NULL');
    writer.append([loggedReading(devices[0]!, 3)]);
    writer.sumUp();
    const logged = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    expect(logged.map(({ seq, index }) => [seq, index])).toEqual([
      [1n, 0],
      [2n, 1],
      [3n, 2],
    ]);
    expect(await problems()).toEqual([]);
  });

  it('keeps the first time of arrival, and the correction beside it', async () => {
    writer.append([{ ...loggedReading(devices[0]!, 1), clock: 7 }, loggedReading(devices[0]!, 2)]);
    writer.sumUp();
    const before = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    for (const [clock, next] of [
      [7, 8],
      [8, 9],
    ] as const) {
      const move = { clock, next, by: -HOUR, from: START - HOUR, to: START + 9 * HOUR, at: START + 2 * HOUR };
      writer.run([{ kind: 'moveArrivals', move, after: null, limit: 100 }]);
    }
    writer.sumUp();
    const after = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    const asSaid = ({ index, text }: LoggedReading) => ({ index, text });
    expect(after.map(asSaid)).toEqual(before.map(asSaid));
    expect(after[0]!.receivedAt).toBe(before[0]!.receivedAt - 2 * HOUR);
    expect(parseEntry(before[0]!.text)).toMatchObject({ receivedAt: START + 60_007, clock: 7 });
    expect(await ask((log) => log.corrections())).toEqual(
      [
        [7, 8],
        [8, 9],
      ].map(([clock, next], at) => ({
        index: 2 + at,
        text: `correction\nclock ${clock}\nnext ${next}\nby -3600000\nat ${START + 2 * HOUR}\n`,
      })),
    );
    expect(await problems()).toEqual([]);
  });

  it('keeps a device’s registration until it is deleted, and its hash for good', async () => {
    const device = new SimulatedDevice({ seed: Buffer.alloc(32, 3), name: 'Tank' });
    const received = deviceRegistration.parse(device.registration({ publishTo: 0 }));
    const entry = (at: number) => ({
      ...{ kind: 'registration', device: device.id, at, way: 'adopted', by: '"Ann\\n"' },
      received: JSON.stringify(received),
    });
    const accept = (at: number) =>
      writer.register({ ...received, name: 'Renamed' }, at, { way: 'adopted', by: 'Ann\n', received });
    const kept = () => ask((log) => log.registrations(device.id).map(({ text }) => parseEntry(text)));
    accept(START);
    writer.sumUp();
    expect(await kept()).toEqual([entry(START)]);
    const before = await rootNow();
    writer.run([{ kind: 'forget', id: device.id, limit: 10 }]);
    expect(await kept()).toEqual([]);
    expect(await rootNow()).toEqual(before);
    // Also where it was not hashed yet.
    accept(START + 1);
    writer.run([{ kind: 'forget', id: device.id, limit: 10 }]);
    accept(START + 2);
    writer.sumUp();
    expect(await kept()).toEqual([entry(START + 2)]);
    expect(await ask((log) => log.registrations(null).length)).toBe(1);
    expect((await rootNow()).size).toBe(3);
    expect(await problems()).toEqual([]);
  });

  it('has no index for earlier readings, and continues after them', async () => {
    writer.append([loggedReading(devices[0]!, 1)]);
    writer.sumUp();
    tamper('UPDATE readings SET entry = NULL; DELETE FROM log_leaves; UPDATE log_state SET size = 0');
    writer.close();
    writer = new DirectWriter(path);
    writer.append([loggedReading(devices[0]!, 2)]);
    const logged = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    expect(logged.map(({ index }) => index)).toEqual([null, null]);
    writer.sumUp();
    const hashed = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    expect(hashed.map(({ index }) => index)).toEqual([null, 0]);
  });
});

describe('changes by other programs are found', () => {
  beforeEach(() => {
    writer.append(Array.from({ length: 600 }, (_, seq) => loggedReading(devices[0]!, seq)));
    writer.sumUp();
  });
  const named = (seq: number) => ({ device: devices[0]!.id, seq: String(seq) });

  it.each([
    ['a value', 'ph = ph + 0.01'],
    ['a sealed value', "ec = x'00112233445566778899aabbccddeeff'"],
    ['a time of arrival', 'received_at = received_at + 1'],
    ['a timestamp', 'timestamp = timestamp + 1'],
    ['a signature', 'signature = zeroblob(64)'],
    ['what was signed', "signed = x'00'"],
    ['a signature that is taken away', 'signature = NULL, signed = NULL'],
    ['a value that is taken away', 'ph = NULL'],
    ['a key version', 'key_version = 5'],
  ])('%s, with its reading named', async (_what, change) => {
    tamper(`UPDATE readings SET ${change} WHERE seq = 300`);
    expect(await problems()).toEqual([{ index: 300, kind: 'changed', reading: named(300) }]);
  });

  it('a reading that was deleted', async () => {
    tamper('DELETE FROM readings WHERE seq = 300');
    expect(await problems()).toEqual([{ index: 300, kind: 'deleted', reading: null }]);
  });

  it('a reading that was deleted before it was hashed', async () => {
    writer.append([loggedReading(devices[0]!, 600), loggedReading(devices[0]!, 601)]);
    tamper('DELETE FROM readings WHERE seq = 600');
    writer.sumUp();
    expect(await problems()).toEqual([{ index: 600, kind: 'deleted', reading: null }]);
  });

  it('a registration', async () => {
    const received = deviceRegistration.parse(devices[0]!.registration({ publishTo: 0 }));
    writer.run([{ kind: 'forget', id: devices[1]!.id, limit: 10 }]);
    writer.register({ ...received, id: devices[1]!.id }, START, { way: 'local', by: null, received });
    writer.sumUp();
    tamper("UPDATE log_entries SET content = replace(content, 'way local', 'way gate')");
    expect(await problems()).toEqual([{ index: 600, kind: 'changed', reading: null }]);
  });

  it.each([
    ['a leaf', 'UPDATE log_leaves SET hash = zeroblob(32) WHERE entry = 300', 'changed'],
    ['a leaf that is taken away', 'DELETE FROM log_leaves WHERE entry = 300', 'hash'],
    ['a node', 'UPDATE log_nodes SET hash = zeroblob(32) WHERE level = 8 AND position = 1', 'hash'],
    ['a node above', 'UPDATE log_nodes SET hash = zeroblob(32) WHERE level = 9', 'hash'],
    ['a node that is taken away', 'DELETE FROM log_nodes WHERE level = 9', 'hash'],
  ])('%s of the log itself', async (_what, sql, kind) => {
    tamper(sql);
    expect((await problems()).map((problem) => problem.kind)).toEqual([kind]);
  });
});
