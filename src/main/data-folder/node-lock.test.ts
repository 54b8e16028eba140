import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { isNodeRunning, lockDataDir, tryCareLock } from './node-lock.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

it('a second one is refused until the first is released', () => {
  const release = lockDataDir(dataDir);
  expect(isNodeRunning(dataDir)).toBe(true);
  expect(() => lockDataDir(dataDir)).toThrow(/another Wellhouse node runs/);
  release();
  expect(isNodeRunning(dataDir)).toBe(false);
  lockDataDir(dataDir)();
});

it('a damaged lock file is emptied, since it has no data', () => {
  const path = join(dataDir, 'node.lock');
  writeFileSync(path, 'damaged'.repeat(1000));
  const release = lockDataDir(dataDir);
  expect(statSync(path).size).toBe(0);
  expect(() => lockDataDir(dataDir)).toThrow(/another Wellhouse node runs/);
  release();
  writeFileSync(join(dataDir, 'care.lock'), 'x');
  expect(tryCareLock(dataDir)).not.toBeNull();
});
