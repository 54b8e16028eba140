import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const device = () => new FakeDevice({ name: 'Roof', sent: readings({ count: 5, fields: ['ph'] }) });
const ALL = { device: null, from: null, to: null };
const dialog = () => page.getByRole('dialog');
const choose = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

async function openLog(): Promise<void> {
  await page.getByRole('button', { name: 'Log what you did at Roof' }).click();
  await expect.element(dialog().getByRole('button', { name: 'Topped up' })).toBeVisible();
}

test('the second tap adds an entry that needs no text, which can be undone; a form asks for an amount', async () => {
  const { node } = await openPage('#/', { devices: [device()] });
  const entries = async () => (await node.api.call('journal', ALL)).entries;
  await openLog();
  await choose('Cleaned');
  await expect.element(dialog().getByRole('status')).toHaveTextContent('Logged: Cleaned.');
  expect(await entries()).toMatchObject([{ act: { kind: 'cleaned' }, text: '' }]);
  await choose('Undo');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(await entries()).toEqual([]);

  // The form refuses an invalid amount, and proposes it the next time.
  await openLog();
  await choose('Dosed');
  await dialog().getByLabelText('What', { exact: true }).fill('Part A');
  await dialog().getByLabelText('How much').fill('-15');
  await choose('Save');
  await expect.element(dialog().getByText('A number above 0')).toBeVisible();
  await dialog().getByLabelText('How much').fill('15');
  await choose('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(await entries()).toMatchObject([
    { act: { kind: 'dosed', product: 'Part A', amount: { value: 15, unit: 'ml' } } },
  ]);
  await openLog();
  await choose('Dosed');
  await expect.element(dialog().getByLabelText('How much')).toHaveValue('15');
  await choose('Save');
  await expect.element(dialog()).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Roof' }).first().click();
  await expect.element(page.getByText('Dosed · Part A · 15 ml').first()).toBeVisible();
});

test('the list can show one kind of entry', async () => {
  const roof = device();
  await openPage(`#/device/${roof.id}`, {
    devices: [roof],
    answers: () => ({
      journal: () => ({
        entries: [
          { id: 1, device: roof.id, at: Date.now() - 120_000, text: 'White roots', updatedAt: 0 },
          {
            id: 2,
            device: roof.id,
            at: Date.now() - 60_000,
            text: '',
            act: { kind: 'pruned' },
            by: 'Ana',
            updatedAt: 0,
          },
        ],
        isCut: false,
      }),
    }),
  });
  const list = page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
  await expect.element(list.first()).toContainText('AnaPruned');
  await page.getByLabelText('Which kind is listed').selectOptions('note');
  await expect.poll(() => list.elements().length).toBe(1);
  await expect.element(list.first()).toContainText('White roots');
});
