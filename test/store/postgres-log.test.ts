import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoreLocation } from '../../src/main/store/engine.ts';
import { engineOf, StoreWriters } from '../../src/main/store/engines.ts';
import type { LogProblem, LogView, Store, StoreLog } from '../../src/main/store/port.ts';
import { hashOfText, sha256 } from '../../src/main/store/sqlite/file/leaf-rows.ts';
import { parseEntry } from '../../src/shared/proof/leaf.ts';
import { inclusionPath, nodeHash, rootByPath, rootOf } from '../../src/shared/proof/merkle.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { MAX_UINT64 } from '../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { PostgresServer, postgresPrograms } from '../support/postgres-server.ts';
import { newReading } from '../support/readings.ts';

const START = 1_760_000_000_000;
const SPAN = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
const log = pino({ level: 'silent' });
const programs = postgresPrograms();
const devices = [1, 2].map((byte) => new SimulatedDevice({ seed: Buffer.alloc(32, byte) }));

const readingOf = (device: SimulatedDevice, seq: number) =>
  newReading(device.id, {
    ...{ seq: BigInt(seq), timestamp: BigInt(START + seq * 60_000), receivedAt: START + seq * 60_000 + 7 },
    fields: [seq / 100, new Uint8Array(40).fill(seq)],
    signed: { signature: new Uint8Array(64).fill(seq), raw: Buffer.from(`raw of ${seq}`) },
  });

/** The root by the definition of RFC 6962. */
function rootOfLeaves(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leaves[0]!;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(sha256, rootOfLeaves(leaves.slice(0, k)), rootOfLeaves(leaves.slice(k)));
}

const treeOf = (tree: StoreLog) => ({ sha256, subtree: (level: number, at: number) => tree.subtree(level, at) });

async function problemsOf(tree: StoreLog): Promise<LogProblem[]> {
  const problems: LogProblem[] = [];
  for (let block = 0; block * 256 < tree.size; block += 1) problems.push(...(await tree.check(block)));
  return problems;
}

