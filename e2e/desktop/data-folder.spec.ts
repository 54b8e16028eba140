import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post, send } from '../../test/support/http.ts';
import { expect, openSettings, test } from '../support/desktop-settings.ts';

test('the data folder moves with all its contents', async ({ launchWith }) => {
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
