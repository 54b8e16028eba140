import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { PendingRegistration } from '../src/shared/owner-api/gate.ts';
import { complaints } from './support/complaints.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

test('the gate’s address can be chosen from this machine’s addresses, or typed', async () => {
  await openPage('#/connect/network', {
    answers: (fake) => ({
      gate: () => ({
        ...fake.gate({}),
        addresses: [
          { address: '192.168.1.20', interface: 'eth0' },
          { address: '10.8.0.3', interface: 'wg0' },
        ],
      }),
    }),
  });
  const choice = page.getByRole('combobox', { name: 'Address of the gate' });
  await expect.element(choice).toBeVisible();
  const options = () => [...(choice.element() as HTMLSelectElement).options].map(({ label }) => label);
  await expect.poll(options).toEqual(['192.168.1.20 (eth0)', '10.8.0.3 (wg0)', 'Another address…']);
  await choice.selectOptions('Another address…');
  await page.getByRole('textbox', { name: 'Another address' }).fill('8.8.8.8');
  await expect.element(page.getByText('Not a private address such as 192.168.1.5')).toBeVisible();
});

test('the page names each device that a budget refused, the budget, and the number of refusals', async () => {
  await openPage('#/connect/network', {
    answers: (fake) => {
      const [device] = fake.overview({ dayStart: 0 }).devices;
      const over = { id: device!.id, since: Date.now() - 60_000, lastAt: Date.now(), refused: 12 };
      const overBudget = [
        { ...over, budget: 'rate' as const },
        { ...over, budget: 'disk' as const, refused: 3 },
        { ...over, budget: 'share' as const, id: 'cd'.repeat(32), refused: 1 },
      ];
      return { gate: () => ({ ...fake.gate({}), overBudget }) };
    },
  });
  const disk = page.getByRole('list', { name: /The disk is nearly full/ });
  await expect.element(disk.getByText('3 refused requests', { exact: false })).toBeVisible();
  const share = page.getByRole('list', { name: /The public store is nearly full/ });
  await expect.element(share.getByText('1 refused request ', { exact: false })).toBeVisible();
  const list = page.getByRole('list', { name: 'These devices send more than the gate takes from one device' });
  await expect.element(list.getByRole('link', { name: 'Greenhouse' })).toBeVisible();
  await expect.element(list.getByText('12 refused requests', { exact: false })).toBeVisible();
});

