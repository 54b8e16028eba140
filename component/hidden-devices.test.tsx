import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

const inList = (name: string) =>
  page.getByRole('navigation', { name: 'Devices' }).getByRole('link', { name, exact: false });
const claim = page.getByRole('link', { name: 'Says it is yours' });

test('a device that is not the owner’s leaves list and count, and can be shown again', async () => {
  await openPage('#/', { devices: 7 });
  await expect.element(claim).toBeVisible();
  await expect.element(page.getByRole('button', { name: /hidden device/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Not mine, hide it' }).click();
  await expect.element(page.getByRole('link', { name: 'Says it is yours', exact: false })).not.toBeInTheDocument();
  await page.getByRole('button', { name: '1 hidden device' }).click();
  await page.getByRole('button', { name: 'Show Says it is yours again' }).click();
  await expect.element(claim).toBeVisible();
});

test('a device is hidden on its page, which says so and brings it back', async () => {
  await openPage('#/', { devices: 3 });
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Device and network' }).click();
  await page.getByRole('button', { name: 'Hide', exact: true }).click();
  await expect.element(page.getByText(/This device is hidden/)).toBeVisible();
  await expect.element(inList('Greenhouse')).not.toBeInTheDocument();
  await expect.element(inList('Nursery')).toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Show again' })).toHaveFocus();
  await page.getByRole('button', { name: 'Show again' }).click();
  await expect.element(inList('Greenhouse')).toBeInTheDocument();
});
