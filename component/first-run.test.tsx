import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('the first page of a new node mentions backups', async () => {
  await openPage('#/', { devices: 0 });
  await expect.element(page.getByRole('link', { name: /plan backups/ })).toHaveAttribute('href', '#/backups');
});
