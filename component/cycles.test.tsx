import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const today = dayOf(Date.now());
const dialog = () => page.getByRole('dialog');
const save = () => dialog().getByRole('button', { name: 'Save' }).click();

test('a crop cycle uses the ranges of its crop, refuses overlapping stages, and sums up its harvests', async () => {
  const roof = new FakeDevice({ name: 'Roof', sent: readings({ count: 5 }) });
  const { node } = await openPage('#/crops', { devices: [roof] });
  await page.getByRole('button', { name: 'Add a crop cycle' }).click();
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('Write what grows');
  await dialog().getByLabelText('Planted').fill(addDays(today, -30));
  await dialog().getByLabelText('Plants', { exact: true }).fill('10');
  await dialog().getByLabelText('Area, m²').fill('2');
  await dialog().getByRole('button', { name: 'Add a stage' }).click();
  await dialog().getByRole('button', { name: 'Add a stage' }).click();
  await dialog().getByLabelText('Crop', { exact: true }).fill('Tomato');
  await expect.element(dialog().getByLabelText('pH, least, Seedling')).toHaveValue('5.5');
  const from = dialog().getByLabelText('From', { exact: true });
  await from.nth(1).fill(addDays(today, -30));
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('Stages overlap');
  await from.nth(1).fill(addDays(today, -10));
  await save();
  await expect.element(dialog()).not.toBeInTheDocument();
  const { cycles } = await node.api.call('cycles', {});
  expect(cycles).toMatchObject([{ crop: 'Tomato', plants: 10, areaM2: 2, place: { kind: 'device', device: roof.id } }]);
  expect(cycles[0]!.stages.map(({ name, from: day }) => [name, day])).toEqual([
    ['Seedling', addDays(today, -30)],
    ['Vegetative', addDays(today, -10)],
  ]);
  const card = page.getByRole('article', { name: 'Tomato' });
  await expect.element(card).toContainText('The ranges of “Vegetative” are the rules of Roof now.');

  await card.getByRole('button', { name: 'Harvest Tomato' }).click();
  await dialog().getByLabelText('How much').fill('-2');
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('A number above 0');
  await dialog().getByLabelText('How much').fill('2.5');
  await dialog()
    .getByLabelText('When, local time')
    .fill(`${addDays(today, 3)}T12:00:00`);
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('This is more than a day ahead');
  await dialog()
    .getByLabelText('When, local time')
    .fill(`${addDays(today, -31)}T12:00:00`);
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('This is before the planting');
  await dialog()
    .getByLabelText('When, local time')
    .fill(`${addDays(today, -1)}T12:00:00`);
  await save();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(card).toContainText('Harvest2.5 kgPer plant, of 10250 gPer m²1.25 kg');
});

test('a stage can have other ranges by night', async () => {
  const roof = new FakeDevice({ name: 'Roof', sent: readings({ count: 5 }) });
  const { node } = await openPage('#/crops', { devices: [roof] });
  await page.getByRole('button', { name: 'Add a crop cycle' }).click();
  await dialog().getByLabelText('Crop', { exact: true }).fill('Chard');
  await dialog().getByRole('button', { name: 'Add a stage' }).click();
  await expect.element(dialog().getByLabelText('Air temp., least by night, Seedling')).not.toBeInTheDocument();
  await dialog().getByRole('switch', { name: 'Other ranges by night' }).click();
  await dialog().getByLabelText('Air temp., least, Seedling').fill('22');
  await dialog().getByLabelText('Air temp., most, Seedling').fill('28');
  await dialog().getByLabelText('Air temp., least by night, Seedling').fill('23');
  await dialog().getByLabelText('Air temp., most by night, Seedling').fill('22');
  await save();
  await expect.element(dialog().getByRole('alert')).toContainText('the first number must be below the second');
  await dialog().getByLabelText('Air temp., least by night, Seedling').fill('18');
  await save();
  await expect.element(dialog()).not.toBeInTheDocument();
  const { cycles } = await node.api.call('cycles', {});
  expect(cycles[0]!.stages[0]!.ranges).toEqual([
    { field: 'tempAmbient', low: 22, high: 28, night: { low: 18, high: 22 } },
  ]);
});
