import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeFolder, runToEnd, startNode, temporaryFolder } from '../support/node-process.ts';

// What an owner can get wrong when putting a backup in place.

let dataDir: string;
const file = (name: string) => join(dataDir, name);

beforeAll(async () => {
  dataDir = join(temporaryFolder(), 'data');
  await (await startNode({ dataDir })).stop();
});
afterAll(() => removeFolder(join(dataDir, '..')));

test('swapped stores are refused and stay unchanged', async () => {
  const swap = () => {
    renameSync(file('public.db'), file('held'));
    renameSync(file('private.db'), file('public.db'));
    renameSync(file('held'), file('private.db'));
  };
  swap();
  const before = readFileSync(file('private.db'));
  const { code, stderr } = await runToEnd({ dataDir });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^wellhouse: [^\n]*private\.db is a public store under the wrong name[^\n]*\n$/);
  expect(readFileSync(file('private.db'))).toEqual(before);
  swap();
});

test('a link to a missing store is refused and stays', async () => {
  renameSync(file('private.db'), file('held'));
  symlinkSync(file('elsewhere.db'), file('private.db'));
  const { code, stderr } = await runToEnd({ dataDir });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^wellhouse: [^\n]*private\.db is a link to a file that does not exist[^\n]*\n$/);
  rmSync(file('private.db'));
  renameSync(file('held'), file('private.db'));
});

test('a missing store beside the identity is created again, and the log says so', async () => {
  renameSync(file('private.db'), file('held'));
  const node = await startNode({ dataDir });
  await node.stop();
  expect(JSON.stringify(node.records)).toContain('the store is missing although there is an identity');
});

test('a folder that can’t be made is refused', async () => {
  const { code, stderr } = await runToEnd({ dataDir: '/proc/wellhouse/data' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^wellhouse: DATA_DIR [^\n]+\n$/);
});
