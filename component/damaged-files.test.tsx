import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DamagedFile } from '../src/shared/owner-api/damaged-files.ts';
import { openPage } from './support/open-page.tsx';

const lostEntries: DamagedFile = {
  ...{ id: crypto.randomUUID(), file: 'alerts.json', at: Date.now(), copy: '/data/alerts.json.damaged-1', whole: null },
  lost: [
    { part: 'rules', entry: 'pH too low' },
    { part: 'options.quietHours', entry: null },
  ],
  restored: [{ part: 'channels', entry: 'Phone' }],
};
const wholeFile: DamagedFile = {
  ...{
    id: crypto.randomUUID(),
    file: 'door.json',
    at: Date.now(),
    copy: null,
    whole: 'previous',
    lost: [],
    restored: [],
  },
};

const missingStore: DamagedFile = { ...wholeFile, id: crypto.randomUUID(), file: 'private.db', whole: 'missing' };

test('every page reports a missing store, with a link to the backups', async () => {
  await openPage('#/', { answers: { damagedFiles: () => ({ files: [missingStore] }) } });
  const alert = page.getByRole('alert').filter({ hasText: 'private.db is missing' });
  await expect.element(alert).toBeVisible();
  await alert.getByRole('link', { name: 'Restore a backup' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
  await expect.element(alert).toBeVisible();
});

test('every page lists damaged files and what was lost, until each is dismissed', async () => {
  let files = [lostEntries, wholeFile];
  await openPage('#/alerts', {
    answers: {
      damagedFiles: () => ({ files }),
      dismissDamagedFile: ({ id }) => {
        files = files.filter((each) => each.id !== id);
        return {};
      },
    },
  });
  await expect.element(page.getByText(/^alerts\.json was damaged/)).toBeVisible();
  await expect.element(page.getByText('Alert rules: pH too low')).toBeVisible();
  await expect.element(page.getByText(/they are now as before the latest change/)).toBeVisible();
  await expect.element(page.getByText('Alert channels: Phone')).toBeVisible();
  await expect.element(page.getByText('Quiet hours', { exact: true })).toBeVisible();
  await expect.element(page.getByText('The damaged file is kept as /data/alerts.json.damaged-1.')).toBeVisible();
  await expect.element(page.getByText(/The copy from before its latest change is in use/)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss the notice about alerts.json' }).click();
  await expect.element(page.getByText(/^alerts\.json was damaged/)).not.toBeInTheDocument();
  await expect.element(page.getByText(/^door\.json was damaged/)).toBeVisible();
});
