import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const device = () => new FakeDevice({ name: 'Roof', sent: readings({ count: 60 }) });
const dialog = () => page.getByRole('dialog');
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

test('a calibration with mistyped values is refused, and a valid one corrects the card and the table', async () => {
  const roof = device();
  const { node } = await openPage('#/', { devices: [roof] });
  const sent = (await node.api.call('device', { id: roof.id })).newest.ph?.value as number;
  await page.getByRole('button', { name: 'Log what you did at Roof' }).click();
  await press('Calibrated');
  await dialog().getByLabelText('Reference', { exact: true }).fill('7');
  await press('Save');
  await expect.element(dialog().getByRole('alert')).toContainText('Each reference needs its true value');
  await dialog()
    .getByRole('button', { name: /for reference 1$/ })
    .click();
  await dialog().getByLabelText('2nd reference').fill('7');
  await dialog().getByLabelText('Sensor sends').nth(1).fill('9');
  await press('Save');
  await expect.element(dialog().getByRole('alert')).toContainText('Both references are the same');
  await dialog().getByLabelText('2nd reference').fill('');
  await dialog().getByLabelText('Sensor sends').nth(1).fill('');
  await press('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  const { entries } = await node.api.call('journal', { device: null, from: null, to: null });
  expect(entries).toMatchObject([
    { act: { kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown: expect.closeTo(sent, 6) }] } },
  ]);
});

test('a device’s page says how far off a sensor was, and shows the sent values on request', async () => {
  const roof = device();
  const { node } = await openPage('#/', { devices: [roof] });
  const now = Date.now();
  for (const [days, shown] of [
    [40, 7.1],
    [10, 7.5],
  ] as const)
    await node.api.call('writeJournalEntry', {
      ...{ id: null, device: roof.id, at: now - days * 86_400_000, text: '' },
      act: { kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown }] },
    });
  await expect.element(page.getByText('The pH sensor of Roof drifts too far')).toBeVisible();
  await page.getByRole('link', { name: 'Roof' }).first().click();
  const section = page.getByRole('region', { name: 'Calibrations' });
  await expect.element(section).toContainText('drifts too far');
  await expect.element(section).toContainText('0.5 too high');
  await expect.element(section.getByRole('img')).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'As sent, not calibrated' }).first()).not.toBeChecked();
});
