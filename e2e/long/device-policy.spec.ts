import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openAbout, openDevice, test } from '../support/owner-test.ts';

let clockless: SimulatedDevice;
const node = ownerNode(async (started) => {
  const now = Date.now();
  clockless = await registered(started, ['local'], { name: 'Uptime tank' }, { publishTo: 0, location: 12345n });
  await send(started, 'local', minutes(clockless, { count: 30, bootedAt: now - 40 * MINUTE_MS }));
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('a device’s page tells what its policy allows from what arrived, also without a clock or a cell', async ({
  page,
}) => {
  await test.step('a device without a clock and without a cell is described as such', async () => {
    await openDevice(page, node(), clockless.id);
    await openAbout(page);
    await test.step('says if the location is not a cell', async () => {
      await expect(card(page, 'Location')).toContainText('not a valid H3 cell');
      await expect(card(page, 'Location')).toContainText('12345');
      await expect(card(page, 'Location').getByRole('img', { name: /Map/ })).toHaveCount(0);
    });
    await test.step('readings of a device whose clock is not set are ordered by seq and placed by arrival', async () => {
      await expect(page.locator('main header').getByText('Clock not set')).toBeVisible();
      await expect(page.getByText('so its readings are shown at their time of arrival')).toBeVisible();
      const grid = page.getByRole('grid', { name: 'Readings' });
      await expect(grid.getByRole('row').nth(1).getByRole('gridcell').first()).toHaveText('30');
      await expect(grid.getByRole('row').nth(1)).toContainText('up for 40 min');
      await expect(page.getByRole('group', { name: /^EC from .*Values: 30\./ })).toBeVisible();
    });
  });
  await test.step('does not blame the firmware for data that the owner does not keep', async () => {
    const { publicKey } = await call(node().process, 'nodeInfo', {});
    const ph = { default_disposition: 1, per_destination: { [publicKey]: 0 } } as const;
    const device = await registered(
      node(),
      ['local'],
      { name: 'Chosen tank' },
      { publishTo: 2, privacyPolicy: { ph } },
    );
    await send(node(), 'local', minutes(device, { count: 3, fields: ['ph', 'ec'] }));
    // Counts of what is not kept are written a moment after the readings.
    const withheld = async () => (await call(node().process, 'device', { id: device.id })).withheld.length;
    await expect.poll(withheld).toBeGreaterThan(0);
    await openDevice(page, node(), device.id);
    await openAbout(page);
    const cells = card(page, 'Privacy policy').getByRole('row', { name: /^pH/ }).getByRole('cell');
    await expect(cells).toHaveText([/^not kept.*3 withheld3 without it$/, 'in plain']);
    await expect(card(page, 'Withheld')).toContainText('3 values of pH were not stored in the private store');
    await expect(card(page, 'Withheld')).not.toContainText('disagree');
  });
  await test.step('does not present the policy as fact: a device may seal values that it could send plain', async () => {
    const device = await registered(node(), ['local'], { name: 'Sealing tank' });
    await send(node(), 'local', minutes(device, { count: 7, fields: ['ph', 'ec'] }));
    await send(node(), 'local', minutes(device, { count: 5, firstSeq: 101, sealed: ['ph'], fields: ['ec'] }));
    await openDevice(page, node(), device.id);
    await openAbout(page);
    const cell = (name: string) =>
      card(page, 'Privacy policy')
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('cell')
        .first();
    await expect(cell('pH')).toHaveText(/^in plain.*7 in plain5 sealed$/);
    await expect(cell('EC')).toHaveText(/^in plain.*12 in plain$/);
    await expect(cell('Humidity')).toHaveText(/^in plainnothing arrived$/);
  });
});
