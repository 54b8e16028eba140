import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { headlessEntry, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { commandEntry } from '../support/wellhouse.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Starts a program whose output nobody reads: the pipe is closed long before anything is written. */
function startUnread(args: readonly string[], env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, ...isolatedHome(folder), DATA_DIR: join(folder, 'data'), ...env },
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }));
  });
  ends.push(async () => {
    child.kill();
    await ended;
    removeFolder(folder);
  });
  return ended;
}

test.each([
  ['the help of the node', [headlessEntry(), '--help']],
  ['the help of the command line', [commandEntry(), '--help']],
  ['the answer of a command', [commandEntry(), 'completion', 'bash']],
])('%s ends well where nobody reads it', async (_name, args) => {
  expect(await startUnread(args)).toEqual({ code: 0, stderr: '' });
});

test('a node continues without a reader of its output', async () => {
  const port = await freePort();
  const ended = startUnread([headlessEntry(), '--ui', '--print-link'], { LOCAL_PORT: `${port}`, PUBLIC_PORT: '0' });
  const answers = async () => (await fetch(`http://127.0.0.1:${port}/health`)).status;
  await expect.poll(() => answers().catch(() => null), { timeout: 60_000 }).toBe(200);
  // Records of the log that come later are for nobody either.
  for (let i = 0; i < 5; i++) expect(await answers()).toBe(200);
  expect(await Promise.race([ended, 'still runs'])).toBe('still runs');
});
