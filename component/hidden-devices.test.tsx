import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const inList = (name: string) =>
  page.getByRole('navigation', { name: 'Devices' }).getByRole('link', { name, exact: false });
const claim = page.getByRole('link', { name: 'Says it is yours' });

test('a device can be hidden from the list and the count, in the overview and on its page, and shown again', async () => {
  const sent = readings({ count: 5, fields: ['ph'] });
  const devices = [
    ...['Greenhouse', 'Nursery'].map((name) => new FakeDevice({ name, sent })),
    new FakeDevice({ name: 'Says it is yours', whose: 'claimed', sent }),
  ];
  await openPage('#/', { devices });
  await expect.element(claim).toBeVisible();
  await expect.element(page.getByRole('button', { name: /hidden device/ })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Not mine, hide it' }).click();
  await expect.element(page.getByRole('link', { name: 'Says it is yours', exact: false })).not.toBeInTheDocument();
  await page.getByRole('button', { name: '1 hidden device' }).click();
  await page.getByRole('button', { name: 'Show Says it is yours again' }).click();
  await expect.element(claim).toBeVisible();

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
