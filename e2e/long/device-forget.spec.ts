import { queryStore } from '../../test/support/store-file.ts';
import { attempt, minutes, register, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openAbout, openDevice, test } from '../support/owner-test.ts';

// One that stays: without any device the first page is another one.
const node = ownerNode(async (started) => {
  await registered(started, ['local'], { name: 'Kept tank' }, { publishTo: 0 });
});

test('a device’s page forgets a device in one store after two confirmations; it can register again', async ({
  page,
  watch,
}) => {
  // Its page still asks for it while it goes.
  watch.tolerate(/status of 404/);
  const device = await registered(node(), ['local', 'public'], { name: 'Old tank' });
  for (const endpoint of ['local', 'public'] as const) await send(node(), endpoint, minutes(device, { count: 7 }));
  await openDevice(page, node(), device.id);
  await openAbout(page);
  const rows = (endpoint: 'local' | 'public') =>
    queryStore(node().dataDir, endpoint, 'SELECT * FROM devices WHERE id = ?', Buffer.from(device.id, 'hex')).length;

  await page.getByRole('button', { name: 'Forget in the public store' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forget in the public store' });
  await expect(dialog).toContainText('“Old tank” and its 7 readings will be deleted from the public store');
  await expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(rows('public')).toBe(1);

  await page.getByRole('button', { name: 'Forget in the public store' }).click();
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const forget = dialog.getByRole('button', { name: 'Forget for good' });
  await dialog.getByRole('textbox').fill('000000x');
  await expect(forget).toBeDisabled();
  await dialog.getByRole('textbox').fill(device.id.slice(0, 6));
  await forget.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Forget in the public store' })).toBeHidden();
  expect([rows('public'), rows('local')]).toEqual([0, 1]);

  await page.getByRole('button', { name: 'Forget in the private store' }).click();
  const last = page.getByRole('dialog', { name: 'Forget in the private store' });
  await last.getByRole('checkbox', { name: 'Yes, delete' }).check();
  await last.getByRole('button', { name: 'Continue' }).click();
  await last.getByRole('textbox').fill(device.id.slice(0, 6));
  await last.getByRole('button', { name: 'Forget for good' }).click();
  await expect(page.getByRole('list', { name: 'Your devices' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Old tank' })).toHaveCount(0);
  expect(await attempt(node(), 'local', minutes(device, { count: 1, firstSeq: 8 })[0]!)).not.toBe(200);
  await register(node(), 'local', device, { publishTo: 0 });
  await expect(page.getByRole('link', { name: 'Old tank' }).first()).toBeVisible();
});
