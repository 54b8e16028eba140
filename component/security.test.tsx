import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { complaints } from './support/complaints.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const entries = () => page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem');

test('the audit log has one sentence per action, latest first, with pages and a filter', async () => {
  await openPage('#/audit');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Log of actions' })).toBeVisible();
  await expect.element(page.getByText('The log is whole.')).toBeVisible();
  await expect.poll(() => entries().elements().length).toBe(50);
  await page.getByRole('button', { name: 'Show earlier entries' }).click();
  await expect.poll(() => entries().elements().length).toBe(60);
  await page.getByRole('combobox', { name: 'What' }).selectOptions('Keys');
  await expect.element(entries().first()).toContainText('Keys exported');
  await page.getByRole('combobox', { name: 'Who' }).selectOptions('Paired device');
  await expect.element(page.getByText('Nothing in the log matches these filters.')).toBeVisible();
  await page.getByRole('combobox', { name: 'What' }).selectOptions('Devices');
  await expect.element(entries().first()).toContainText('Device Greenhouse hidden');
  await expect.element(entries().first()).toContainText('My phone · from 192.168.1.31');
  expect(await complaints()).toEqual([]);
});

test('the page reports a changed audit log, and shows unknown kinds by name', async () => {
  await openPage('#/audit', {
    answers: (fake) => ({
      auditLog: (input) => {
        const { entries: all, ...rest } = fake.auditLog(input);
        return { ...rest, entries: [{ ...all[0]!, kind: 'teleported' }], isWhole: false };
      },
    }),
  });
  await expect.element(page.getByRole('status').getByText('The log was changed or cut')).toBeVisible();
  await expect.element(page.getByText('teleported (of a later version)')).toBeVisible();
});

test('the security page lists listeners, pairings and refusals, with links to change them', async () => {
  await openPage('#/security');
  const gate = page.getByRole('list', { name: 'What listens' }).getByRole('listitem').nth(2);
  await expect.element(gate).toContainText('On at 192.168.1.20:8080');
  await expect.element(page.getByRole('list', { name: 'Who is let in' })).toContainText('My phone');
  await expect
    .element(page.getByRole('list', { name: 'Refused in the last 24 hours' }))
    .toContainText('Wrong pairing code');
  await expect.element(page.getByText('Read token is off')).toBeVisible();
  const links = [
    ['Change: Gate', '#/connect/network'],
    ['Pair or revoke', '#/people'],
    ['All actions', '#/audit'],
  ] as const;
  for (const [name, href] of links) {
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href);
  }
  expect(await complaints()).toEqual([]);
});

test('the page warns about an unknown Host, with a remedy', async () => {
  const host = { count: 3, firstAt: Date.now(), lastAt: Date.now() };
  await openPage('#/security', {
    answers: (fake) => ({
      security: () => ({
        ...fake.security({}),
        hosts: [
          { ...host, host: '10.77.0.1', isLetIn: true },
          { ...host, host: '203.0.113.9', isLetIn: false },
        ],
        isLogWhole: false,
      }),
    }),
  });
  await expect.element(page.getByText('Something carries requests to the local endpoint, as 10.77.0.1')).toBeVisible();
  await expect
    .element(page.getByText('LOCAL_READ_TOKEN) keeps strangers from reading', { exact: false }))
    .toBeVisible();
  await expect.element(page.getByText('Requests to 203.0.113.9 are refused')).toBeVisible();
  await expect.element(page.getByText('The log of actions was changed or cut')).toBeVisible();
  expect(await complaints()).toEqual([]);
});
