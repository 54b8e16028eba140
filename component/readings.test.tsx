import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { FakeError } from '../scripts/fake-node/fake.ts';
import { openPage } from './support/open-page.tsx';
import {
  cell,
  grid,
  HOUR_MS,
  MINUTE_MS,
  openColumns,
  openDevice,
  press,
  readings,
  valuesAt,
} from './support/page-parts.ts';

const COUNT = 1200;
const SHOWN = 500;
const SEALED_FROM = 1001;
const SEALED = COUNT - SEALED_FROM + 1;

const now = Date.now();
const tank = new FakeDevice({
  name: 'Long tank',
  sent: [
    ...readings({ count: SEALED_FROM - 1, endAt: now - SEALED * MINUTE_MS, fields: ['ph', 'ec', 'waterLevel'] }),
    ...readings({
      ...{ count: SEALED, endAt: now, firstSeq: SEALED_FROM },
      ...{ sealed: ['ec'], fields: ['ph', 'ec', 'waterLevel'] },
    }),
  ],
});
const open = () => openDevice(tank, 'range=all');
const header = (name: string | RegExp) => grid().getByRole('columnheader', { name });

test('lists the newest 500 readings, plain and sealed; keys reach every cell, a row can be copied, headers sort', async () => {
  const { reload } = await open();
  await expect.element(page.getByText('1–500 of 1,200 readings · the whole history')).toBeVisible();
  await expect.element(grid()).toHaveAttribute('aria-rowcount', String(SHOWN + 1));
  await expect.element(cell(1, 1)).toContainText('1200');
  const last = valuesAt(SEALED - 1);
  await expect.element(cell(1, 5)).toContainText(last.ph.toFixed(2));
  await expect.element(cell(1, 6)).toContainText('sealed');
  await expect.element(cell(1, 6).getByLabelText('Sealed with key version 3')).toBeVisible();
  await expect.element(cell(1, 7)).toContainText(String(last.waterLevel));
  // Of 500 rows only those in view exist.
  expect(grid().getByRole('row').elements().length).toBeLessThan(60);

  (cell(1, 1).element() as HTMLElement).focus();
  await press('{ArrowDown}', '{ArrowDown}', '{ArrowRight}', '{End}');
  await expect.element(page.getByRole('button', { name: 'Show reading 1198 as JSON' })).toHaveFocus();
  await press('{Home}');
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await press('{Control>}c{/Control}');
  await expect.element(page.getByText('Reading 1198 copied')).toBeVisible();
  const [seq, time, , timestamp, , , , ph] = copied.mock.lastCall![0].split('\t');
  expect([seq, ph]).toEqual(['1198', String(valuesAt(SEALED - 3).ph)]);
  expect(Date.parse(time!)).toBe(Number(timestamp));
  await page.getByRole('button', { name: 'Copy reading 1199' }).click();
  await expect.poll(() => copied.mock.lastCall![0]).toContain('1199\t');
  copied.mockRestore();
  (cell(3, 1).element() as HTMLElement).focus();
  await expect.poll(() => document.activeElement?.textContent).toBe('1198');
  await press('{Control>}{End}{/Control}');
  await expect.element(page.getByRole('button', { name: 'Show reading 701 as JSON' })).toHaveFocus();

  // A click anywhere on a header cell sorts by its column, from the top on.
  const scroller = grid().element().closest('[class*=scroller]')!;
  scroller.scrollTo(0, 5000);
  await expect.poll(() => scroller.scrollTop).toBe(5000);
  await header('Seq').getByRole('button').click();
  await expect.poll(() => scroller.scrollTop).toBe(0);
  await expect.element(cell(1, 1)).toContainText('1200');
  await header('Seq').getByRole('button').click();
  await expect.element(cell(1, 1)).toContainText('701');
  await expect.element(header('Seq')).toHaveAttribute('aria-sort', 'ascending');
  await header('pH').click({ position: { x: 3, y: 8 } });
  await expect.element(header('pH')).toHaveAttribute('aria-sort', 'ascending');
  const shown = Array.from({ length: SHOWN }, (_, index) =>
    valuesAt(index < SHOWN - SEALED ? 700 + index : index - 300),
  );
  const least = Math.min(...shown.map(({ ph }) => ph)).toFixed(2);
  await expect.element(cell(1, 5)).toContainText(least);
  await reload();
  await expect.element(cell(1, 5)).toContainText(least);
  await expect.element(page.getByText(/Only this page is sorted/)).toBeVisible();
});

