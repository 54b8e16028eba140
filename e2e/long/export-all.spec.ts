import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { registeredDevice } from '../../test/support/client.ts';
import { startProcess, temporaryFolder } from '../../test/support/node-process.ts';
import { writeOldReadings } from '../../test/support/old-readings.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const READINGS = 30_000;
const root = temporaryFolder();
const dataDir = join(root, 'data');
const out = join(root, 'out');
let node: OwnerNode;

test.beforeAll(async () => {
  mkdirSync(out);
  const first = await startProcess({ dataDir });
  const device = await registeredDevice(first.url('local'), { name: 'Greenhouse' });
  await first.stop();
  writeOldReadings(dataDir, device.id, { count: READINGS, first: Date.now() - READINGS * 60_000, stepMs: 60_000 });
  node = await OwnerNode.start({ dataDir });
});
test.afterAll(async () => {
  await node.process.dispose();
  rmSync(root, { recursive: true, force: true });
});

test('an export writes everything or a range into a folder, and can be stopped', async ({ page }) => {
  await test.step('exports everything into a folder, shows its path, and can be stopped', async () => {
    await page.goto(node.link);
    await page.goto(`${node.url('local')}/ui/#/settings`);
    await page.getByRole('link', { name: 'Export all data' }).click();
    const form = page.getByRole('form', { name: 'Export all data' });
    await expect(form.getByText(/^30,000 readings of 1 device, about \d\.\d MB$/)).toBeVisible();
    const folder = form.getByLabel('Folder on the node’s machine');
    await expect(folder).toHaveValue(/^\//);
    await folder.fill('');
    await form.getByRole('button', { name: 'Export' }).click();
    await expect(form.getByText('Name a folder.')).toBeVisible();
    await form.getByLabel('Folder on the node’s machine').fill(join(root, 'missing'));
    await form.getByRole('button', { name: 'Export' }).click();
    await expect(form.getByRole('alert')).toContainText('The folder is missing');

    await form.getByLabel('Folder on the node’s machine').fill(` ${out} `);
    await form.getByRole('button', { name: 'Export' }).click();
    const done = page.getByRole('status').filter({ hasText: 'The export is complete' });
    await expect(done).toContainText('30,000 readings in 3 files');
    const [name] = readdirSync(out);
    await expect(done).toContainText(join(out, name!));

    // The folder of the latest export is offered again.
    await form.getByLabel('Parquet').check();
    await expect(folder).toHaveValue(out);
    await form.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Stop the export' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'The export was stopped' })).toContainText('were removed');
    expect(readdirSync(out)).toEqual([name]);
  });
  await test.step('an export of a range has only its readings; SQLite files are always complete', async () => {
    await page.goto(node.link);
    await page.goto(`${node.url('local')}/ui/#/export`);
    const form = page.getByRole('form', { name: 'Export all data' });
    await form.getByLabel('Measured in a time range').check();
    await form.getByLabel('From', { exact: true }).fill('2020-01-01T00:00:00');
    await form.getByLabel('To', { exact: true }).fill('2020-02-01T00:00:00');
    await expect(form.getByText(/^0 readings of 1 device, about /)).toBeVisible();
    await form.getByLabel('To', { exact: true }).fill('2019-02-01T00:00:00');
    await expect(form.getByText('Enter two times, the earlier one first.')).toBeVisible();
    await form.getByLabel('SQLite').check();
    await expect(form.getByLabel('All of them')).toBeChecked();
    await expect(form.getByText(/^30,000 readings/)).toBeVisible();
  });
});
