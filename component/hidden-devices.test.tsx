import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

const inList = (name: string) =>
  page.getByRole('navigation', { name: 'Devices' }).getByRole('link', { name, exact: false });
const claim = page.getByRole('link', { name: 'Says it is yours' });

test('a hidden device of another owner leaves the list and the count, and can be shown again', async () => {
  await openPage('#/', { devices: 7 });
  await expect.element(claim).toBeVisible();
  await expect.element(page.getByRole('button', { name: /hidden device/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Not mine, hide it' }).click();
  await expect.element(page.getByRole('link', { name: 'Says it is yours', exact: false })).not.toBeInTheDocument();
  await page.getByRole('button', { name: '1 hidden device' }).click();
  await page.getByRole('button', { name: 'Show Says it is yours again' }).click();
  await expect.element(claim).toBeVisible();
});

test('a device’s page can hide the device, says that it is hidden, and shows it again', async () => {
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
