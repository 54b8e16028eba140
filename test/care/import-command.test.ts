import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/main/care/reference/import-summary.ts';
import { readingsOf } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { GREENHOUSE, hashesOf, unpackReferenceData } from '../support/reference-data.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

let root: string;
let source: string;
let dataDir: string;
let node: RunningNode | null = null;
beforeEach(() => {
  root = temporaryFolder();
  source = join(root, 'reference');
  dataDir = join(root, 'data');
  unpackReferenceData(source);
});
afterEach(async () => {
  await node?.dispose();
  node = null;
  removeFolder(root);
});

it('imports a reference server into an empty folder, with its identity', async () => {
  const before = hashesOf(source);
  const summary = await answerOf<ImportSummary>(dataDir, ['import', source]);
  expect(summary.identity).toBe('taken');
  expect(summary.stores.private?.readings).toEqual({ taken: 600, present: 0, skipped: 0 });
  expect(summary.stores.public?.readings).toEqual({ taken: 600, present: 0, skipped: 0 });
  expect(hashesOf(source)).toEqual(before);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('import-'))).toEqual([]);
  expect(readFileSync(join(dataDir, 'identity.mnemonic'), 'utf8').trim()).toBe(
    readFileSync(join(source, 'identity.mnemonic'), 'utf8').trim(),
  );

  node = await startNode({ dataDir });
  const { publicKey } = node.started;
  const readings = await readingsOf(node.url('local'), GREENHOUSE);
  expect(readings).toHaveLength(300);
  expect(readings.every(({ ph }) => ph !== null && 'encrypted' in ph)).toBe(true);
  await node.stop();
  const again = await answerOf<ImportSummary>(dataDir, ['import', source]);
  expect(again.identity).toBe('same');
  expect(again.stores.private?.readings).toEqual({ taken: 0, present: 600, skipped: 0 });
  node = await startNode({ dataDir });
  expect(node.started.publicKey).toBe(publicKey);
});

it('adds to a node with its own identity, and keeps that', async () => {
  node = await startNode({ dataDir });
  const { publicKey } = node.started;
  const busy = await wellhouse(dataDir, ['import', source]);
  expect([busy.code, busy.stderr]).toEqual([5, expect.stringContaining('stop it first')]);
  await node.stop();
  // As a killed import leaves it.
  mkdirSync(join(dataDir, 'import-a1B2c3'));
  expect((await answerOf<ImportSummary>(dataDir, ['import', source])).identity).toBe('kept');
  expect(readdirSync(dataDir).filter((name) => name.startsWith('import-'))).toEqual([]);
  node = await startNode({ dataDir });
  expect(node.started.publicKey).toBe(publicKey);
  expect(await readingsOf(node.url('local'), GREENHOUSE)).toHaveLength(300);
});

it('refuses a folder of another program', async () => {
  const none = await wellhouse(dataDir, ['import', join(root, 'nowhere')]);
  expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('name the data folder of a reference server')]);
  expect(existsSync(join(dataDir, 'identity.mnemonic'))).toBe(false);
  writeFileSync(join(source, 'raiznet_public.db'), Buffer.alloc(8192, 7));
  const damaged = await wellhouse(dataDir, ['import', source]);
  expect([damaged.code, damaged.stderr]).toEqual([3, expect.stringContaining('raiznet_public.db is damaged')]);
  expect(existsSync(join(dataDir, 'identity.mnemonic'))).toBe(false);
});
