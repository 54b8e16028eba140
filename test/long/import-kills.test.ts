import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/main/care/reference/import-summary.ts';
import { readingsOf } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { GREENHOUSE, unpackReferenceData } from '../support/reference-data.ts';
import { answerOf, startCommand } from '../support/wellhouse.ts';

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
  removeFolder(root);
});

it('an import can be killed at any moment, and repeated', async () => {
  for (const wait of [0, 100, 300, 600, 900]) {
    const { child, ended } = startCommand(dataDir, ['import', source]);
    setTimeout(() => child.kill('SIGKILL'), wait + 200);
    await ended;
  }
  const { stores } = await answerOf<ImportSummary>(dataDir, ['import', source]);
  for (const { readings } of [stores.private!, stores.public!]) {
    expect(readings.taken + readings.present).toBe(600);
    expect(readings.skipped).toBe(0);
  }
  expect(readdirSync(dataDir).filter((name) => name.startsWith('import-'))).toEqual([]);
  node = await startNode({ dataDir });
  expect(await readingsOf(node.url('local'), GREENHOUSE)).toHaveLength(300);
});
