import { rmSync } from 'node:fs';
import { registeredDevice } from '../../test/support/client.ts';
import { startProcess, temporaryFolder } from '../../test/support/node-process.ts';
import { writeOldReadings } from '../../test/support/old-readings.ts';
import { call } from '../../test/support/owner-client.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const HOUR = 3_600_000;
/** Two years, a reading each hour. */
const READINGS = 17_500;
const dataDir = temporaryFolder();
let node: OwnerNode;

test.beforeAll(async () => {
  const first = await startProcess({ dataDir });
  const device = await registeredDevice(first.url('local'), { name: 'Greenhouse' });
  await first.stop();
  writeOldReadings(dataDir, device.id, {
    count: READINGS,
    first: Date.now() - READINGS * HOUR,
    stepMs: HOUR,
  });
  node = await OwnerNode.start({ dataDir });
});
test.afterAll(async () => {
  await node.process.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

test('old readings are deleted by the owner’s plan, and their space is released', async ({ page }) => {
  await test.step('shows the size of the data, previews and deletes old readings, and releases the space', async () => {
    await page.goto(node.link);
    await page.goto(`${node.url('local')}/ui/#/node`);
    await page.getByRole('link', { name: 'Disk space and how long readings are kept' }).click();
    const store = page.getByRole('region', { name: 'Private store' });
    await expect(store.getByRole('row', { name: /Greenhouse/ })).toContainText('17,500');

    const keep = page.getByRole('region', { name: 'How long readings are kept' });
    await keep.getByLabel('Private store').selectOption({ label: '1 year' });
    await expect(keep.getByText('would be deleted for good')).toHaveCount(0);
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await expect(
      keep.getByText(/8,\d{3} readings of 1 device would be deleted for good, about [\d.]+ (kB|MB)/),
    ).toBeVisible();
    expect(await call(node.process, 'retention', {})).toMatchObject({ private: null });
    await keep.getByRole('button', { name: 'Cancel' }).click();
    await expect(keep.getByLabel('Private store')).toHaveValue('');

    await keep.getByLabel('Private store').selectOption({ label: '1 year' });
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await keep.getByRole('button', { name: 'Save these rules and delete' }).click();
    await expect(keep.getByText(/Last run: 8,\d{3} readings deleted/)).toBeVisible({ timeout: 60_000 });
    await page.reload();
    await expect(keep.getByLabel('Private store')).toHaveValue('12');
    await expect(store.getByRole('row', { name: /Greenhouse/ })).toContainText(/8,\d{3}/);

    await store.getByRole('button', { name: /^Give .* back to the disk$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Compact the store' });
    await expect(dialog).toContainText('devices keep their readings and send them again');
    await dialog.getByRole('button', { name: 'Compact now' }).click();
    await expect(store.getByText('freed on the disk')).toBeVisible({ timeout: 60_000 });
    await expect(dialog).toBeHidden();
  });
  await test.step('keeps one device longer than the others, and removes its rule again', async () => {
    await page.goto(node.link);
    await page.goto(`${node.url('local')}/ui/#/space`);
    const keep = page.getByRole('region', { name: 'How long readings are kept' });
    await keep.getByLabel('Add a device…').selectOption({ label: 'Greenhouse' });
    await expect(keep.getByLabel('Greenhouse', { exact: true })).toHaveValue('');
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await expect(keep.getByText('No reading is old enough to be deleted now.')).toBeVisible();
    await keep.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await call(node.process, 'retention', {})).devices.length).toBe(1);
    await keep.getByRole('button', { name: 'Remove the rule of Greenhouse' }).click();
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await keep.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await call(node.process, 'retention', {})).devices).toEqual([]);
    // The page reads the rules again before it can change them again.
    await expect(keep.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  });
  await test.step('accepts any number of days, and refuses text that is not a number', async () => {
    await page.goto(node.link);
    await page.goto(`${node.url('local')}/ui/#/space`);
    const keep = page.getByRole('region', { name: 'How long readings are kept' });
    await keep.getByLabel('Private store', { exact: true }).selectOption({ label: 'Other…' });
    const count = keep.getByLabel('Private store: how many');
    await keep.getByLabel('Private store: unit').selectOption({ label: 'days' });
    await count.fill('0');
    await expect(keep.getByText('A whole number from 1 to 7,300')).toBeVisible();
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await expect(keep.getByText('No reading is old enough to be deleted now.')).toBeVisible();
    await count.fill('45');
    await keep.getByRole('button', { name: 'See what would be deleted' }).click();
    await expect(keep.getByText(/readings of 1 device would be deleted for good/)).toBeVisible();
    await keep.getByRole('button', { name: 'Save these rules and delete' }).click();
    const kept = { private: { count: 45, unit: 'days' } };
    await expect.poll(() => call(node.process, 'retention', {})).toMatchObject(kept);
    await page.reload();
    await expect(keep.getByLabel('Private store', { exact: true })).toHaveValue('45 days');
  });
});
