import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { attempt, MINUTE_MS, minutes, register, registered, send } from '../support/devices.ts';
import { giveKeystore } from '../support/keys.ts';
import { WIDTHS } from '../support/matrix.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);

let silent: SimulatedDevice;
const knocking = new SimulatedDevice();

const node = ownerNode(async (started) => {
  const owned = { ownerPubkey: OWNER };
  const fine = await registered(started, ['local'], { name: 'Basil bed', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(fine, { count: 5 }));
  silent = await registered(started, ['local'], { name: 'Rain barrel', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(silent, { count: 5 }));
  await call(started.process, 'setNotes', { id: silent.id, notes: { ...NO_NOTES, silentAfterMs: 1000 } });
  const clockless = await registered(started, ['local'], { name: 'Attic tank', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(clockless, { count: 5, bootedAt: Date.now() - 10 * MINUTE_MS }));
  await attempt(started, 'local', knocking.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
  await giveKeystore(started);
});

test('the overview starts with the tasks for the owner, worst first; bytes and refusals are on the node’s page', async ({
  page,
}) => {
  await test.step('the overview starts with the tasks for the owner, worst first, each with one action', async () => {
    await openOwner(page, node());
    const needs = page.getByRole('region', { name: 'Needs you now' });
    const items = needs.locator('> ul > li');
    await expect(items).toHaveCount(4);
    await expect(items.nth(0)).toContainText(/^Rain barrel has been silent for/);
    await expect(items.nth(1)).toContainText('An unregistered device is knocking');
    await expect(items.nth(2)).toContainText('The clock of Attic tank is not set');
    await expect(items.nth(3)).toContainText('Some of your keys have no copy');
    // One sentence says it before, and the devices come after.
    await expect(page.getByRole('heading', { level: 1, name: '2 of 3 need you.' })).toBeVisible();
    const above = (await needs.boundingBox())!.y;
    expect(above).toBeLessThan((await page.getByRole('list', { name: 'Your devices' }).boundingBox())!.y);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page), String(width)).toEqual([]);
    }

    await items.nth(0).getByRole('link', { name: 'Open' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Rain barrel' })).toBeVisible();
    await page.getByRole('link', { name: 'Wellhouse' }).click();
    await items.nth(3).getByRole('link', { name: 'Export' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  });
  await test.step('bytes and refusals are on the node’s page, with their reasons', async () => {
    await openOwner(page, node());
    await page.getByRole('link', { name: 'Live' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Node' })).toBeVisible();
    const storage = page.getByRole('region', { name: 'Storage' });
    await expect(storage).toContainText(/Private store[\d.,]+ [kM]B/);
    await expect(storage).toContainText(/Room left on the disk.* of /);
    await expect(page.getByRole('region', { name: 'Today' })).toContainText('1 from devices that are not registered');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page), String(width)).toEqual([]);
    }
    await register(node(), 'local', knocking, { publishTo: 0 });
  });
});
