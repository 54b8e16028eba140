import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { openPage } from './support/open-page.tsx';
import { cell, grid, HOUR_MS, MINUTE_MS, openColumns } from './support/page-parts.ts';

const now = Date.now();
/** Air of 1.27 kPa, by FAO-56. */
const bed = new FakeDevice({
  name: 'Basil bed',
  sent: Array.from({ length: 60 }, (_, index) => ({
    at: now - (59 - index) * MINUTE_MS,
    values: { ph: 6, tempAmbient: 25, humidity: 60 },
  })),
});
/** Temperature and humidity come in readings of their own. */
const apart = new FakeDevice({
  name: 'Two sensors',
  sent: Array.from({ length: 60 }, (_, index) => ({
    at: now - (59 - index) * MINUTE_MS,
    values: index % 2 === 0 ? { tempAmbient: 25 } : { humidity: 60 },
  })),
});
const RULE: RangeRule = {
  ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11', kind: 'range', name: '', scope: { kind: 'all' }, field: 'vpd' },
  ...{ low: 0.4, high: 1.2, margin: 0, forMinutes: 10, repeatMinutes: null },
  ...{ severity: 'warning', channels: 'all', isOn: true },
};
const answers = { alertRules: () => ({ rules: [{ rule: RULE, devices: 1, sealedOn: [] }] }) };
const open = (device: FakeDevice) => openPage(`#/device/${device.id}?range=1h`, { devices: [device], answers });
const tile = (name: string) =>
  page.css('main header dl > div').filter({ has: page.css('dt').getByText(name, { exact: true }) });
const chart = (name: RegExp) => page.css('figure').filter({ has: page.getByRole('heading', { level: 3, name }) });

test('derived fields have tiles, charts, columns, lines to compare and rules; that of the leaf needs its offset', async () => {
  await open(bed);
  await expect.element(tile('VPD')).toContainText('1.27');
  await expect.element(tile('VPD')).toContainText('derived');
  await expect.element(tile('Dew point')).toContainText('16.7');
  await expect.element(chart(/^VPD kPa$/)).toContainText('Derived from air temperature and humidity.');
  await expect.element(chart(/^VPD kPa$/)).toContainText('Allowed: 0.4 to 1.2 kPa');
  await expect.element(chart(/^Dew point °C$/)).toBeVisible();
  await expect.element(chart(/^Leaf VPD/)).not.toBeInTheDocument();

  const header = (name: string) => grid().getByRole('columnheader').filter({ hasText: name });
  await expect.element(header('VPD')).toContainText('VPD kPa');
  await expect.element(header('VPD').css('[title="VPD (derived)"]')).toBeInTheDocument();
  const names = grid().getByRole('columnheader').elements();
  const column = names.findIndex(({ textContent }) => textContent.startsWith('VPD')) + 1;
  await expect.element(cell(1, column)).toContainText('1.27');
  await expect.element(header('Leaf VPD')).not.toBeInTheDocument();
  await openColumns();
  await page.getByLabelText('VPD (derived)').click();
  await expect.element(header('VPD')).not.toBeInTheDocument();

  // The leaf’s deficit is shown only while the owner’s offset is set.
  await tile('VPD').getByRole('button', { name: 'Set leaf temperature' }).click();
  const offset = page.getByLabelText('Leaf minus air (°C)');
  await offset.fill('−40');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Enter a number from −20 to 20, or nothing')).toBeVisible();
  await offset.fill('-2');
  await page.getByRole('button', { name: 'Save' }).click();
  // e°(23 °C) is 2.809 kPa, and the air holds 1.901 kPa.
  await expect.element(tile('Leaf VPD')).toContainText('0.91');
  await expect.element(chart(/^Leaf VPD kPa$/)).toBeVisible();
  await tile('Leaf VPD').getByRole('button', { name: 'Change leaf temperature' }).click();
  await offset.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(tile('Leaf VPD')).not.toBeInTheDocument();

  window.location.hash = `#/compare?lines=${bed.id}:vpd,${bed.id}:dewPoint&range=1h`;
  await expect.element(page.css(`[data-line="${bed.id}:vpd"]`)).toContainText('1.27');
  await expect.element(page.css(`[data-line="${bed.id}:dewPoint"]`)).toContainText('16.7');
  await page.getByRole('group', { name: 'Add a line' }).getByLabelText('Device').selectOptions('Basil bed');
  await expect
    .element(page.getByRole('group', { name: 'Add a line' }).getByLabelText('Field'))
    .toContainText('Dew point');

  // Its rules are in its own unit.
  window.location.hash = '#/alerts?tab=rules';
  await page
    .css('[data-rule="range"]')
    .getByRole('button', { name: /^Edit: / })
    .click();
  await expect.element(page.getByLabelText('At least (kPa)')).toHaveValue('0.4');
});

test('values of different readings derive nothing', async () => {
  await open(apart);
  await expect.element(tile('Humidity')).toContainText('60');
  await expect.element(tile('VPD')).not.toBeInTheDocument();
});

test('steps derive their values from means, and the chart says so', async () => {
  const long = new FakeDevice({ name: 'Long row', sent: [] });
  for (let index = 0; index < 1500; index += 1) {
    long.send({ at: now - (1500 - index) * 2 * MINUTE_MS, values: { tempAmbient: 25, humidity: 60 } });
  }
  await openPage(
    `#/device/${long.id}?from=${new Date(now - 50 * HOUR_MS).toISOString()}&to=${new Date(now).toISOString()}`,
    {
      devices: [long],
      answers,
    },
  );
  await expect.element(chart(/^VPD kPa$/)).toContainText('of each step');
  await expect
    .element(
      chart(/^VPD kPa$/)
        .getByText(/1\.27/)
        .first(),
    )
    .toBeVisible();
});
