import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, runProcessToEnd, startProcess, temporaryFolder } from '../support/node-process.ts';

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder, 'data');
  await (await startProcess({ dataDir })).stop();
});
afterEach(() => removeFolder(folder));

const ends: [string, (path: string) => unknown][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a link that leads to itself', (path) => symlinkSync(path, path)],
  ['a socket', (path) => new Promise<void>((done) => createServer().listen(path, done).unref())],
];
const NAMES = [
  ...['settings.json', 'moved.json', 'node.lock', 'identity.mnemonic', 'private.db', 'private.db-wal', 'public.db'],
  ...['alerts.json', 'alert-history.ndjson', 'clock.json', 'backups.json', 'keystore.wellhouse', 'ui-token'],
];

/** Each name with a pipe, and a few with each other kind: one guard looks at all. */
const namesOf = (kind: string) =>
  kind === 'a pipe' ? NAMES : ['settings.json', 'private.db', 'clock.json', 'ui-token'];

describe.skipIf(process.platform === 'win32')('in the place of a file of the data folder', () => {
  it.each(ends)('%s ends the start with one line that names it, within seconds', async (kind, make) => {
    for (const name of namesOf(kind)) {
      const path = join(dataDir, name);
      rmSync(path, { recursive: true, force: true });
      await make(path);
      const startedAt = performance.now();
      const { code, stderr } = await runProcessToEnd({ dataDir });
      expect([code, stderr]).toEqual([
        1,
        `wellhouse: ${path} is ${kind}, not a regular file; move it away, then start again\n`,
      ]);
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      rmSync(path, { recursive: true });
    }
  });
});
