import { randomBytes } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { giveKeystore, phraseSecret, typePassphrase } from '../support/keys.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { floatBytes, PHRASE, PHRASE_NAME, SealingDevice, sealBytes } from '../support/sealing.ts';

/** Whether an element is inside a cell, and not cut off by it. */
async function isInside(cell: Locator, element: Locator): Promise<boolean> {
  const [outer, inner] = [(await cell.boundingBox())!, (await element.boundingBox())!];
  return inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width + 0.5;
}

test('opened values with many digits are rounded, with a visible mark and reason, and exact in the title', async ({
  page,
  freshNode,
}) => {
  const well = new SealingDevice('Well', 'firmware');
  const { seed, mac, name, ownerPubkey } = well.device;
  await registered(freshNode, ['local'], { seed, mac, name, ownerPubkey });
  await giveKeystore(freshNode, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  const value = Math.fround(20.137 + Math.sin(1) / 7);
  const blocks = [1, 2].map((seq) =>
    well.block({
      seq,
      timestamp: Date.now() - (2 - seq) * MINUTE_MS,
      keyVersion: 1,
      values: { ph: value, ec: 1000 + value, waterLevel: value, tempWater: value, tempAmbient: value, humidity: value },
      instead: seq === 1 ? { humidity: sealBytes(randomBytes(32), floatBytes(7)) } : {},
    }),
  );
  await send(freshNode, 'local', blocks);
  await page.setViewportSize({ width: 1280, height: 900 });
  await openOwner(page, freshNode, `#/device/${well.id}`);
  await page.getByRole('region', { name: 'Keys' }).getByRole('button', { name: 'Unlock your keys' }).click();
  await typePassphrase(page);
  const row = page.getByRole('grid', { name: 'Readings' }).getByRole('row').nth(1);
  await expect(row.getByText('20.26')).toHaveCount(4);
  await expect(row.getByText('1,020', { exact: true })).toBeVisible();
  await expect(row.getByTitle(/^20\.25721/)).toHaveCount(4 + 1);
  for (const field of FIELD_NAMES) {
    const cell = row.locator(`[role=gridcell][data-column=${field}]`);
    expect(await isInside(cell, cell.getByRole('img', { name: /^Opened/ })), field).toBe(true);
  }
  // The page's head and the list of devices say it as short.
  await expect(page.getByText(/20\.2572/)).toHaveCount(0);
  const failed = page
    .getByRole('grid', { name: 'Readings' })
    .getByRole('row')
    .nth(2)
    .getByTitle(/^Wrong key/);
  const cell = failed.locator('xpath=ancestor::*[@role="gridcell"]');
  expect(await isInside(cell, failed.getByRole('img'))).toBe(true);
  await page.screenshot({ path: test.info().outputPath('table.png') });
});