test('offers no export before the readings are loaded', async () => {
  const few = new FakeDevice({ name: 'Few', sent: readings({ count: 5 }) });
  const answers = {
    readingsPage: () => {
      throw new FakeError('storage_unavailable');
    },
  };
  await openPage(`#/device/${few.id}?range=all`, { devices: [few], answers });
  await expect.element(page.getByRole('region', { name: 'Readings' }).getByRole('alert')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Export' })).toBeDisabled();
});

test('a table of five readings has no empty space, keeps its columns, and takes new readings at the top', async () => {
  const few = new FakeDevice({ name: 'Few', sent: readings({ count: 5, endAt: now - MINUTE_MS }) });
  const { reload, send } = await openDevice(few, 'range=all');
  await expect.element(cell(5, 1)).toBeVisible();
  expect(grid().element().parentElement!.getBoundingClientRect().height).toBeLessThan(6 * 32 + 10);
  await openColumns();
  await page.getByRole('checkbox', { name: 'Humidity' }).click();
  await page.getByRole('checkbox', { name: 'Store' }).click();
  await press('{Escape}');
  const asChosen = async () => {
    await expect.element(header('Store')).toBeVisible();
    await expect.element(header(/^Humidity/)).not.toBeInTheDocument();
  };
  await asChosen();
  await reload();
  await asChosen();

  // A new reading is added at the top, and the focused cell keeps its reading.
  (cell(2, 1).element() as HTMLElement).focus();
  await press('{ArrowDown}');
  await expect.poll(() => document.activeElement?.textContent).toBe('3');
  send(few, { at: Date.now(), seq: 5000, values: { ph: 6 } });
  await expect.element(cell(1, 1)).toContainText('5000');
  await expect.poll(() => document.activeElement?.textContent).toBe('3');
  await press('{ArrowUp}');
  await expect.poll(() => document.activeElement?.textContent).toBe('4');
});

/** Runs what saves a file; gives its text. */
async function saved(run: () => Promise<void>): Promise<string> {
  const made = vi.spyOn(URL, 'createObjectURL');
  try {
    await run();
    await expect.poll(() => made.mock.lastCall?.[0]).toBeInstanceOf(Blob);
    return await (made.mock.lastCall![0] as Blob).text();
  } finally {
    made.mockRestore();
  }
}
const linesOf = (text: string) => text.trimEnd().split('\n');

test('shows the raw JSON of a reading, saves a proof of it and of the table’s rows, and explains proofs', async () => {
  await open();
  await page.getByRole('button', { name: 'Show reading 1199 as JSON' }).click();
  const drawer = page.getByRole('dialog', { name: 'Reading 1199' });
  await expect.element(drawer.css('code, pre').first()).toBeVisible();
  const json = JSON.parse(drawer.css('code, pre').first().element().textContent!);
  const sent = tank.reading(COUNT - 2);
  expect(json).toMatchObject({ seq: '1199', keyVersion: 3, store: 'private', timestamp: sent.timestamp });
  expect(json.fields.ec).toEqual(sent.fields.ec);
  const text = await saved(() => drawer.getByRole('button', { name: 'Save a proof' }).click());
  expect(linesOf(text).map((line) => JSON.parse(line))).toEqual([
    { format: 'fake', device: tank.id },
    { index: 1199, entry: 'reading 1199', path: [] },
    { end: true, readings: 1, corrections: 0, registrations: 0, opened: 0 },
  ]);
  await expect.element(drawer.getByText(/^Saved as wellhouse_long-tank_.*reading-1199\.proof$/)).toBeVisible();
  await press('{Escape}');
  await expect.element(drawer).not.toBeInTheDocument();

  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await dialog.getByRole('radio', { name: /of the table/ }).click();
  await dialog.getByText('Proof', { exact: true }).click();
  await expect.element(dialog.getByText(/It makes two claims/)).toBeVisible();
  const ofRows = await saved(() => dialog.getByRole('button', { name: 'Export', exact: true }).click());
  expect(linesOf(ofRows)).toHaveLength(SHOWN + 2);
  expect(JSON.parse(linesOf(ofRows).at(-1)!)).toEqual({
    end: true,
    readings: SHOWN,
    corrections: 0,
    registrations: 0,
    opened: 0,
  });
  await expect.element(dialog.getByText(/^500 readings are in .*\.proof/)).toBeVisible();
});

test('merges both stores by seq, and names the store of each reading', async () => {
  const both = new FakeDevice({
    name: 'Merged tank',
    stores: ['private', 'public'],
    sent: [
      { at: now - 2 * HOUR_MS, values: { ph: 6 }, store: 'private' },
      { at: now - HOUR_MS, values: { ph: 6.1 }, store: 'public' },
    ],
  });
  await openDevice(both, 'range=all');
  await openColumns();
  await page.getByRole('checkbox', { name: 'Store' }).click();
  await press('{Escape}');
  const row = (number: number) => page.css(`[aria-rowindex="${number + 1}"]`);
  await expect.element(row(1)).toContainText('public');
  await expect.element(row(2)).toContainText('private');
  await expect.element(page.css('main header')).toContainText('both');
});

test('shows uptimes for a device whose clock is not set', async () => {
  const sent = readings({ count: 30, endAt: now - MINUTE_MS });
  const clockless = new FakeDevice({ name: 'Uptime tank', clockNotSet: true, sent }, now - 5 * 86_400_000);
  await openDevice(clockless, 'range=all');
  await expect.element(page.css('main header').getByText('Clock not set')).toBeVisible();
  await expect.element(page.getByText(/so its readings are shown at their time of arrival/)).toBeVisible();
  await expect.element(cell(1, 1)).toContainText('30');
  await expect.element(page.css('[aria-rowindex="2"]')).toContainText(/up for \d+ days?/);
});
