import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { parseCsv } from '../support/csv.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { exported } from '../support/exported.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const COUNT = 600;
const SHOWN = 500;

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: '=HYPERLINK("http://evil.example")' }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: COUNT, sealed: ['ec'] }));
});

const grid = (page: Page) => page.getByRole('grid', { name: 'Readings' });

test('exported tables have the shown columns, and no formulas', async ({ page }) => {
  await test.step('exports exactly the shown columns in the order of the table', async () => {
    await openOwner(page, node(), `#/device/${device.id}?range=all`);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(SHOWN + 1));

    await grid(page).getByRole('columnheader', { name: 'Seq' }).getByRole('button').click();
    await grid(page).getByRole('columnheader', { name: 'Seq' }).getByRole('button').click();
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Time', 'Received', 'Delay', 'Humidity'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck();
    await page.keyboard.press('Escape');
    const [header, ...rows] = parseCsv((await exported(page, 'CSV', false)).text.replace(/^\uFEFF/, ''));
    expect(header).toEqual([
      'seq',
      'ph',
      'ec (ppm, 500 scale)',
      'waterLevel (mm, distance to water)',
      'tempWater (°C)',
      'tempAmbient (°C)',
    ]);
    expect(rows.map(([seq]) => seq)).toEqual(
      Array.from({ length: SHOWN }, (_, index) => String(COUNT - SHOWN + 1 + index)),
    );
  });
  await test.step('defuses formulas in files for spreadsheets', async () => {
    await openOwner(page, node(), `#/device/${device.id}?range=all`);
    await expect(grid(page)).toHaveAttribute('aria-rowcount', String(SHOWN + 1));

    await page.getByRole('button', { name: 'Units and tank' }).click();
    const dialog = page.getByRole('dialog');
    for (const [field, label] of [
      ['EC', '=cmd|x!A1'],
      ['pH', '+1'],
    ] as const) {
      const units = dialog.getByRole('group', { name: `Units of ${field}` });
      await units.getByLabel('The device sends').selectOption('Another unit…');
      await units.getByLabel('Name of the unit').fill(label);
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(grid(page).getByRole('columnheader', { name: /EC/ })).toContainText('=cmd');
    const { text } = await exported(page, 'CSV', false);
    for (const row of parseCsv(text.replace(/^\uFEFF/, ''))) {
      for (const each of row) expect(each).not.toMatch(/^[=+@\t\r]/);
    }
  });
});
