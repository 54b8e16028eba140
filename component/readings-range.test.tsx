import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import {
  cell,
  grid,
  HOUR_MS,
  MINUTE_MS,
  openDevice,
  press,
  rangeBar,
  readings,
  valuesAt,
} from './support/page-parts.ts';

const COUNT = 1600;
const PAGE = 500;
const end = Date.now() - 2 * HOUR_MS;
const everyMs = 5 * MINUTE_MS;
/** Few, so that the page has few charts. */
const fields = ['ph', 'ec'] as const;

// A reading each five minutes, up to two hours ago; the last hundred with sealed EC.
const tank = new FakeDevice({
  name: 'Long tank',
  sent: [
    ...readings({ everyMs, fields, count: COUNT - 100, endAt: end - 100 * everyMs }),
    ...readings({ everyMs, fields, count: 100, endAt: end, firstSeq: COUNT - 99, sealed: ['ec'] }),
  ],
});
const sent = [...Array.from({ length: COUNT - 100 }, (_, index) => index), ...Array.from({ length: 100 }, (_, i) => i)];

const section = page.getByRole('region', { name: 'Readings' });
const rows = () => Number(grid().element().getAttribute('aria-rowcount')) - 1;
const choose = (name: string) => rangeBar().getByText(name, { exact: true }).click();
const filter = page.getByRole('group', { name: 'Filter of the readings' });
const pager = page.getByRole('group', { name: 'Pages of the readings' });

