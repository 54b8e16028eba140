import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { OWNER_PHRASE } from '../test/support/care.ts';
import { freePort } from '../test/support/free-port.ts';
import { removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { call } from '../test/support/owner-client.ts';
import { backUp } from '../test/support/wellhouse.ts';
import { complaints } from './support/axe.ts';
import { minutes, registered, send } from './support/devices.ts';
import { SCHEMES } from './support/matrix.ts';
import { OwnerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

test.describe('backups', () => {
  let folder: string;
  test.beforeEach(() => {
    folder = join(temporaryFolder(), 'backups');
    mkdirSync(folder);
  });
  test.afterEach(() => removeFolder(join(folder, '..')));

  test('are planned, made and checked with the phrase; another phrase is refused', async ({
    page,
    freshNode: node,
  }) => {
    const device = await registered(node, ['local']);
    await send(node, 'local', minutes(device, { count: 20 }));
    await openOwner(page, node, '#/settings');
    await page.getByRole('link', { name: 'Backups, check and restore' }).click();
    await expect(page.getByText('You have not chosen a folder')).toBeVisible();

    const plan = page.getByRole('form', { name: 'Where, when and how' });
    await plan.getByLabel('Folder on this node’s machine').fill(join(folder, 'missing'));
    await plan.getByLabel('Your phrase', { exact: true }).fill('no phrase at all');
    await plan.getByRole('button', { name: 'Save' }).click();
    await expect(plan.getByRole('alert')).toContainText('This is not a phrase');
    await plan.getByLabel('Your phrase', { exact: true }).fill(OWNER_PHRASE);
    await plan.getByRole('button', { name: 'Save' }).click();
    await expect(plan.getByRole('alert')).toContainText('The folder is missing');
    await plan.getByLabel('Folder on this node’s machine').fill(folder);
    await plan.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('age14dejs4qje7hefdeylcddcf78jce864n5tzvn0xe07zmq5ctg6ees9r0lcc')).toBeVisible();

    await page.getByRole('button', { name: 'Back up now' }).click();
    const made = page.getByRole('region', { name: 'Backups of this node' }).getByRole('listitem');
    await expect(made).toHaveCount(1, { timeout: 120_000 });
    await expect(made).toContainText('to your phrase');
    expect(readdirSync(folder).filter((name) => name.endsWith('.tar.zst.age'))).toHaveLength(1);

    await made.getByRole('button', { name: 'Check…' }).click();
    const dialog = page.getByRole('dialog');
    const phrase = dialog.getByLabel('Your phrase', { exact: true });
    await phrase.fill(OTHER_PHRASE);
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('This phrase does not open it');
    // What was typed is still there.
    await expect(phrase).toHaveValue(OTHER_PHRASE);
    await phrase.fill(OWNER_PHRASE);
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('This backup is whole')).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText('20 readings; devices: 1')).toBeVisible();
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await complaints(page, scheme), scheme).toEqual([]);
    }

    // What a mount leaves when its disk is gone.
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await page.reload();
    const doubt = page.getByRole('alert').filter({ hasText: 'This is not the previous backup folder' });
    await expect(doubt).toBeVisible();
    await doubt.getByRole('button', { name: 'It is a new disk: use this folder' }).click();
    await expect(doubt).toBeHidden();
    // The one of the tests is on the data's disk, and that stays told.
    await expect(page.getByText('The backup folder is on the same disk as the data')).toBeVisible();
  });

  test('restore a lost node from its first page', async ({ page, watch }) => {
    // The node is away for a moment, and listens at the same port again.
    watch.tolerate(
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|status of (401|403|503)/,
    );
    const node = await OwnerNode.start({ env: { LOCAL_PORT: String(await freePort()) } });
    try {
      await restored(page, node);
    } finally {
      watch.end();
      await node.dispose();
    }
  });

  async function restored(page: Page, node: OwnerNode): Promise<void> {
    const device = await registered(node, ['local']);
    await send(node, 'local', minutes(device, { count: 20 }));
    const path = await backUp(node.dataDir, ['--to', folder, '--phrase-file', '-'], OWNER_PHRASE);
    await call(node.process, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });

    await openOwner(page, node);
    await page.getByRole('link', { name: 'Or restore this node from a backup' }).click();
    await expect(page.locator('main').getByRole('region').first()).toHaveAccessibleName('Backups of this node');
    await expect(page.getByText('The folder has no backups.')).toHaveCount(0);
    await page.getByLabel('Another backup').fill(join(folder, 'nothing'));
    const other = page.locator('form').filter({ has: page.getByLabel('Another backup') });
    await other.getByRole('button', { name: 'Restore…' }).click();
    await expect(page.getByText('The node’s machine has no such file.')).toBeVisible();
    await page.getByLabel('Another backup').fill(path);
    await other.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Never run two nodes with the same identity')).toBeVisible();
    await dialog.getByLabel('Your phrase', { exact: true }).fill(OWNER_PHRASE);
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(page.getByText('This data was restored')).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText('20 readings; devices: 1')).toBeVisible();
    await page.getByRole('button', { name: 'The earlier node is off' }).click();
    await expect(page.getByText('This data was restored')).toBeHidden();
  }
});
