import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('a tank is set by its two distances alone, and a column of levels and distances says which each is', async () => {
  await openPage('#/', { devices: 3 });
  await page
    .getByRole('navigation', { name: 'Devices' })
    .getByRole('link', { name: /Greenhouse/ })
    .click();
  await page.getByRole('button', { name: 'Show as per cent full' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show as per cent full' });
  await expect.element(dialog.getByLabelText('Distance when empty (mm)')).toBeVisible();
  expect(dialog.getByRole('combobox').elements()).toEqual([]);
  await dialog.getByLabelText('Distance when empty (mm)').fill('900');
  await dialog.getByLabelText('Distance when full (mm)').fill('50');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  const row = (name: string) => page.getByRole('table').getByRole('row').filter({ hasText: name });
  await expect.element(row('Greenhouse').getByText('Level')).toBeInTheDocument();
  await expect.element(row('Nursery').getByText('Distance')).toBeInTheDocument();
});

test('a row tells the age of its device once', async () => {
  await openPage('#/', { devices: 1 });
  const row = page.getByRole('table').getByRole('row').filter({ hasText: 'Greenhouse' });
  await expect.element(row.getByText(/^Online · /)).toBeVisible();
  expect(row.element().textContent!.match(/ ago/g)).toHaveLength(1);
});
