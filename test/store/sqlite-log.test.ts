import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import type { LoggedReading, LogProblem, StoreLog, StoresView } from '../../src/main/store/port.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { hashOfText, sha256 } from '../../src/main/store/sqlite/file/leaf-rows.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { parseEntry } from '../../src/shared/proof/leaf.ts';
import { inclusionPath, nodeHash, rootByPath, rootOf } from '../../src/shared/proof/merkle.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { MAX_UINT64 } from '../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { newReading } from '../support/readings.ts';
import { storePath } from '../support/store-file.ts';

const START = 1_760_000_000_000;
const HOUR = 3_600_000;
const SPAN = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const devices = [1, 2].map((byte) => new SimulatedDevice({ seed: Buffer.alloc(32, byte) }));

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

const readingOf = (device: SimulatedDevice, seq: number, over: object = {}) =>
  newReading(device.id, {
    ...{ seq: BigInt(seq), timestamp: BigInt(START + seq * 60_000), receivedAt: START + seq * 60_000 + 7 },
    fields: [seq / 100, new Uint8Array(40).fill(seq)],
    signed: { signature: new Uint8Array(64).fill(seq), raw: Buffer.from(`raw of ${seq}`) },
    ...over,
  });

/** Makes one reading after the other, of the devices in turn. */
function sequence() {
  let seq = 0;
  return () => {
    seq += 1;
    return readingOf(devices[seq % 2]!, seq);
  };
}

async function ask<T>(question: (log: StoreLog, view: StoresView) => T | Promise<T>): Promise<T> {
  const reader = await openStoresReader({ private: fileLocation(path), public: null });
  try {
    return await reader.snapshot(async (view) => question(await view.log('private'), view));
  } finally {
    await reader.close();
  }
}

const problems = () => ask((log) => problemsOf(log));
async function problemsOf(log: StoreLog): Promise<LogProblem[]> {
  const blocks = Array.from({ length: Math.ceil(log.size / 256) }, async (_, block) => log.check(block));
  return (await Promise.all(blocks)).flat();
}

/** The root by the definition of RFC 6962. */
function rootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(sha256, rootOfLeaves(leaves.slice(0, k)), rootOfLeaves(leaves.slice(k)));
}

const treeOf = (log: StoreLog) => ({ sha256, subtree: (level: number, at: number) => log.subtree(level, at) });
const rootNow = () =>
  ask((log) => ({ size: log.size, root: Buffer.from(rootOf(treeOf(log), log.size)).toString('hex') }));

/** Changes the store's file as somebody would who is not the program. */
function tamper(sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

describe('the log of a store', () => {
  it('has each reading in the order in which it was stored, with all that is kept of it', async () => {
    writer.append([
      readingOf(devices[0]!, 1),
      readingOf(devices[1]!, 1),
      readingOf(devices[0]!, 1),
      readingOf(devices[0]!, 2),
    ]);
    writer.sumUp();
    const found = await ask(async (log, view) => ({
      size: log.size,
      of: await Promise.all(devices.map(({ id }) => view.loggedReadings('private', id, SPAN, null, 10))),
    }));
    expect(found.size).toBe(3);
    expect(found.of.map((list) => list.map(({ index }) => index))).toEqual([[0, 2], [1]]);
    expect(parseEntry(found.of[0]![1]!.text)).toEqual({
      ...{ kind: 'reading', device: devices[0]!.id, seq: '2', timestamp: String(START + 120_000) },
      ...{ receivedAt: START + 120_007, clock: 0, keyVersion: 0 },
      signed: { signature: new Uint8Array(64).fill(2), raw: new Uint8Array(Buffer.from('raw of 2')) },
      fields: new Map<string, unknown>([
        ['ph', 0.02],
        ['ec', new Uint8Array(40).fill(2)],
      ]),
    });
  });

  it('proves every reading, and its hashes are those of the definition, at every size', async () => {
    const next = sequence();
    for (const count of [1, 1, 5, 56, 200, 249, 1, 300]) {
      writer.append(Array.from({ length: count }, next));
      writer.sumUp();
      await ask(async (log, view) => {
        const texts: string[] = [];
        for (const { id } of devices) {
          for (const { index, text } of await view.loggedReadings('private', id, SPAN, null, 2000))
            texts[index!] = text;
        }
        expect(texts).toHaveLength(log.size);
        const root = rootOf(treeOf(log), log.size);
        expect(root).toEqual(rootOfLeaves(texts.map(hashOfText)));
        for (let index = 0; index < log.size; index += 1 + Math.floor(log.size / 50)) {
          const path = inclusionPath(treeOf(log), index, log.size);
          expect(rootByPath(sha256, { index, size: log.size, leaf: hashOfText(texts[index]!), path })).toEqual(root);
        }
        expect(await problemsOf(log)).toEqual([]);
      });
    }
  });

  it('stays the same whatever is deleted by the program, before or after it was hashed, and however often it is opened', async () => {
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
    const next = sequence();
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

  it('keeps the hashes of readings that retention deleted', async () => {
    writer.append(Array.from({ length: 1200 }, (_, seq) => readingOf(devices[0]!, seq)));
    writer.sumUp();
    const before = await rootNow();
    const [outcome] = writer.run([{ kind: 'prune', id: devices[0]!.id, before: START + 10 * HOUR, limit: 1000 }]);
    expect(outcome).toMatchObject({ ok: true, result: { isDone: true } });
    expect(await rootNow()).toEqual(before);
    const left = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9999));
    expect(left.length).toBeGreaterThanOrEqual(500);
    expect(left.length).toBeLessThan(700);
    expect(await problems()).toEqual([]);
  });

  it('keeps the time at which a reading was received first, and the correction beside it', async () => {
    writer.append([{ ...readingOf(devices[0]!, 1), clock: 7 }, readingOf(devices[0]!, 2)]);
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

  it('keeps how a device was registered until it is forgotten, and its hash for good', async () => {
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

  it('has no index for readings of before it, and goes on after them', async () => {
    writer.append([readingOf(devices[0]!, 1)]);
    writer.sumUp();
    tamper('UPDATE readings SET entry = NULL; DELETE FROM log_leaves; UPDATE log_state SET size = 0');
    writer.close();
    writer = new DirectWriter(path);
    writer.append([readingOf(devices[0]!, 2)]);
    const logged = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    expect(logged.map(({ index }) => index)).toEqual([null, null]);
    writer.sumUp();
    const hashed = await ask((_, view) => view.loggedReadings('private', devices[0]!.id, SPAN, null, 9));
    expect(hashed.map(({ index }) => index)).toEqual([null, 0]);
  });
});

describe('what was changed behind the back of the program is found', () => {
  beforeEach(() => {
    writer.append(Array.from({ length: 600 }, (_, seq) => readingOf(devices[0]!, seq)));
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
    writer.append([readingOf(devices[0]!, 600), readingOf(devices[0]!, 601)]);
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
