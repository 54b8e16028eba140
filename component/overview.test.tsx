import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { knockingDevice } from '../scripts/fake-node/views.ts';
import { openTable } from './support/overview.ts';
import { press, textsOf } from './support/page-parts.ts';

const ALL = ['Attic tank', 'Basil bed', 'Carp pond', 'Dill shelf', 'Empty vat'];
const mine = page.getByRole('table', { name: 'Your devices' });
const names = () => textsOf(mine.getByRole('link'));
const row = (name: string) => mine.getByRole('row').filter({ hasText: name });
const search = page.getByRole('searchbox', { name: 'Search devices' });

test('lists values, stores, status and other owners’ devices; sorts, searches and filters, and remembers it', async () => {
  const { reload } = await openTable();
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  const pond = row('Carp pond');
  await expect.element(pond.getByTitle('6.2', { exact: true })).toBeVisible();
  await expect.element(pond.getByTitle('1,800 ppm', { exact: false })).toBeVisible();
  await expect.element(pond.getByTitle('18.25 °C', { exact: false })).toBeVisible();
  // Of the reading before: the newest had none.
  await expect.element(pond.getByTitle('119 mm', { exact: false })).toBeVisible();
  await expect.element(pond.getByText(/sec ago|min ago|now/).first()).toBeVisible();
  await expect.element(pond.css('svg[preserveAspectRatio] path').first()).toBeVisible();

  await expect.element(row('Carp pond')).toContainText('private');
  await expect.element(row('Basil bed')).toContainText('both');
  await expect.element(row('Attic tank')).toContainText('Clock not set');
  await expect.element(row('Carp pond')).not.toContainText('Clock not set');
  await expect.element(row('Empty vat')).toContainText('No reading yet');
  await expect.poll(() => row('Dill shelf').getByLabelText('Sealed with key version 3').elements()).toHaveLength(2);

  await expect.poll(names).toEqual(ALL);
  const others = page.getByRole('table', { name: 'Devices of other owners' });
  await expect.element(others.getByRole('link', { name: 'Stranger’s pump' })).toBeVisible();
  await page.getByRole('button', { name: '1 device of another owner' }).click();
  await expect.element(others).not.toBeInTheDocument();

  await mine.getByRole('button', { name: 'pH' }).click();
  const byPh = ['Attic tank', 'Carp pond', 'Basil bed'];
  await expect.poll(() => names().slice(0, 3)).toEqual(byPh);
  await mine.getByRole('button', { name: 'pH' }).click();
  await expect.poll(() => names().slice(0, 3)).toEqual(byPh.toReversed());
  await expect.element(mine.getByRole('columnheader', { name: 'pH' })).toHaveAttribute('aria-sort', 'descending');
  await reload();
  await expect.poll(() => names().slice(0, 3)).toEqual(byPh.toReversed());
  await expect.element(others).not.toBeInTheDocument();
  await page.getByLabelText('Sort by').selectOptions('Name');
  await expect.poll(names).toEqual(ALL);

  await search.fill('no such thing');
  await expect.element(page.getByRole('heading', { name: 'No device matches the search and filters' })).toBeVisible();
  await expect.element(page.getByText(/^0 of \d shown, \d hidden/)).toBeVisible();
  // Without regard to case, accents and order.
  await search.fill('pônd CARP');
  await expect.poll(names).toEqual(['Carp pond']);
  const count = page.getByText(/^1 of \d shown, \d hidden by search or filter$/);
  await expect.element(count).toBeVisible();
  await reload();
  await expect.element(count).toBeVisible();
  await expect.element(search).toHaveValue('pônd CARP');
  await page.getByRole('button', { name: 'Show all' }).first().click();
  await expect.element(row('Basil bed')).toBeVisible();

  await page.getByLabelText('Filter by store').selectOptions('In both stores');
  await expect.poll(names).toEqual(['Basil bed']);
  await page.getByRole('button', { name: '1 device of another owner' }).click();
  await page.getByLabelText('Filter by store').selectOptions('Private only');
  await page.getByLabelText('Filter by status').selectOptions('Silent or without a reading');
  const filtered = async () => {
    await expect.poll(names).toContain('Empty vat');
    await expect.poll(names).not.toContain('Carp pond');
    // Nothing is expected of somebody else's.
    await expect.element(page.getByText('Stranger’s pump')).not.toBeInTheDocument();
  };
  await filtered();
  await reload();
  await expect.element(page.getByLabelText('Filter by status')).toHaveValue('silent');
  await filtered();
});

test('the search finds a device from any page by keyboard, and arrows walk through its list and back', async () => {
  await openTable({}, '#/connect');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
  await press('/');
  await expect.element(search).toHaveFocus();
  await press('carp', '{Enter}');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Carp pond' })).toBeVisible();
  await expect.element(search).toHaveValue('');
  await expect.poll(() => document.activeElement?.tagName).toBe('MAIN');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await search.fill('a');
  await press('{ArrowDown}');
  await expect.element(row('Attic tank').getByRole('link')).toHaveFocus();
  await press('{ArrowDown}');
  await expect.element(row('Basil bed').getByRole('link')).toHaveFocus();
  await press('{ArrowUp}', '{ArrowUp}');
  await expect.element(search).toHaveFocus();
});

test('an unknown device at the public endpoint raises no alert', async () => {
  const knocking = { ...knockingDevice(Date.now()), stores: ['public' as const], isOurs: false };
  await openTable({
    answers: (fake) => ({ overview: (input) => ({ ...fake.overview(input), unregistered: [knocking] }) }),
  });
  const notice = page.getByRole('region', { name: 'An unknown device sends to the public endpoint' });
  await expect.element(page.getByTitle(knocking.id)).not.toBeInTheDocument();
  await notice.getByRole('button', { name: 'Show' }).click();
  await expect.element(notice.getByTitle(knocking.id)).toBeVisible();
});
