import { SimulatedDevice } from '../../src/simulator/device.ts';
import { attempt, minutes, registered, send } from '../support/devices.ts';
import { giveKeystore, typePassphrase } from '../support/keys.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, openOwner, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const SENTENCE = 'A lock marks a value that only your keys open';

let device: SimulatedDevice;
const neighbour = new SimulatedDevice();
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Dill shelf', ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: 5, sealed: ['ph', 'ec'] }));
  await attempt(started, 'public', neighbour.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
});

test('a lock icon leads to the way to open it, and a neighbour’s knocking device can be hidden for good', async ({
  page,
}) => {
  await test.step('a lock icon explains itself, and leads to the way to open it', async () => {
    await openOwner(page, node());
    const card = page.getByRole('article', { name: 'Dill shelf' });
    await expect(card).toContainText('Locked: pH, EC');
    await card.getByRole('link', { name: 'Go to your keys' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
    await giveKeystore(node());
    await page.reload();
    await page.getByRole('link', { name: 'Wellhouse' }).click();
    await expect(card.getByRole('button', { name: 'Unlock them' })).toBeVisible();
    await expect(card).not.toContainText('key 3');
    await openDevice(page, node(), device.id);
    // The newest values, each chart that is sealed, and the readings below them: all have their way out.
    const charts = page.locator('figure').filter({ hasText: 'All 5 values here are sealed' });
    await expect(charts).toHaveCount(2);
    const readings = page.getByRole('region', { name: 'Readings' });
    for (const place of [page.locator('main header'), charts.first(), charts.last(), readings]) {
      await place.getByRole('button', { name: 'Unlock them' }).click();
      await expect(page.getByRole('dialog')).toContainText('Passphrase');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
    await expect(readings.getByRole('note').filter({ hasText: SENTENCE })).toContainText('and they are locked');
    await page.getByRole('button', { name: 'Unlock them' }).first().click();
    await typePassphrase(page);
    await expect(page.getByRole('button', { name: 'Unlock them' })).toHaveCount(0);
    // No phrase is kept: what still does not open says so, and what to do.
    const missing = page.getByRole('note').filter({ hasText: 'None of your keys opens some of these values' });
    await expect(missing.getByRole('link', { name: 'Go to your keys' })).toBeVisible();
    await page.keyboard.press('Control+Shift+L');
  });
  await test.step('a lock icon in a comparison does the same', async () => {
    await openOwner(page, node(), `#/compare?lines=${device.id}:ph`);
    await expect(page.locator('[data-line]')).toContainText('All 5 values here are sealed');
    await page.locator('[data-line]').getByRole('button', { name: 'Unlock them' }).click();
    await expect(page.getByRole('dialog')).toContainText('Passphrase');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });
  await test.step('a neighbour’s knocking device is hidden for good, and can be shown again', async () => {
    await openOwner(page, node());
    const notice = page.getByRole('region', { name: 'An unknown device sends to the public endpoint' });
    await notice.getByRole('button', { name: 'Show' }).click();
    await notice.getByRole('button', { name: /is not mine: hide it$/ }).click();
    await expect(notice).toBeHidden();
    await attempt(node(), 'public', neighbour.block({ seq: 2, timestamp: Date.now(), plain: { ph: 6 } }));
    await page.reload();
    await expect(page.getByRole('article', { name: 'Dill shelf' })).toBeVisible();
    await expect(notice).toBeHidden();
    await page.getByRole('link', { name: 'Connect a device' }).click();
    await expect(page.getByText('1 device that is not yours is hidden.')).toBeVisible();
    await page.getByText('1 device that is not yours is hidden.').getByRole('button', { name: 'Show' }).click();
    await expect(notice).toBeVisible();
  });
});
