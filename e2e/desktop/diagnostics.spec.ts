import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { desktopFolderIn } from '../../test/support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { expect, SYSTEM, test } from '../support/desktop-app.ts';

/** Folders that were given up long ago, and what a library may have logged. */
const PRIVATE = ['/media/carla', 'My Disk', 'old-well', 'carla@example.org', 'carla', 'hunter2', 'D:\\Well', 'orchard'];
const LINES = [
  { msg: 'a move of the data folder failed', to: '/media/carla/My Disk/old-well' },
  { msg: "EACCES: permission denied, open '/media/carla/My Disk/old-well/private.db'" },
  { msg: 'no update through http://carla:hunter2@127.0.0.1:8080/', contact: 'carla@example.org' },
  { msg: 'D:\\Well\\orchard is gone' },
];

test('diagnostics redact folders, logins and addresses in old log lines', async ({ launch }) => {
  const home = temporaryFolder();
  const logs = join(desktopFolderIn(home, SYSTEM), 'logs');
  mkdirSync(logs, { recursive: true });
  const lines = LINES.map((line) => JSON.stringify({ level: 40, time: 1_795_000_000_000, ...line }));
  writeFileSync(join(logs, 'wellhouse.log'), `${lines.join('\n')}\n`);
  const app = await launch({ home });
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const json = await page.evaluate(async () => {
    const { owner } = window as unknown as {
      owner: { call(method: string, input: unknown): Promise<{ json: string }> };
    };
    return (await owner.call('diagnostics', {})).json;
  });
  const { zip, files } = JSON.parse(json) as { zip: string; files: { name: string; text: string }[] };
  const zipped = Object.values(unzipSync(Buffer.from(zip, 'base64'))).map((bytes) => strFromU8(bytes));
  expect(zipped).toEqual(files.map(({ text }) => text));
  const log = files.find(({ name }) => name === 'log.jsonl')!.text;
  expect(log).toContain('a move of the data folder failed');
  expect(log).toMatch(/"EACCES: permission denied, open '<path-\d+>'"/);
  expect(PRIVATE.filter((each) => zipped.join().includes(each))).toEqual([]);
  await app.dispose();
  removeFolder(home);
});
