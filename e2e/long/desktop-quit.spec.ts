import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, openSettings, test } from '../support/desktop-settings.ts';

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
