import { DOOR_ENV, openPairing } from '../../test/support/door.ts';
import { type DesktopApp, expect, test } from '../support/desktop-app.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { keepAs, makeKeystore, typePhrase } from '../support/keys.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from '../support/sealing.ts';

test('the app shows a second node behind its door, and opens its sealed values', async ({ launch }) => {
  test.setTimeout(180_000);
  const well = new SealingDevice('Well', 'firmware');
  const shed = await OwnerNode.start({ env: DOOR_ENV });
  try {
    const { seed, mac, name, ownerPubkey } = well.device;
    await registered(shed, ['local'], { seed, mac, name, ownerPubkey });
    const timestamp = Date.now() - MINUTE_MS;
    await send(shed, 'local', [well.block({ seq: 1, timestamp, keyVersion: 1, values: { ph: 6.25 } })]);
    const { links } = await openPairing(shed.process, { name: 'Desk' });

    const app: DesktopApp = await launch();
    const page = await app.page();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    const show = (hash: string) => page.evaluate((to) => window.location.assign(to), hash);
    await show('#/keys');
    await makeKeystore(page);
    await typePhrase(page, PHRASE);
    await keepAs(page, PHRASE_NAME);
    await show('#/nodes');
    await page.getByLabel('Pairing link').fill(links[0]!.link);
    await page.getByRole('button', { name: 'Check the link' }).click();
    await page.getByLabel('Name').fill('Shed');
    await page.getByRole('button', { name: 'Add this node' }).click();
    await show('#/');
    const row = page.getByRole('article', { name: 'Well' });
    await expect(row).toContainText('Shed');
    await expect(row).toContainText('6.25');
  } finally {
    await shed.dispose();
  }
});
