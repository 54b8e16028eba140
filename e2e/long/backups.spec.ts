import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER_PHRASE } from '../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { call } from '../../test/support/owner-client.ts';
import { answerOf, backUp } from '../../test/support/wellhouse.ts';
import { giveKeystore, openUnlocked, phraseSecret } from '../support/keys.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

test.describe('backups', () => {
  let folder: string;
  test.beforeEach(() => {
    folder = join(temporaryFolder(), 'backups');
    mkdirSync(folder);
  });
  test.afterEach(() => removeFolder(join(folder, '..')));

  test('open with the unlocked keystore, without the phrase', async ({ page, freshNode: node }) => {
    await giveKeystore(node, { secrets: [phraseSecret(OTHER_PHRASE, 'Other'), phraseSecret(OWNER_PHRASE, 'Mine')] });
    await backUp(node.dataDir, ['--to', folder, '--phrase-file', '-'], OWNER_PHRASE);
    await openUnlocked(page, node);
    await page.goto(`${node.url('local')}/ui/#/backups`);
    // Listed with its place, though no folder is planned.
    const listed = page.getByRole('region', { name: folder }).getByRole('listitem');
    await expect(listed).toHaveCount(1);
    await listed.getByRole('button', { name: 'Check…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Your unlocked keystore opens it.')).toBeVisible();
    await expect(dialog.getByLabel('Your phrase', { exact: true })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('This backup is whole')).toBeVisible({ timeout: 120_000 });
  });

  test('of the original stay unchanged until the restored copy’s owner confirms that it replaces the original', async ({
    page,
    freshNode: node,
  }) => {
    const settings = { recipient: null, time: '03:30', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };
    await call(node.process, 'planBackups', { folder, ...settings });
    const path = await backUp(node.dataDir, []);
    await node.stop();
    const dataDir = join(folder, '..', 'copy');
    await answerOf(dataDir, ['restore', path]);
    const copy = await OwnerNode.start({ dataDir });
    try {
      await openOwner(page, copy, '#/backups');
      const doubt = page.getByRole('alert').filter({ hasText: 'This node makes no backups yet' });
      await expect(doubt).toContainText('writes and deletes nothing there');
      await doubt.getByRole('button', { name: 'The other copy is off: this node takes its place' }).click();
      await expect(doubt).toBeHidden();
      await page.getByRole('button', { name: 'Back up now' }).click();
      const made = page.getByRole('region', { name: 'Backups of this node' }).getByRole('listitem');
      await expect(made).toHaveCount(2, { timeout: 120_000 });
      await expect(made.last()).toContainText('not made or checked by this node');
    } finally {
      await copy.dispose();
    }
  });
});
