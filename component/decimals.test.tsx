import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { expectTexts, MINUTE_MS, openDevice, tile } from './support/page-parts.ts';

const now = Date.now();
const round = new FakeDevice({
  name: 'Round numbers',
  sent: [
    { at: now - 4 * MINUTE_MS, values: { tempWater: 21, ph: 6, waterLevel: 90 } },
    { at: now - 3 * MINUTE_MS, values: { tempWater: 21.5, ph: 6.2, waterLevel: 91 } },
    { at: now - 2 * MINUTE_MS, values: { tempWater: 21.53, ph: 6.21, waterLevel: 92 } },
    { at: now - MINUTE_MS, values: { tempWater: 9.5, ph: 6.3, waterLevel: 93 } },
  ],
});
const uneven = new FakeDevice({ name: 'Uneven numbers', sent: [{ at: now, values: { tempWater: 21.53, ph: 6 } }] });

const column = (name: string) => page.css(`[role=gridcell][data-column=${name}]`);

/** Where the decimal signs of a column stand, in pixels. */
const signs = (name: string) =>
  column(name)
    .elements()
    .map((each) => {
      const text = document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode() as Text;
      const range = document.createRange();
      const at = text.data.indexOf('.');
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return Math.round(range.getBoundingClientRect().left);
    });

test('values in a column of the readings or a chart’s table have the same decimals, and their points align', async () => {
  await openDevice(round);
  await expectTexts(column('tempWater'), ['9.50', '21.53', '21.50', '21.00']);
  await expectTexts(column('ph'), ['6.30', '6.21', '6.20', '6.00']);
  await expectTexts(column('waterLevel'), ['93', '92', '91', '90']);
  for (const name of ['tempWater', 'ph']) expect(new Set(signs(name)).size).toBe(1);
  await expect.element(tile('Water temperature')).toContainText('9.50°C');
  await page.getByRole('button', { name: 'Water temperature as a table' }).click();
  const table = page.getByRole('region', { name: 'Water temperature as a table' });
  await expectTexts(table.css('td:nth-child(2)'), ['9.50', '21.53', '21.50', '21.00']);
});

test('values of a field of several devices have the same number of decimals', async () => {
  await openPage('#/', { devices: [round, uneven] });
  const row = (name: string) => page.getByRole('article', { name });
  await expect.element(row('Round numbers')).toContainText('Water temp. °C9.50');
  await expect.element(row('Uneven numbers')).toContainText('Water temp. °C21.53');
  await expect.element(row('Uneven numbers')).toContainText('6.00');
});
