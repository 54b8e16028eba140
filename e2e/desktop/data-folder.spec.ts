import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post, send } from '../../test/support/http.ts';
import { complaints } from '../support/axe.ts';
import { expect, kept, openSettings, test } from '../support/desktop-settings.ts';

test('a disk that is not connected is reported, and no new node begins in its place', async ({ launchWith }) => {
  const first = await launchWith({ localPort: 0 });
  await openSettings(first);
  await first.dispose();
  const disk = join(first.home, 'disk');
  renameSync(join(first.folder, 'data'), join(first.home, 'unplugged'));

  const app = await launchWith({ localPort: 0, dataDir: disk });
  const page = await app.page();
  await expect(page.getByRole('heading', { name: 'The data is not where it should be' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('Is its disk connected?');
  await expect(page.getByText(disk, { exact: true })).toBeVisible();
  await expect(page.locator('main')).not.toContainText('DATA_DIR');
  expect(await complaints(page)).toEqual([]);
  const folder = page.getByRole('textbox', { name: 'Another data folder' });
  const use = page.getByRole('button', { name: 'Use this folder' });
  await folder.fill('somewhere');
  await use.click();
  await expect(page.getByText('Enter the full path')).toBeVisible();
  await folder.fill(join(app.home, 'fresh'));
  await use.click();
  await expect(page.getByText('This folder has no Wellhouse data.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start a new node there' })).toBeVisible();
  expect([existsSync(disk), existsSync(join(app.home, 'fresh'))]).toEqual([false, false]);

  renameSync(join(first.home, 'unplugged'), disk);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('a folder that can’t be used gives way to another one, and to a new node there', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0, dataDir: '/proc/wellhouse' });
  const page = await app.page();
  await expect(page.getByRole('heading', { name: 'The data is not where it should be' })).toBeVisible();
  const fresh = join(app.home, 'fresh');
  await page.getByRole('textbox', { name: 'Another data folder' }).fill(fresh);
  await page.getByRole('button', { name: 'Use this folder' }).click();
  await page.getByRole('button', { name: 'Start a new node there' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(kept(app)).toMatchObject({ dataDir: fresh });
  expect(readdirSync(fresh)).toContain('identity.mnemonic');
});

test('a folder of the environment that can’t be made is told with what sets it', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0 }, { env: { DATA_DIR: '/proc/wellhouse' } });
  const page = await app.page();
  await expect(page.getByRole('heading', { name: 'The data folder can’t be used' })).toBeVisible();
  await expect(page.getByText('DATA_DIR set the folder when the app was started, and takes precedence.')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('the data folder moves with all that is in it', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0 });
  const page = await openSettings(app);
  const device = new SimulatedDevice({ name: 'Cistern' });
  const url = await app.url('local');
  await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }));
  const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } });
  expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
  const [from, to] = [join(app.folder, 'data'), join(app.home, 'big disk', 'water')];
  await page.getByRole('button', { name: 'Move…' }).click();
  const folder = page.getByRole('textbox', { name: 'New folder' });
  await folder.fill(join(from, 'inside'));
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('One of the folders is inside the other.')).toBeVisible();
  await folder.fill(to);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('The data folder was moved')).toBeVisible();
  await expect(page.getByText(to, { exact: true })).toBeVisible();
  const reply = await send(`${await app.url('local')}/v1/devices/${device.id}/telemetry`);
  expect((reply.json as { readings: unknown[] }).readings).toHaveLength(1);
  expect(readdirSync(from)).toContain('private.db');

  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Old data folder')).toHaveCount(0);
  expect(readdirSync(from)).toEqual(['moved.json']);
  expect(existsSync(join(to, 'private.db'))).toBe(true);
});

/** Makes a database that SQLite checks for minutes, in one call that nothing interrupts. */
function makeSlowStore(path: string): void {
  const needle = Buffer.alloc(3_000_000);
  needle[needle.length - 1] = 1;
  const db = new Database(path);
  db.unsafeMode(true);
  db.pragma('journal_mode = WAL');
  db.exec('CREATE TABLE slow (x); CREATE INDEX i ON slow (instr(zeroblob(1), x))');
  db.prepare('INSERT INTO slow VALUES (?)').run(needle);
  db.pragma('writable_schema = ON');
  db.exec("UPDATE sqlite_schema SET sql = replace(sql, 'zeroblob(1)', 'zeroblob(6000000)')");
  db.close();
}

test('quitting does not wait for a copy that does not answer', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0 });
  const page = await openSettings(app);
  makeSlowStore(join(app.folder, 'data', 'slow.db'));
  const to = join(app.home, 'hanging');
  await page.getByRole('button', { name: 'Move…' }).click();
  await page.getByRole('textbox', { name: 'New folder' }).fill(to);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  // SQLite makes it when it begins to read.
  await expect.poll(() => existsSync(join(to, '.wellhouse-move', 'slow.db-shm'))).toBe(true);
  await app.operate('quit');
  await app.exited;
  expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
  rmSync(join(app.folder, 'data', 'slow.db'));
  const again = await launchWith({ localPort: 0, dataDir: join(app.folder, 'data') });
  await expect((await again.page()).getByText('Live', { exact: true })).toBeVisible();
});
