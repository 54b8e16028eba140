import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { HeldBack } from '../src/shared/owner-api/backups.ts';
import { complaints } from './support/complaints.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const LONG = 'https://hooks.example.org/services/greenhouse-propagation-bench-third-from-the-door-left';
const ITEMS: readonly HeldBack[] = [
  { id: 'public', kind: 'public', detail: '3000' },
  { id: 'gate', kind: 'gate', detail: '192.168.1.20, 8080' },
  { id: 'door', kind: 'door', detail: '0.0.0.0, 3443' },
  { id: 'hosts', kind: 'hosts', detail: '203.0.113.7' },
  { id: 'mqtt', kind: 'mqtt', detail: 'mqtts://broker.example.org' },
  { id: 'metrics', kind: 'metrics', detail: '192.168.1.20, 9100' },
  { id: 'backups', kind: 'backups', detail: '/media/usb, age1qqq' },
  { id: 'channel 1', kind: 'channel', detail: `webhook ${LONG}` },
  { id: 'node 1', kind: 'node', detail: 'Shed, https://192.168.1.30:3443' },
];
const card = page.getByRole('alert').filter({ hasText: 'Restored, and off until you confirm it' });
const items = () => card.getByRole('listitem');

/** Opens the backups page with these held back; `asked` has what was confirmed and dropped. */
async function open(problem: string | null = null) {
  let heldBack = [...ITEMS];
  const asked: [string, readonly string[]][] = [];
  const take = (what: string) => (input: { ids: readonly string[] }) => {
    asked.push([what, input.ids]);
    if (problem !== null) return { problem: { fault: 'refused' as const, message: problem } };
    heldBack = heldBack.filter(({ id }) => !input.ids.includes(id));
    return { problem: null };
  };
  await openPage('#/backups', {
    answers: (fake) => ({
      backups: () => ({ ...fake.backups({}), heldBack }),
      confirmHeldBack: take('confirm'),
      dropHeldBack: take('drop'),
    }),
  });
  await expect.element(card).toBeVisible();
  return asked;
}

test('the list shows what a restore would open or send; each item can be confirmed or dropped', async () => {
  const asked = await open();
  await expect.poll(() => items().elements().length).toBe(ITEMS.length);
  await expect.element(items().nth(2)).toContainText('Door for phones and people: 0.0.0.0, 3443');
  await card.getByRole('button', { name: 'Confirm: Door for phones and people: 0.0.0.0, 3443' }).click();
  await expect.poll(() => items().elements().length).toBe(ITEMS.length - 1);
  await card.getByRole('button', { name: 'Forget: Host names that are let in: 203.0.113.7' }).click();
  await expect.poll(() => items().elements().length).toBe(ITEMS.length - 2);
  expect(asked).toEqual([
    ['confirm', ['door']],
    ['drop', ['hosts']],
  ]);
  expect(await complaints()).toEqual([]);
  await card.getByRole('button', { name: 'Confirm all' }).click();
  await expect.element(card).not.toBeInTheDocument();
  expect(asked.at(-1)).toEqual(['confirm', ITEMS.map(({ id }) => id).filter((id) => id !== 'door' && id !== 'hosts')]);
});

test('an item that can’t be confirmed stays on the list, with the reason', async () => {
  await open('the disk is full');
  await card.getByRole('button', { name: 'Confirm all' }).click();
  await expect.element(card.getByRole('alert')).toContainText('The system refused it.');
  expect(items().elements()).toHaveLength(ITEMS.length);
});

test('the list fits a phone, also in dark mode', async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1440, 900));
  await open();
  await expect.poll(() => document.documentElement.scrollWidth).toBe(390);
  document.documentElement.dataset.mantineColorScheme = 'dark';
  expect(await complaints('dark')).toEqual([]);
});
