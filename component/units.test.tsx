import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { openPage } from './support/open-page.tsx';
import {
  chart,
  deviceList,
  expectTexts,
  grid,
  hoverAt,
  MINUTE_MS,
  openDevice,
  press,
  readout,
  showIn,
  tile,
} from './support/page-parts.ts';

const now = Date.now();
const tankOf = (name: string) =>
  new FakeDevice({
    name,
    sent: Array.from({ length: 60 }, (_, index) => ({
      at: now - (59 - index) * MINUTE_MS,
      values: { ec: 1000, waterLevel: 225, tempWater: 21.6, tempAmbient: 20 + index / 10 },
    })),
  });

/** Opens the units of the device that is shown, chooses how a field is shown, and saves. */
async function show(field: string, unit: string): Promise<void> {
  await page.getByRole('button', { name: 'Units and tank' }).click();
  const dialog = page.getByRole('dialog');
  const units = dialog.getByRole('group', { name: `Units of ${field}` });
  await units.getByLabelText('Show', { exact: true }).selectOptions(unit);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
}

test('a chosen unit converts the value everywhere; a level is in per cent between the owner’s distances', async () => {
  const tank = tankOf('Measured tank');
  const { send } = await openDevice(tank, '', { devices: [tank, tankOf('Other tank')] });
  await expect.element(tile('Water temperature')).toContainText('21.60°C');
  await expect.element(tile('EC')).toContainText('1,000ppm₅₀₀');
  await show('Water temperature', '°F');
  await show('EC', 'mS/cm');
  await expect.element(tile('Water temperature')).toContainText('70.9°F');
  await expect.element(tile('Water temperature').getByTitle('70.88 °F (21.6 °C)')).toBeVisible();
  await expect.element(tile('EC')).toContainText('2.000mS/cm');
  await expect.element(tile('Air temperature')).toContainText('°C');
  const label = expect.stringMatching(/mean of the readings 70\.9 °F/);
  await expect.element(chart('Water temperature')).toHaveAttribute('aria-label', label);
  await hoverAt(chart('Water temperature'), 0.985);
  await expect.element(readout('Water temperature')).toContainText(/^70\.9 °F · /);
  await expect.element(grid().getByRole('columnheader', { name: /EC/ })).toContainText('mS/cm');
  await expect.element(grid().getByRole('gridcell', { name: '70.9' }).first()).toBeVisible();

  // The menu names the units in the chosen language.
  await showIn('pt-BR');
  await page.getByRole('button', { name: 'Unidades e tanque' }).click();
  const options = () =>
    page
      .getByRole('dialog')
      .css('option')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(options).toContain('ppm, escala 500');
  expect(options().join()).not.toContain('scale');
  await press('{Escape}');
  await showIn('en');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  await expect.element(tile('Distance to water')).toContainText('225mm');
  await expect.element(grid().getByRole('columnheader', { name: /^Distance mm/ })).toBeVisible();
  await tile('Distance to water').getByRole('button', { name: 'Show as per cent full' }).click();
  const dialog = page.getByRole('dialog');
  // The tank's two distances alone are asked for.
  await expect.poll(() => dialog.getByRole('textbox').elements()).toHaveLength(2);
  expect(dialog.getByRole('combobox').elements()).toEqual([]);
  await dialog.getByLabelText('Distance when empty (mm)').fill('400');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText(/Enter two distances, the one when empty being greater/)).toBeVisible();
  await dialog.getByLabelText('Distance when full (mm)').fill('50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(tile('Water level')).toContainText('50.0% full');
  send(tank, { at: Date.now(), values: { waterLevel: 120 } });
  await expect.element(tile('Water level')).toContainText('80.0% full');
  const inPerCent = expect.stringMatching(/Minimum 50.0 % full, maximum 80.0 % full/);
  await expect.element(chart('Water level')).toHaveAttribute('aria-label', inPerCent);
  await expect.element(page.getByText('Distance to water', { exact: true })).not.toBeInTheDocument();
  // Where a level and a distance stand in one column, its name says so; each device's own is right.
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  const card = (name: string) => page.getByRole('article', { name });
  await expect.element(card('Measured tank')).toContainText('Level80% full');
  await expect.element(card('Other tank')).toContainText('Distance mm225');
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByText('Table', { exact: true }).click();
  await expect.element(page.getByRole('columnheader', { name: 'Water', exact: true })).toBeVisible();
});

test('units for all devices have names in each language, and apply to devices without their own', async () => {
  const [tank, other] = [tankOf('Measured tank'), tankOf('Other tank')];
  await openPage('#/settings', {
    devices: [tank, other],
    answers: (fake) => {
      fake.setNotes({ id: tank.id, notes: { ...NO_NOTES, units: { ec: { shown: 'millisiemens' } } } });
      return {};
    },
  });
  await showIn('pt-BR');
  const menu = page.getByLabelText('Nutrientes (CE)', { exact: true });
  await expectTexts(menu.css('option'), ['ppm, escala 500', 'ppm, escala 700', 'µS/cm', 'mS/cm']);
  await showIn('en');
  await page.getByLabelText('Temperature', { exact: true }).selectOptions('°F');
  await page.getByLabelText('Nutrients (EC)', { exact: true }).selectOptions('ppm, 700 scale');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await page.getByRole('article', { name: 'Other tank' }).getByRole('link').first().click();
  await expect.element(tile('Water temperature')).toContainText('70.9°F');
  await expect.element(tile('EC')).toContainText('1,400ppm₇₀₀');
  await deviceList()
    .getByRole('link', { name: /Measured tank/ })
    .click();
  await expect.element(tile('EC')).toContainText('2.000mS/cm');
});

test('asks about a label of an earlier version, and never shows an unconverted value under it', async () => {
  const tank = tankOf('Other tank');
  const { reload } = await openDevice(tank, '', {
    answers: (fake) => {
      const units = { tempWater: { shown: 'fahrenheit' }, ec: { label: 'NTU' } } as const;
      const earlierLabels = { tempWater: '°F', waterLevel: '%' };
      fake.setNotes({ id: tank.id, notes: { ...NO_NOTES, units, earlierLabels } });
      return {};
    },
  });
  await expect.element(tile('Water temperature')).toContainText('70.9°F');
  await expect.element(tile('Distance to water')).toContainText('225mm');
  await expect.element(tile('EC')).toContainText('1,000NTU');
  const question = page.getByRole('status').filter({ hasText: 'Are these units right?' });
  await expect.element(question).toContainText('Water temperature had the label “°F”');
  await question.getByRole('button', { name: 'No, the device sends °F' }).click();
  await expect.element(tile('Water temperature')).toContainText('21.6°F');
  await question.getByRole('button', { name: 'Understood' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await reload();
  await expect.element(tile('Water temperature')).toContainText('21.6°F');
  await expect.element(question).not.toBeInTheDocument();
});
