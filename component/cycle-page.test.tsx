import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import type { LogAct } from '../src/shared/owner-data/journal.ts';
import { type OpenedPage, openPage } from './support/open-page.tsx';
import { DAY_MS, HOUR_MS } from './support/page-parts.ts';

const now = Date.now();
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const today = dayOf(now, zone);
const DAYS = 40;

/** A device whose pH is `ph`, but 7 in the ten newest days. */
function grows(name: string, ph: number): FakeDevice {
  const sent = Array.from({ length: DAYS * 4 }, (_, index) => {
    const at = now - (DAYS * 4 - 1 - index) * 6 * HOUR_MS;
    return { at, values: { ph: at > now - 10 * DAY_MS ? 7 : ph } };
  });
  return new FakeDevice({ name, sent });
}

async function plant({ node }: OpenedPage, device: FakeDevice, variety: string): Promise<string> {
  const ranges = [{ field: 'ph', low: 5.5, high: 6.5 } as const];
  const planted = addDays(today, -DAYS + 1);
  const { id } = await node.api.call('writeCycle', {
    ...{ id: null, crop: 'Tomato', variety, place: { kind: 'device', device: device.id }, zone },
    ...{ plantedAt: planted, plants: 10, areaM2: 2, endedAt: null },
    stages: [
      { name: 'Seedling', from: planted, ranges },
      { name: 'Fruiting', from: addDays(today, -10), ranges: [{ field: 'ph', low: 5.8, high: 6.3 }] },
    ],
  });
  return id;
}

const log = ({ node }: OpenedPage, device: FakeDevice, act: LogAct, at = now - HOUR_MS) =>
  node.api.call('writeJournalEntry', { id: null, device: device.id, at, text: '', act });
const kg = (value: number, cycle: string): LogAct => ({ kind: 'harvested', amount: { value, unit: 'kg' }, cycle });
const acid = (value: number): LogAct => ({
  kind: 'phCorrected',
  product: 'Acid',
  amount: { value, unit: 'ml' },
});

test('a crop cycle’s page, linked on card and device, shows its result, time in range by stage, and doses', async () => {
  const roof = grows('Roof', 6);
  const opened = await openPage('#/', { devices: [roof] });
  const id = await plant(opened, roof, 'Sakura');
  await log(opened, roof, kg(5, id));
  await log(opened, roof, acid(12));
  await log(opened, roof, acid(3), now - 35 * DAY_MS);
  await opened.reload();
  const link = page.getByRole('link', { name: 'Tomato Sakura' });
  await expect.element(link.first()).toBeVisible();
  await page.getByRole('link', { name: 'Roof' }).first().click();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'day 40 · Fruiting' })).toBeVisible();
  await link.first().click();
  await expect.element(page.getByRole('heading', { level: 1 })).toContainText('Tomato Sakura');
  await expect.element(page.getByText('500 g')).toBeVisible();
  const stages = page.getByRole('table', { name: 'Stages, and time in range' });
  await expect.element(stages.getByRole('row', { name: /^Seedling/ })).toContainText('29100 %');
  await expect.element(stages.getByRole('row', { name: /^Fruiting/ })).toContainText(/11\d %/);
  const rowOf = (at: number) => page.getByRole('row').filter({ hasText: monthOf(at) });
  const monthOf = (at: number) =>
    new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: zone }).format(at);
  await expect.element(rowOf(now - 35 * DAY_MS)).toContainText('3 ml');
  await expect.element(rowOf(now - HOUR_MS)).toContainText('12 ml');
  // Of so many days, the chart has means of days.
  await expect.element(page.css('figure')).toContainText('means of days');
  await expect.element(page.css('figure canvas')).toBeVisible();

  window.location.hash = '#/crops/0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';
  await expect.element(page.getByText('This crop cycle is not here')).toBeVisible();
});

test('two crop cycles side by side show which one yielded more, and their differences', async () => {
  const [roof, cellar] = [grows('Roof', 6), grows('Cellar', 5)];
  const opened = await openPage('#/crops', { devices: [roof, cellar] });
  const ids = [await plant(opened, roof, 'Sakura'), await plant(opened, cellar, 'Sakura')] as const;
  await log(opened, roof, kg(5, ids[0]));
  await log(opened, cellar, kg(2, ids[1]));
  await log(opened, cellar, acid(20));
  await opened.reload();
  await page.getByRole('link', { name: 'Tomato Sakura' }).first().click();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('menuitem').click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect.element(result).toContainText('yielded more: 500 g per plant against 200 g.');
  await expect.element(result).toContainText('pH in range, Seedling');
  const table = page.getByRole('table', { name: 'Differences' });
  await expect.element(table.getByRole('row', { name: /^Acid/ })).toContainText('20 ml');
  await expect.element(table.getByRole('row', { name: /^pH in range, Seedling/ })).toContainText('100 points');
  await expect.element(page.getByRole('heading', { name: 'By days since planting' })).toBeVisible();
  await expect.element(page.css('figure canvas')).toBeVisible();
});

test('an entry in a group’s cycle counts for the whole group, once, or for one device', async () => {
  const [roof, cellar] = [grows('Roof', 6), grows('Cellar', 5)];
  const opened = await openPage('#/crops', { devices: [roof, cellar] });
  const group = crypto.randomUUID();
  await opened.node.api.call('setOwnerChoices', {
    groups: [{ id: group, name: 'House', isCollapsed: false, devices: [roof.id, cellar.id] }],
  });
  const id = await plant(opened, roof, 'Sakura');
  const { cycles } = await opened.node.api.call('cycles', {});
  await opened.node.api.call('writeCycle', { ...cycles[0]!, place: { kind: 'group', group } });
  await opened.reload();
  await page.getByRole('link', { name: 'Tomato Sakura' }).click();
  const dialog = page.getByRole('dialog');
  const save = () => dialog.getByRole('button', { name: 'Save' }).click();
  const harvest = async (amount: string, place?: string) => {
    await page.getByRole('button', { name: 'Harvest', exact: true }).click();
    await dialog.getByLabelText('How much').fill(amount);
    await expect.element(dialog.getByRole('option', { selected: true }).last()).toHaveTextContent('Whole group House');
    if (place !== undefined) await dialog.getByLabelText('Place').selectOptions(place);
    await save();
    await expect.element(dialog).not.toBeInTheDocument();
  };
  await harvest('4');
  await harvest('1', 'Cellar');
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await dialog.getByRole('button', { name: 'Topped up' }).click();
  await dialog.getByLabelText('How much').fill('20');
  await expect.element(dialog.getByLabelText('Of')).toHaveDisplayValue('Whole group House');
  await save();
  await expect.element(dialog).not.toBeInTheDocument();
  const { entries } = await opened.node.api.call('journal', { device: null, from: null, to: null });
  expect(entries.map(({ device, act }) => [device, act?.amount?.value, act?.cycle])).toEqual([
    [null, 4, id],
    [cellar.id, 1, id],
    [null, 20, id],
  ]);
  // 10 plants.
  await expect.element(page.getByText('500 g')).toBeVisible();
  await expect.element(page.getByText('20 l', { exact: true }).first()).toBeVisible();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Whole group House' }).first()).toBeVisible();
});
