import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runToEnd } from '../support/node-process.ts';

/**
 * Every file of a folder, by name: its size and a hash of its bytes. Without the node's lock, and without what SQLite
 * makes to look at a store: the index of the log (-shm), and a log that is empty.
 */
export function snapshot(dataDir: string): Record<string, string> {
  const hashes: Record<string, string> = {};
  for (const name of readdirSync(dataDir).sort()) {
    const bytes = readFileSync(join(dataDir, name));
    const passing =
      name.startsWith('node.lock') || name.endsWith('-shm') || (name.endsWith('-wal') && bytes.length === 0);
    if (!passing) hashes[name] = `${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  }
  return hashes;
}

/** Expects that a start on the folder is refused with a line about the store, and that the folder stays as it is. Returns the line. */
export async function expectRefused(dataDir: string, store: string): Promise<string> {
  const before = snapshot(dataDir);
  const { code, stdout, stderr } = await runToEnd({ dataDir });
  expect.soft(stderr).toMatch(/^wellhouse: [^\n]+\n$/);
  expect.soft(stderr).toContain(store);
  expect.soft(stderr).toContain('nothing was changed');
  expect.soft(stdout).not.toContain('node started');
  expect.soft(code).toBe(1);
  expect.soft(snapshot(dataDir)).toEqual(before);
  return stderr;
}
