import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeDataFolder, seqsIn } from '../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { backUp, wellhouse } from '../../test/support/wellhouse.ts';
import { complaints } from '../support/axe.ts';
import { expect, test } from '../support/desktop-settings.ts';

test('the page of a node that can’t start on restored data offers an undo, and nothing is undone without it', async ({
  launchWith,
}) => {
  const root = temporaryFolder();
  const [dataDir, from, backups] = ['data', 'from', 'backups'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(backups);
  makeDataFolder(dataDir, 20);
  makeDataFolder(from, 30);
  for (const folder of [dataDir, from]) {
    for (const name of ['settings.json', 'alerts.json']) rmSync(join(folder, name));
  }
  // Every page of it is whole, and yet no node can write to it.
  new Database(join(from, 'private.db')).exec('DROP TABLE withheld').close();
  const backup = await backUp(from, ['--to', backups, '--plain']);
  expect((await wellhouse(dataDir, ['restore', backup, '--replace'])).code).toBe(1);

  const readings = () => seqsIn(join(dataDir, 'private.db')).length;
  const app = await launchWith({ localPort: 0, dataDir });
  const page = await app.page();
  await expect(page.getByRole('heading', { name: 'The node did not start' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Restored data' })).toContainText('never does that by itself');
  expect(await complaints(page)).toEqual([]);
  expect(readings()).toBe(30);
  await page.getByRole('button', { name: 'Put it back…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Put it back', exact: true }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(readings()).toBe(20);
  await app.dispose();
  removeFolder(root);
});