test('the page lists each registration under an id, and adopts the one that the owner read', async () => {
  const attempt = (name: string, owner: string) => ({
    ...{ id: 'cd'.repeat(32), registration: `of ${name}`, name, mac: '02a1b2c3d4e5', ownerPubkey: owner.repeat(32) },
    ...{ ownerName: null, isSigned: false, address: '192.168.1.9', count: 1, firstAt: Date.now(), lastAt: Date.now() },
  });
  const adopted: unknown[] = [];
  await openPage('#/connect/network', {
    answers: (fake) => ({
      gate: () => ({
        ...fake.gate({}),
        gate: { state: 'listening', address: '192.168.1.20', port: 8080 },
        attempts: [attempt('Mine', 'aa'), attempt('Theirs', 'bb')],
      }),
      adoptDevice: (input) => {
        adopted.push(input);
        return {};
      },
    }),
  });
  const tried = page.getByRole('list', { name: 'Tried to join while joining was closed' });
  const mine = tried.getByRole('listitem').filter({ hasText: /^Mine/ });
  await mine.getByRole('button', { name: /^Let it in/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Let this device in' });
  await expect.element(dialog.getByText(/It registered as “Mine”/)).toBeVisible();
  await expect.element(dialog.getByText('aa'.repeat(32))).toBeVisible();
  await dialog.getByRole('button', { name: 'Let it in' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(adopted).toEqual([{ id: 'cd'.repeat(32), registration: 'of Mine', name: 'Mine', dispositions: {} }]);
});

const waiting = (name: string, changes: Partial<PendingRegistration> = {}): PendingRegistration => ({
  ...{ id: 'cd'.repeat(32), registration: `of ${name}`, name, mac: '02a1b2c3d4e5', ownerPubkey: 'aa'.repeat(32) },
  ...{ ownerName: null, isSigned: false, address: '192.168.1.9', count: 1, firstAt: Date.now(), lastAt: Date.now() },
  ...{ waitsFor: 'reading', endsAt: Date.now() + 86_400_000 },
  ...changes,
});

test('the page shows a registered device that waits for its first signed reading, and why a device needs the owner', async () => {
  const id = (digits: string) => digits.repeat(32);
  await openPage('#/connect/network', {
    answers: (fake) => ({
      gate: () => ({
        ...fake.gate({}),
        gate: { state: 'listening', address: '192.168.1.20', port: 8080 },
        pending: [
          waiting('Tank', { id: id('01') }),
          waiting('Well', { id: id('02'), waitsFor: 'keeping', ownerName: 'Ana' }),
          waiting('Roof', { id: id('03'), waitsFor: 'owner' }),
        ],
      }),
    }),
  });
  const list = page.getByRole('list', { name: 'Waiting to join' });
  const item = (name: string) => list.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`) });
  await expect.element(item('Tank')).toContainText('Waiting for its first signed reading');
  await expect.element(item('Tank')).toContainText('Owner’s key aaaa');
  await expect.element(item('Well')).toContainText('asks only to be published');
  await expect.element(item('Well')).toContainText('Ana, owner’s key aaaa');
  await expect.element(item('Roof')).toContainText('Joining was open for one device');
  const heading = page.getByRole('heading', { name: /^It registers/ });
  await expect.poll(() => heading.element().closest('li')?.dataset).toHaveProperty('done');
  expect(await complaints()).toEqual([]);
});

test('of several registrations under one id, the owner can adopt one and remove another', async () => {
  let pending = [
    waiting('Theirs', { ownerPubkey: 'bb'.repeat(32), waitsFor: 'choice' }),
    waiting('Mine', { waitsFor: 'choice', isSigned: true }),
  ];
  const calls: unknown[] = [];
  await openPage('#/connect/network', {
    answers: (fake) => {
      const view = () => ({
        ...fake.gate({}),
        gate: { state: 'listening' as const, address: '192.168.1.20', port: 8080 },
        pending,
      });
      return {
        gate: view,
        dismissRegistration: (input) => {
          calls.push(input);
          pending = [waiting('Mine', { isSigned: true })];
          return view();
        },
        adoptDevice: (input) => {
          calls.push(input);
          return {};
        },
      };
    },
  });
  const list = page.getByRole('list', { name: 'Waiting to join' });
  await expect.element(list.getByText('Let in the one with your owner’s key', { exact: false })).toBeVisible();
  await expect.element(list.getByText('has sent a signed reading', { exact: false })).toBeVisible();
  await list.getByRole('button', { name: /^Not mine: Theirs/ }).click();
  await expect.element(list.getByText('Theirs')).not.toBeInTheDocument();
  await list.getByRole('button', { name: /^Let it in: / }).click();
  const dialog = page.getByRole('dialog', { name: 'Let this device in' });
  await expect.element(dialog.getByText('aa'.repeat(32))).toBeVisible();
  await dialog.getByRole('button', { name: 'Let it in' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(calls).toEqual([
    { id: 'cd'.repeat(32), registration: 'of Theirs' },
    { id: 'cd'.repeat(32), registration: 'of Mine', name: 'Mine', dispositions: {} },
  ]);
});

test('names the gate’s address if it can’t listen there', async () => {
  await openPage('#/connect', {
    answers: (fake) => ({
      gate: () => ({
        ...fake.gate({}),
        gate: { state: 'waiting', address: '169.254.254.253', port: 8080, reason: 'no_such_address', detail: null },
      }),
    }),
  });
  await expect
    .element(page.getByText('This machine does not have 169.254.254.253 at the moment', { exact: false }))
    .toBeVisible();
  expect(page.getByRole('button', { name: 'Let devices join' }).elements()).toHaveLength(0);
});

test('says which address the devices need after the gate moved, until the owner dismisses it', async () => {
  let address = '192.168.1.20';
  const previous: string[] = [];
  const opened = await openPage('#/connect', {
    answers: (fake) => ({
      gate: () => ({ ...fake.gate({}), gate: { state: 'listening', address, port: 8080 }, previous }),
    }),
  });
  await expect.element(page.getByRole('button', { name: 'Let devices join' })).toBeVisible();
  const moved = page.getByRole('status').filter({ hasText: 'The gate has moved' });
  await expect.element(moved).not.toBeInTheDocument();
  previous.push(`${address}:8080`);
  address = '192.168.1.30';
  opened.tell('gate', {});
  await expect.element(moved).toContainText('192.168.1.20:8080');
  await expect.element(moved).toContainText('192.168.1.30:8080');
  expect(await complaints()).toEqual([]);
  await moved.getByRole('button', { name: 'I have changed them all' }).click();
  await expect.element(moved).not.toBeInTheDocument();
  await opened.reload();
  await expect.element(page.getByRole('button', { name: 'Let devices join' })).toBeVisible();
  await expect.element(moved).not.toBeInTheDocument();
});