test('lists, filters, pages and exports the readings of the charts’ range, and offers all if it has none', async () => {
  await openDevice(tank, 'range=8h');
  await expect.poll(() => Math.abs(rows() - 6 * 12)).toBeLessThan(6);
  await expect.element(section).toContainText(/\d+ readings · .* – now/);
  await expect.element(section).not.toContainText('…');
  // The table shows all of them, so the export offers exactly these.
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect.element(page.getByRole('radio', { name: /^The \d+ readings of the table/ })).toBeChecked();
  await press('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await choose('1 h');
  await expect.element(section).toContainText('No readings in the range of the charts');
  await page.getByRole('button', { name: 'Show all readings' }).click();
  await expect.element(section).toContainText('1–500 of 1,600 readings · the whole history');
  expect(window.location.hash).toContain('range=all');

  // Of a range of several pages, the export counts page and range, and figures say what they cover.
  const stats = (field: string) => page.css(`[data-stats=${field}]`);
  await expect.element(stats('ec')).toContainText('of the plain values');
  await expect.element(stats('ph').css('[data-stat=values]')).toContainText('1,600');
  await expect.element(stats('ph').css('[data-stat=part]')).not.toBeInTheDocument();
  await expect
    .element(stats('ph').css('[data-stat=mean] abbr'))
    .toHaveAttribute('title', expect.stringMatching(/^Mean of the readings/));
  await expect.element(section).toContainText('1–500 of 1,600 readings');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await expect.element(dialog.getByRole('radio', { name: /All readings of a time range/ })).toBeChecked();
  const ofTable = dialog.getByRole('radio', { name: '500 of 1,600 readings: this page of the table' });
  await expect.element(ofTable).not.toBeChecked();
  await ofTable.click();
  await expect.element(dialog).toContainText('that of measurement also in milliseconds');
  await press('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();

  await filter.getByLabelText('Field to filter by').selectOptions('EC');
  await filter.getByLabelText('Form of the value').selectOptions('sealed');
  await expect.element(section).toContainText('100 readings · the whole history · filtered');
  await filter.getByLabelText('Form of the value').selectOptions('in plain');
  await expect.element(section).toContainText('1–500 of 1,500 readings');
  await filter.getByLabelText(/^At least, ppm/).fill('1340');
  const high = sent.slice(0, -100).filter((index) => valuesAt(index).ec >= 1340).length;
  expect(high).toBeGreaterThan(0);
  await expect.element(section).toContainText(`${high} readings · the whole history · filtered`);
  await filter.getByLabelText(/^At most, ppm/).fill('12x');
  await expect.element(filter).toContainText('Not a number');
  await filter.getByRole('button', { name: 'Clear' }).click();
  await expect.element(section).toContainText('1–500 of 1,600 readings');
  // By the shown digits: 6.2 was sent as the nearest float32.
  await filter.getByLabelText('Field to filter by').selectOptions('pH');
  await filter.getByLabelText('At least', { exact: false }).fill('6,2');
  await filter.getByLabelText('At most', { exact: false }).fill('6.2');
  const exact = sent.filter((index) => valuesAt(index).ph === 6.2).length;
  expect(exact).toBeGreaterThan(0);
  await expect.element(section).toContainText(new RegExp(`Readings${exact} readings? · the whole history · filtered`));
  await expect.element(cell(1, 5)).toContainText('6.20');
  await filter.getByLabelText('At least', { exact: false }).fill('9');
  await expect.element(section).toContainText('No reading of this range passes the filter');
  await filter.getByRole('button', { name: 'Clear' }).click();
  await expect.element(section).toContainText('1–500 of 1,600 readings');

  const [newer, older] = [pager.getByRole('button', { name: 'Newer' }), pager.getByRole('button', { name: 'Older' })];
  await expect.element(newer).toBeDisabled();
  for (const [at, top] of [COUNT, COUNT - PAGE, COUNT - 2 * PAGE, COUNT - 3 * PAGE].entries()) {
    await expect.element(cell(1, 1)).toContainText(String(top));
    const last = Math.min(COUNT, (at + 1) * PAGE);
    const shown = `${(at * PAGE + 1).toLocaleString('en')}–${last.toLocaleString('en')} of 1,600`;
    await expect.element(pager).toContainText(shown);
    if (at < 3) await older.click();
  }
  await expect.element(older).toBeDisabled();
  expect(rows()).toBe(COUNT - 3 * PAGE);
  await newer.click();
  await expect.element(cell(1, 1)).toContainText(String(COUNT - 2 * PAGE));
  await grid().getByRole('columnheader', { name: /^Time/ }).getByRole('button').click();
  await expect.element(cell(1, 1)).toContainText(/^1$/);
  await pager.getByRole('button', { name: 'Newer' }).click();
  await expect.element(cell(1, 1)).toContainText(/^501$/);
  // What sorts by anything else says that it sorts a page.
  await grid().getByRole('columnheader', { name: /^pH/ }).getByRole('button').click();
  await expect.element(page.getByText(/Only this page is sorted/)).toBeVisible();
});

test('the filter is in the address, for a reload and the back button', async () => {
  const { reload } = await openDevice(tank, 'range=24h');
  await filter.getByLabelText('Field to filter by').selectOptions('EC');
  await filter.getByLabelText('Form of the value').selectOptions('in plain');
  await filter.getByLabelText(/^At least, ppm/).fill('1100');
  await expect.poll(() => window.location.hash).toMatch(/range=24h.*filter=ec&form=plain&min=1100$/);
  const asChosen = async () => {
    await expect.element(section).toContainText('· filtered');
    await expect.element(filter.getByLabelText('Field to filter by')).toHaveValue('ec');
    await expect.element(filter.getByLabelText('Form of the value')).toHaveValue('plain');
    await expect.element(filter.getByLabelText(/^At least, ppm/)).toHaveValue('1100');
  };
  await reload();
  await asChosen();
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await expect.element(page.getByRole('list', { name: 'Your devices' })).toBeVisible();
  window.history.back();
  await asChosen();
  // What is typed keeps to the same place in the history, and a range of before comes with the filter of then.
  await choose('8 h');
  await expect.poll(() => window.location.hash).toMatch(/range=8h.*filter=ec/);
  await filter.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => window.location.hash).not.toContain('filter=');
  window.history.back();
  await asChosen();
});

test('a new reading is added at the top of a range that is open, filtered or not', async () => {
  const live = new FakeDevice({ name: 'Live tank', sent: readings({ count: 5, fields: ['ph'] }) });
  const { send } = await openDevice(live, 'range=24h');
  await expect.element(cell(1, 1)).toContainText(/^5$/);
  send(live, { at: Date.now(), values: { ph: 5 } });
  await expect.element(cell(1, 1)).toContainText(/^6$/);
  await filter.getByLabelText('Field to filter by').selectOptions('pH');
  await filter.getByLabelText('At least', { exact: false }).fill('7');
  await expect.element(section).toContainText('No reading of this range passes the filter');
  send(live, { at: Date.now(), values: { ph: 8 } });
  await expect.element(cell(1, 1)).toContainText(/^7$/);
});
