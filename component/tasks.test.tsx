import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { addDays, dayOf } from '../src/shared/owner-data/days.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const ALL = { device: null, from: null, to: null };
const today = () => dayOf(Date.now());
const dialog = () => page.getByRole('dialog');

test('a late task is on the card and the first page, and one tap completes and logs it', async () => {
  const roof = new FakeDevice({ name: 'Roof', sent: readings({ count: 60 }) });
  const { node } = await openPage('#/crops', { devices: [roof] });
  await page.getByRole('button', { name: 'Add a task' }).click();
  await dialog().getByLabelText('How much, if known').fill('-3');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog().getByText('A number above 0')).toBeVisible();
  await dialog().getByLabelText('How much, if known').fill('30');
  await dialog().getByLabelText('Due').fill(addDays(today(), -2));
  await dialog().getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('region', { name: 'Tasks' }).getByText('Roof · 2 days late · every 14 days'))
    .toBeVisible();

  window.location.hash = '#/';
  const card = page.getByRole('article', { name: 'Roof' });
  await expect.element(card.getByText('2 days late · every 14 days')).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'Needs you now' }).getByText('Roof · 2 days late · every 14 days'))
    .toBeVisible();
  await expect.element(page.getByText(/1 task is due/)).toBeVisible();
  await card.getByRole('button', { name: 'Done: Change the solution · 30 l' }).click();
  await expect.element(card.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect.element(page.getByText(/1 task is due/)).not.toBeInTheDocument();
  const { entries } = await node.api.call('journal', ALL);
  const act = { kind: 'solutionChanged', amount: { value: 30, unit: 'l' } };
  expect(entries).toMatchObject([{ device: roof.id, act }]);
  expect((await node.api.call('tasks', {})).tasks).toMatchObject([{ due: addDays(today(), 14) }]);

  await card.getByRole('button', { name: 'Undo' }).click();
  await expect.element(page.getByText(/1 task is due/)).toBeVisible();
  expect((await node.api.call('journal', ALL)).entries).toEqual([]);
  await card.getByRole('button', { name: 'Remind me tomorrow: Change the solution · 30 l' }).click();
  await expect.element(page.getByText(/1 task is due/)).not.toBeInTheDocument();
});

test('a viewer with the right to log completes a task; another one only sees it', async () => {
  for (const mayLog of [true, false]) {
    const roof = new FakeDevice({ name: 'Roof', sent: readings({ count: 60 }) });
    const me = { role: 'viewer', name: 'Ana', isBounded: true, mayUnlock: false, mayLog } as const;
    const { node } = await openPage('#/', { devices: [roof], me });
    const task = { id: null, device: roof.id, title: 'Wash', everyDays: null, due: today() };
    await node.api.call('writeTask', task);
    const card = page.getByRole('article', { name: 'Roof' }).last();
    await expect.element(card.getByText('Wash')).toBeVisible();
    expect(card.getByRole('button', { name: /^Remind me tomorrow/ }).elements()).toEqual([]);
    const done = card.getByRole('button', { name: 'Done: Wash' });
    if (!mayLog) {
      expect(done.elements()).toEqual([]);
      continue;
    }
    await done.click();
    await expect.poll(async () => (await node.api.call('tasks', {})).tasks[0]!.due).toBeNull();
    await expect.element(done).not.toBeInTheDocument();
    expect(card.getByRole('button', { name: 'Undo' }).elements()).toEqual([]);
  }
});
