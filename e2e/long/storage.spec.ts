import Database from 'better-sqlite3';
import { storePath } from '../../test/support/store-file.ts';
import { complaints } from '../support/axe.ts';
import { attempt, minutes, registered, send } from '../support/devices.ts';
import { WIDTHS } from '../support/matrix.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

test('every page reports a store without writes, also after a reload, until it writes again', async ({
  page,
  freshNode,
}) => {
  const device = await registered(freshNode, ['local'], { name: 'Carp pond' }, { publishTo: 0 });
  const blocks = minutes(device, { count: 3 });
  await send(freshNode, 'local', blocks.slice(0, 2));
  await openOwner(page, freshNode);
  const banner = page.getByRole('alert').filter({ hasText: 'The private store has taken no writes since' });
  await expect(banner).toBeHidden();
  // Held as by another program, for longer than the node waits.
  const other = new Database(storePath(freshNode.dataDir, 'local'));
  try {
    other.exec('BEGIN IMMEDIATE');
    expect(await attempt(freshNode, 'local', blocks[2]!)).toBe(503);
    await expect(banner).toContainText('Another program holds its file.');
    await page.reload();
    await expect(banner).toBeVisible();
    for (const hash of [`#/device/${device.id}`, '#/keys', '#/settings', '#/connect']) {
      await page.goto(`${freshNode.url('local')}/ui/${hash}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(banner).toBeVisible();
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page)).toEqual([]);
    }
    await banner.getByRole('link', { name: 'What to do' }).click();
    const storage = page.getByRole('region', { name: 'Storage' });
    await expect(storage).toContainText('Close the program that has the file open');
  } finally {
    other.close();
  }
  await expect.poll(() => attempt(freshNode, 'local', blocks[2]!), { timeout: 60_000 }).toBe(200);
  await expect(banner).toBeHidden();
});