describe.skipIf(programs === null)(
  programs === null ? 'a log in PostgreSQL (skipped: no server in /usr/lib/postgresql)' : 'a log in PostgreSQL',
  () => {
    let server: PostgresServer;
    let schemas = 0;
    let schema: string;
    let location: StoreLocation;
    let writers: StoreWriters;
    let [one, other] = [] as unknown as [Store, Store];
    let seq = 0;

    beforeAll(async () => {
      server = await PostgresServer.start(programs!);
    }, 60_000);
    afterAll(() => server.stop());
    beforeEach(async () => {
      schemas += 1;
      schema = `log_${schemas}`;
      location = server.location(schema);
      await engineOf(location).prepare('public', location);
      writers = new StoreWriters({ log, ingesting: null });
      const options = { durability: 'full', bounds: null } as const;
      one = await writers.open('public', location, options);
      other = await writers.open('public', location, options);
      for (const device of devices) {
        const registration = deviceRegistration.parse(device.registration());
        await one.register(registration, START, { way: 'public', by: null, received: registration });
      }
      seq = 0;
    });
    afterEach(async () => {
      for (const store of [one, other]) await store.close();
      await writers.close();
    });

    const append = (count: number) =>
      one.append(
        Array.from({ length: count }, () => {
          seq += 1;
          return readingOf(devices[seq % 2]!, seq);
        }),
      );
    const logAll = async (store = one) => {
      while ((await store.shared!.logWaiting(200)) > 0);
    };
    const ask = async <T>(question: (tree: StoreLog, view: LogView) => T | Promise<T>): Promise<T> => {
      const reader = await engineOf(location).openLog!(location);
      try {
        return await reader.snapshot(async (view) => question(await view.log('public'), view));
      } finally {
        await reader.close();
      }
    };
    const rootNow = () => ask((tree) => ({ size: tree.size, root: rootOf(treeOf(tree), tree.size) }));

    it('has registrations and readings in the order in which they were stored, with all that is kept of them', async () => {
      await one.append([readingOf(devices[0]!, 1), readingOf(devices[1]!, 1), readingOf(devices[0]!, 1)]);
      await one.append([readingOf(devices[0]!, 2)]);
      await logAll();
      await ask(async (tree, view) => {
        expect(tree.size).toBe(5);
        expect(tree.registrations(devices[1]!.id)).toMatchObject([
          { index: 1, text: expect.stringContaining(`"${devices[1]!.id}"`) },
        ]);
        const found = await view.loggedReadings('public', devices[0]!.id, SPAN, null, 10);
        expect(found.map(({ index }) => index)).toEqual([expect.any(Number), 4]);
        expect(parseEntry(found[1]!.text)).toEqual({
          ...{ kind: 'reading', device: devices[0]!.id, seq: '2', timestamp: String(START + 120_000) },
          ...{ receivedAt: START + 120_007, clock: 0, keyVersion: 0 },
          signed: { signature: new Uint8Array(64).fill(2), raw: new Uint8Array(Buffer.from('raw of 2')) },
          fields: new Map<string, unknown>([
            ['ph', 0.02],
            ['ec', new Uint8Array(40).fill(2)],
          ]),
        });
      });
    });

    it('proves every reading, and its hashes are those of the definition, at every size', async () => {
      for (const count of [1, 3, 50, 200, 250, 1, 300, 600]) {
        await append(count);
        await logAll(count % 2 === 0 ? one : other);
        await ask(async (tree, view) => {
          const texts: string[] = [];
          for (const device of devices) {
            for (const { index, text } of tree.registrations(device.id)) texts[index] = text;
            for (const { index, text } of await view.loggedReadings('public', device.id, SPAN, null, 2000)) {
              texts[index!] = text;
            }
          }
          expect(texts).toHaveLength(tree.size);
          const root = rootOf(treeOf(tree), tree.size);
          expect(root).toEqual(rootOfLeaves(texts.map(hashOfText)));
          for (let index = 0; index < tree.size; index += 1 + Math.floor(tree.size / 50)) {
            const path = inclusionPath(treeOf(tree), index, tree.size);
            expect(rootByPath(sha256, { index, size: tree.size, leaf: hashOfText(texts[index]!), path })).toEqual(root);
          }
          expect(await problemsOf(tree)).toEqual([]);
        });
      }
    });

    it('gives each entry one place while two nodes log at the same time, and connections end', async () => {
      await append(400);
      const breaking = server.endConnections();
      const working = [one, other].map(async (store) => {
        for (let taken = 1; taken > 0; ) taken = await store.shared!.logWaiting(30).catch(() => 1);
      });
      await Promise.all([breaking, ...working]);
      await ask(async (tree) => {
        expect(tree.size).toBe(402);
        expect(await problemsOf(tree)).toEqual([]);
      });
    });

    it('keeps the hashes of what is forgotten or was kept long enough, and with them earlier trees', async () => {
      await append(1100);
      await logAll();
      const before = await rootNow();
      expect((await one.prune(devices[0]!.id, START + 100 * 60_000, 1000)).readings).toBe(49);
      while (!(await one.forget(devices[1]!.id, 100)).isDone);
      await append(300);
      await logAll();
      await ask(async (tree) => {
        expect(await problemsOf(tree)).toEqual([]);
        expect(rootOf(treeOf(tree), before.size)).toEqual(before.root);
        expect(tree.registrations(devices[1]!.id)).toEqual([]);
      });
    });

    it('shows what was changed, deleted or put back behind its back', async () => {
      await append(900);
      await logAll();
      await server.query(`UPDATE ${schema}.reading SET received_at = received_at + 1
        WHERE seq = ${5n - 2n ** 63n}; DELETE FROM ${schema}.reading WHERE seq = ${6n - 2n ** 63n};
        UPDATE ${schema}.log_node SET hash = sha256(hash) WHERE level = 8 AND "position" = 2`);
      const found = await ask(problemsOf);
      expect(found).toHaveLength(3);
      for (const problem of [
        { index: expect.any(Number), kind: 'changed', reading: { device: devices[1]!.id, seq: '5' } },
        { index: expect.any(Number), kind: 'deleted', reading: null },
        { index: 512, kind: 'hash', reading: null },
      ]) {
        expect(found).toContainEqual(problem);
      }
    });
  },
);
