import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post, send } from '../../test/support/http.ts';
import { expect, openSettings, test } from '../support/desktop-settings.ts';

test('the data folder moves with all its contents', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0 });
  const page = await openSettings(app);
  const device = new SimulatedDevice({ name: 'Cistern' });
  const url = await app.url('local');
  await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }));
  const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } });
  expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
  const [from, to] = [join(app.folder, 'data'), join(app.home, 'big disk', 'water')];
  await page.getByRole('button', { name: 'Move…' }).click();
  const folder = page.getByRole('textbox', { name: 'New folder' });
  await folder.fill(join(from, 'inside'));
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('One of the folders is inside the other.')).toBeVisible();
  await folder.fill(to);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await expect(page.getByText('The data folder was moved')).toBeVisible();
  await expect(page.getByText(to, { exact: true })).toBeVisible();
  const reply = await send(`${await app.url('local')}/v1/devices/${device.id}/telemetry`);
  expect((reply.json as { readings: unknown[] }).readings).toHaveLength(1);
  expect(readdirSync(from)).toContain('private.db');

  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByText('Old data folder')).toHaveCount(0);
  expect(readdirSync(from)).toEqual(['moved.json']);
  expect(existsSync(join(to, 'private.db'))).toBe(true);
});
