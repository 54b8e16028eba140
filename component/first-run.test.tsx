import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('the first page of a new node names the steps after the first device', async () => {
  await openPage('#/', { devices: 0 });
  await expect.element(page.getByRole('link', { name: /^Next: its name/ })).toHaveAttribute('href', '#/setup');
});
