import { mountSmallDisk } from '../test/support/small-disk.ts';
import { attempt, minutes, registered, send } from './support/devices.ts';
import { OwnerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

test('warns about a disk that fills up, then reports that it is full', async ({ page, watch }) => {
  const disk = mountSmallDisk(24);
  test.skip(disk === null, 'mounting a small disk needs root on Linux');
  const node = await OwnerNode.start({ dataDir: `${disk!.folder}/data` });
  try {
    const device = await registered(node, ['local'], { name: 'Carp pond' }, { publishTo: 0 });
    const blocks = minutes(device, { count: 400 });
    await send(node, 'local', blocks.slice(0, 2));
    await openOwner(page, node, '#/node');
    const storage = page.getByRole('region', { name: 'Storage' });
    await expect(storage).toContainText(/MB of 25\.2 MB/);
    await expect(storage).not.toContainText('When the disk is full');
    disk!.fill();
    // Its log may have room for some more.
    let at = 2;
    await expect.poll(() => attempt(node, 'local', blocks[at++]!), { timeout: 60_000 }).toBe(503);
    await expect(page.getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeVisible();
    await expect(storage).toContainText('When the disk is full');
    await page.getByRole('link', { name: 'Wellhouse' }).click();
    const needs = page.getByRole('region', { name: 'Needs you now' });
    await expect(needs.getByRole('listitem').nth(0)).toContainText('The private store has taken no writes');
    await expect(needs.getByRole('listitem').nth(1)).toContainText('The disk of the data has only');
    disk!.free();
    await expect.poll(() => attempt(node, 'local', blocks[399]!), { timeout: 60_000 }).toBe(200);
    await expect(page.getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeHidden();
    watch.end();
  } finally {
    await node.dispose();
    disk!.remove();
  }
});
