import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { suggestedFolder } from './suggested-folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('suggests the user’s downloads, or else the home, never the data folder', async () => {
  const dataDir = join(home, 'data');
  expect(await suggestedFolder(dataDir, home)).toBe(home);
  mkdirSync(join(home, 'Downloads'));
  expect(await suggestedFolder(dataDir, home)).toBe(join(home, 'Downloads'));
  expect(await suggestedFolder(home, home)).toBeNull();
  expect(await suggestedFolder(dataDir, join(home, 'missing'))).toBeNull();
});
