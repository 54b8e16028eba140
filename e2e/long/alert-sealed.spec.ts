import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { giveKeystore, phraseSecret, typePassphrase } from '../support/keys.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from '../support/sealing.ts';

/** A number that occurs nowhere else in the page or the node's files. */
const LOWEST = 4.3725;
const well = new SealingDevice('Well', 'firmware');
let seq = 0;

const block = (ph: number, minutesAgo: number) => {
  seq += 1;
  return well.block({ seq, timestamp: Date.now() - minutesAgo * MINUTE_MS, keyVersion: 1, values: { ph } });
};

const node = ownerNode(async (started) => {
  const { seed, mac, name, ownerPubkey } = well.device;
  await registered(started, ['local'], { seed, mac, name, ownerPubkey }, { publishTo: 0 });
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: '', forMinutes: 2 } });
  await send(
    started,
    'local',
    [6, 5.1, LOWEST, 5.1].map((ph, index) => block(ph, 3 - index)),
  );
});

const withKeys = (page: Page) => page.getByRole('region', { name: 'With your keys' });

async function unlock(page: Page): Promise<void> {
  await withKeys(page).getByRole('button', { name: 'Unlock them' }).click();
  const dialog = page.getByRole('dialog');
  await typePassphrase(page);
  await expect(dialog).toBeHidden();
}

test('a rule on sealed values is evaluated by the page alone, while the keys are unlocked', async ({ page }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await openOwner(page, node(), '#/alerts');
  await expect(page.getByText('No active alerts')).toBeVisible();
  await expect(withKeys(page)).toContainText('which the node can’t read');
  expect(await complaints(page)).toEqual([]);
  await unlock(page);
  const item = withKeys(page).getByRole('listitem');
  await expect(item).toContainText('pH of Well is below 5.5');
  await expect(item).toContainText('now 5.10');
  await expect(item).toContainText('worst 4.37');
  await expect(withKeys(page)).toContainText('told to nobody');
  expect(await complaints(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/sealed.png` });

  // On the page of the device too, where the opened value has its sign.
  await item.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Well' })).toBeVisible();
  await expect(withKeys(page)).toContainText('pH of Well is below 5.5');
  await expect(page.locator('header dl').getByRole('img', { name: 'below the allowed range' })).toBeVisible();

  // It follows what comes in.
  await send(node(), 'local', [block(6.1, 0)]);
  await expect(withKeys(page)).toContainText('pH of Well is in its range');

  // No value left the page, and the node reports nothing.
  expect(sent.join('\n')).not.toContain('4.37');
  expect((await call(node().process, 'alerts', {})).alerts).toEqual([]);
  expect(readFileSync(join(node().dataDir, 'alerts.json'), 'utf8')).not.toContain('4.37');

  await page.keyboard.press('Control+Shift+L');
  await expect(withKeys(page).getByRole('button', { name: 'Unlock them' })).toBeVisible();
  await expect(withKeys(page)).not.toContainText('in its range');
});
