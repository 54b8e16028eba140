import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { CheckpointOutlet, RefusedLog, WitnessedStore } from '../src/shared/owner-api/witnesses.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const NODE = 'ab'.repeat(32);
const AT = Date.UTC(2026, 4, 1, 12);
const witness = { node: NODE, key: 'key', since: AT, at: AT + 3_600_000, size: 1234, refusedAt: null };
const SOUND = { store: 'private', broken: null, found: null, witnesses: [] } satisfies WitnessedStore;
const open = (stores: WitnessedStore[], refused: RefusedLog[] = [], outlets: CheckpointOutlet[] = []) =>
  openPage('#/nodes', { answers: { witnesses: () => ({ stores, refused, outlets }) } });
const card = () => page.getByRole('region', { name: 'Witnesses' });

test('shows who witnesses a store and since when, and which store has no witness', async () => {
  await open([
    { ...SOUND, witnesses: [witness] },
    { ...SOUND, store: 'public' },
  ]);
  await expect
    .element(card().getByText(/^private: abababab… has cosigned it since .*2026.* \(1,234 entries\)\.$/))
    .toBeVisible();
  await expect.element(card().getByText('public: no witness yet.')).toBeVisible();
  expect(card().getByRole('alert').elements()).toHaveLength(0);
});

test('warns if a store does not continue a signed checkpoint, and if a witness refuses', async () => {
  const broken = { size: 5, at: AT, since: AT + 60_000 };
  const found = { at: AT, count: 2 };
  const witnesses = [{ ...witness, refusedAt: AT + 7_200_000 }];
  await open(
    [{ ...SOUND, broken, found, witnesses }],
    [{ name: `wellhouse/${NODE}/public`, size: 7, at: AT, refusedAt: AT + 1 }],
  );
  const alerts = card().getByRole('alert');
  await expect.element(alerts.first()).toContainText('the store does not continue what was signed');
  await expect.element(alerts.nth(1)).toContainText('the check found entries that are not right (2)');
  await expect.element(alerts.nth(2)).toContainText('abababab… refuses to cosign');
  await expect.element(alerts.nth(3)).toContainText('abababab…, public: this node refuses to cosign');
});

test('lists the outlets for checkpoints, and since when and why one fails', async () => {
  const outlets = [
    { kind: 'file' as const, place: '/var/log/checkpoints', sentAt: AT, failing: null },
    {
      kind: 'webhook' as const,
      place: 'https://notary.example',
      sentAt: AT,
      failing: { since: AT, reason: 'HTTP 503' },
    },
  ];
  await open([SOUND], [], outlets);
  await expect
    .element(card().getByText(/^Checkpoints are added to \/var\/log\/checkpoints, last .*2026/))
    .toBeVisible();
  await expect.element(card().getByRole('alert')).toContainText('https://notary.example does not take checkpoints');
  await expect.element(card().getByRole('alert')).toContainText('HTTP 503');
});
