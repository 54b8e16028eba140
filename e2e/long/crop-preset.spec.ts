import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { expectSound } from '../support/matrix.ts';
import type { OwnerNode } from '../support/owner-node.ts';
import { expect, openDevice, test, tile } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);

/** A bed whose pH is too high for lettuce; it has no sensor of the air's humidity, and its water is shown in °F. */
async function bed(node: OwnerNode): Promise<SimulatedDevice> {
  const device = await registered(node, ['local'], { name: 'Bed one', ownerPubkey: OWNER }, { publishTo: 0 });
  const blocks = Array.from({ length: 5 }, (_, index) =>
    device.block({
      seq: index + 1,
      timestamp: Date.now() - (4 - index) * MINUTE_MS,
      plain: { ph: 7.2, ec: 800, tempWater: 20, tempAmbient: 22 },
    }),
  );
  await send(node, 'local', blocks);
  await call(node.process, 'setNotes', {
    id: device.id,
    notes: { ...NO_NOTES, units: { tempWater: { shown: 'fahrenheit' } } },
  });
  return device;
}

async function rangesOf(node: OwnerNode, { id }: SimulatedDevice) {
  const { rules } = await call(node.process, 'alertRules', {});
  return rules
    .map(({ rule }) => rule)
    .filter((rule) => rule.kind === 'range' && rule.scope.kind === 'device' && rule.scope.device === id);
}

test('three clicks set the ranges of a crop; they can be edited, and another crop replaces them', async ({
  page,
  freshNode,
}) => {
  await test.step('three clicks on the device’s page set the ranges of a crop, and they can be edited', async () => {
    const device = await bed(freshNode);
    await openDevice(page, freshNode, device.id);
    const section = page.getByRole('region', { name: 'Alerts' });
    await expect(section).toContainText('No ranges are set for');

    await section.getByRole('button', { name: 'Set ranges for a crop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ranges for a crop' });
    await dialog.getByRole('button', { name: 'Lettuce' }).click();
    const row = (field: string) => dialog.getByRole('row', { name: field });
    await expect(row('pH')).toContainText('5.6 to 6.5');
    await expect(row('pH').getByRole('img', { name: 'above the allowed range' })).toBeVisible();
    await expect(row('EC')).toContainText('600 to 1,000 ppm₅₀₀');
    await expect(row('Water temperature')).toContainText('60.8 to 77 °F');
    await expect(row('Humidity')).toContainText('Not sent by this device');
    await expect(dialog.getByRole('link', { name: /Cornell/ })).toHaveAttribute('href', /^https:/);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await expect(dialog).toBeHidden();

    const rules = section.getByRole('list', { name: 'Rules for this device' });
    await rules.getByText('Lettuce: 4 ranges').click();
    await expect(rules.getByRole('list', { name: 'Lettuce' }).getByRole('listitem')).toHaveCount(4);
    await expect(tile(page, 'pH').getByRole('img', { name: 'above the allowed range' })).toBeVisible();
    expect(await rangesOf(freshNode, device)).toMatchObject([
      { field: 'ph', low: 5.6, high: 6.5, scope: { kind: 'device', device: device.id }, name: 'Lettuce' },
      { field: 'ec', low: 600, high: 1000 },
      { field: 'tempWater', low: 16, high: 25 },
      { field: 'tempAmbient', low: 16, high: 27 },
    ]);

    await rules.getByRole('button', { name: 'Edit: Lettuce' }).first().click();
    const edit = page.getByRole('dialog', { name: 'Change the rule' });
    await edit.getByLabel('At most').fill('7.5');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(edit).toBeHidden();
    await expect(tile(page, 'pH').getByRole('img', { name: 'above the allowed range' })).toHaveCount(0);
    expect((await rangesOf(freshNode, device))[0]).toMatchObject({ field: 'ph', high: 7.5 });
  });
  await test.step('another crop replaces the ranges instead of adding to them; its dialog fits and is readable', async () => {
    const device = await bed(freshNode);
    await openDevice(page, freshNode, device.id);
    const choose = async (crop: string) => {
      await page.getByRole('button', { name: 'Set ranges for a crop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: crop }).click();
    };
    await choose('Lettuce');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    const before = await rangesOf(freshNode, device);
    await choose('Basil');
    await expect(page.getByRole('dialog').getByRole('row', { name: 'pH' })).toContainText(
      'Replaces the range of this device',
    );
    await expectSound(page);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    const after = await rangesOf(freshNode, device);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after[0]).toMatchObject({ name: 'Basil', low: 5.5, high: 6.5 });
  });
});
