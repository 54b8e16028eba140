import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { openDevice, readings } from './support/page-parts.ts';

test('the browser’s tab shows the title of each page', async () => {
  const well = ['Carp pond', 'Greenhouse'].map((name) => new FakeDevice({ name, sent: readings({ count: 2 }) }));
  await openPage('#/', { devices: well, answers: { alerts: () => ({ now: Date.now(), alerts: [] }) } });
  await expect.poll(() => document.title).toBe('Overview – Wellhouse');
  await page.getByRole('link', { name: 'Connect a device' }).first().click();
  await expect.poll(() => document.title).toBe('Connect a device – Wellhouse');
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('link').first().click();
  await expect.poll(() => document.title).toBe('Greenhouse – Wellhouse');
});

test('the owner can say whether a public device is theirs', async () => {
  const device = new FakeDevice({ name: 'Of another owner', whose: 'other', sent: readings({ count: 2 }) });
  await openDevice(device);
  await page.getByRole('button', { name: 'Edit notes' }).click();
  await page.getByLabelText('Is it yours?').selectOptions('Yes');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Wellhouse' }).click();
  const mine = page.getByRole('list', { name: 'Your devices' });
  await expect.element(mine.getByRole('link', { name: 'Of another owner' })).toBeVisible();
});

test('the page says if a device or a page does not exist', async () => {
  await openPage(`#/device/${'0'.repeat(64)}`);
  await expect.element(page.getByRole('heading', { name: 'This node knows no such device' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to all devices' }).click();
  await expect.element(page.getByRole('list', { name: 'Your devices' })).toBeVisible();
  window.location.hash = '#/nowhere';
  await expect.element(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible();
});
