import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('lists every device by name', async () => {
  await openPage('#/');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Greenhouse' }).first()).toBeVisible();
});

test('the settings page is there', async () => {
  await openPage('#/settings');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});
