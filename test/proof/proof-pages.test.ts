import { afterAll, beforeAll, expect, it } from 'vitest';
import { QueryMemory, type QueryName, STORES_ALONE } from '../../src/main/owner/queries/queries.ts';
import { runQuery } from '../../src/main/owner/queries/thread/query-methods.ts';
import { sha256, verifyEd25519 } from '../../src/main/proof/log-key.ts';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { StoresReader } from '../../src/main/store/stores-view.ts';
import { buildProof } from '../../src/renderer/features/device/export/build-proof.ts';
import {
  type Input,
  METHODS,
  type MethodName,
  type Output,
  type OwnerApi,
} from '../../src/shared/owner-api/contract.ts';
import type { OwnerReading } from '../../src/shared/owner-api/readings.ts';
import { parseEntry } from '../../src/shared/proof/leaf.ts';
import { checkProof, ProofCheck } from '../../src/shared/proof/proof-file.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { makeProvenFolder, PROVEN, PROVEN_AT, provenReadings } from '../support/proven-store.ts';
import { storePath } from '../support/store-file.ts';

const MORE = 1200;
const LOGGED = 6 + MORE;
const device = { id: PROVEN.id, clockNotSet: false };
const { signal } = new AbortController();

let folder: string;
let reader: StoresReader;
let memory: QueryMemory;
let readings: readonly OwnerReading[];
beforeAll(async () => {
  folder = temporaryFolder();
  makeProvenFolder(folder);
  const writer = new DirectWriter(storePath(folder, 'local'));
  writer.append(provenReadings(10, MORE));
  writer.sumUp();
  // These are in the store, and not hashed.
  writer.append(provenReadings(5000, 3));
  writer.close();
  reader = await openStoresReader({ private: fileLocation(storePath(folder, 'local')), public: null });
  memory = new QueryMemory('ab'.repeat(32), folder);
  const page = await call('readingsPage', { id: device.id, from: null, to: null, cursor: null, limit: 2000 });
  ({ readings } = page);
});
afterAll(async () => {
  await reader.close();
  removeFolder(folder);
});

async function call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>> {
  const query = { method: method as QueryName, input: METHODS[method].input.parse(input) as never };
  const answer = await runQuery(reader, memory, { ...query, context: { ...STORES_ALONE, now: PROVEN_AT } });
  return METHODS[method].output.parse(answer) as Output<M>;
}
const api: Pick<OwnerApi, 'call'> = { call };

/** Verifies a file; gives the seqs of its readings. */
async function verified(blob: Blob): Promise<number[]> {
  const check = new ProofCheck({ sha256, verify: verifyEd25519 });
  const text = await blob.text();
  const proven = await checkProof(check, blob.stream());
  expect(check.fault).toBeNull();
  const entries = text.split('\n').flatMap((line) => {
    const { entry } = JSON.parse(line || '{}') as { entry?: string };
    const read = entry === undefined ? null : parseEntry(entry);
    return read?.kind === 'reading' ? [Number(read.seq)] : [];
  });
  expect(entries).toHaveLength(proven!.readings);
  return entries;
}

it('proves a range in pages, and counts readings that the log lacks', async () => {
  const {
    blob,
    readings: count,
    leftOut,
  } = await buildProof(...([device, { kind: 'range', id: device.id, from: null, to: null }, api, signal] as const));
  expect([count, leftOut]).toEqual([LOGGED, 3]);
  expect(await verified(blob!)).toHaveLength(LOGGED);
});

it('proves the table’s readings in any order, and a single one', async () => {
  const shown = [readings[700]!, readings[3]!, readings[40]!];
  const table = await buildProof(device, { kind: 'shown', readings: shown }, api, signal);
  expect(await verified(table.blob!)).toEqual(shown.map(({ seq }) => Number(seq)).sort((a, b) => a - b));
  const one = await buildProof(device, { kind: 'shown', readings: [readings[3]!] }, api, signal);
  expect(await verified(one.blob!)).toEqual([Number(readings[3]!.seq)]);
});

it('uses arrivals if the device’s clock is not set', async () => {
  const [from, to] = [PROVEN_AT + 60_250, PROVEN_AT + 3 * 60_000 + 250];
  const source = { kind: 'range', id: device.id, from, to } as const;
  const { blob } = await buildProof({ ...device, clockNotSet: true }, source, api, signal);
  expect(await verified(blob!)).toEqual([1, 2, 3]);
});

it('continues with the tree of its first page while readings arrive', async () => {
  let pages = 0;
  const growing: Pick<OwnerApi, 'call'> = {
    call: async (method, input) => {
      const answer = await call(method, input);
      pages += 1;
      if (pages !== 2) return answer;
      const writer = new DirectWriter(storePath(folder, 'local'));
      writer.append(provenReadings(6000, 40));
      writer.sumUp();
      writer.close();
      return answer;
    },
  };
  const source = { kind: 'range', id: device.id, from: null, to: null } as const;
  const { blob, leftOut } = await buildProof(device, source, growing, signal);
  expect(await verified(blob!)).toHaveLength(LOGGED);
  expect(leftOut).toBe(43);
});

it('writes no file if the log has none of the readings', async () => {
  const { blob, leftOut } = await buildProof(
    { ...device },
    { kind: 'range', id: device.id, from: PROVEN_AT - 9000, to: PROVEN_AT - 1 },
    ...([api, signal] as const),
  );
  expect([blob, leftOut]).toEqual([null, 0]);
});

it('adds opened values of the page, after their readings', async () => {
  const source = { kind: 'range', id: device.id, from: PROVEN_AT, to: PROVEN_AT + 4 * 60_000 } as const;
  const line = JSON.stringify({ opened: 'x', owner: 'y', signature: 'z' });
  const open = async (entries: readonly string[]) => ({
    lines: entries.map((entry) => (entry.includes('\nsealed ') ? `${line}\n` : null)),
    overturned: [],
  });
  const { blob, opened } = await buildProof(device, source, api, signal, () => {}, open);
  const lines = (await blob!.text()).split('\n');
  expect(opened).toBe(1);
  expect(lines.filter((each) => each === line)).toHaveLength(1);
  expect(lines[lines.indexOf(line) - 1]).toContain('\\nsealed ph ');
  expect(lines.at(-2)).toContain('"opened":1}');
  const none = await buildProof(
    device,
    source,
    api,
    signal,
    () => {},
    async () => null,
  );
  expect([none.blob, none.opened]).toEqual([null, null]);
});

it('refuses an invalid cursor', async () => {
  const input = { id: device.id, store: null, from: null, to: null, cursor: 'private.x.1.2', limit: 10 };
  await expect(call('proofPage', input)).rejects.toMatchObject({ code: 'invalid_input' });
});
