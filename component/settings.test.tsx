import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('settings begin with units and language, and end with ports', async () => {
  await openPage('#/settings');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  const headings = page
    .getByRole('heading', { level: 2 })
    .elements()
    .map(({ textContent }) => textContent);
  expect(headings[0]).toBe('Units');
  expect(headings[1]).toBe('This view');
  expect(headings.indexOf('Endpoints')).toBeGreaterThan(headings.indexOf('Data'));
});
