import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post, send } from '../../test/support/http.ts';
import { complaints } from '../support/axe.ts';
import { isReal, SYSTEM } from '../support/desktop-app.ts';
import { expect, kept, openSettings, test } from '../support/desktop-settings.ts';

async function heldPort(): Promise<{ holder: Server; port: number }> {
  const holder = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => holder.listen(0, '0.0.0.0', resolve));
  return { holder, port: (holder.address() as AddressInfo).port };
}

const released = (holder: Server) =>
  new Promise<void>((resolve) => {
    holder.close(() => resolve());
    holder.closeAllConnections();
  });

async function freePort(): Promise<number> {
  const { holder, port } = await heldPort();
  await released(holder);
  return port;
}

test('a port that is taken at the start is told with who has it, and another one is taken instead', async ({
  launchWith,
}) => {
  const { holder, port } = await heldPort();
  try {
    const app = await launchWith({ localPort: port, publicPort: 0 });
    const page = await app.page();
    await expect(page.getByRole('heading', { name: `Port ${port} can’t be used` })).toBeVisible();
    if (SYSTEM === 'linux') await expect(page.getByRole('alert')).toContainText(`process ${process.pid}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    // Until that has failed as well, the page is made again and forgets what is typed.
    await expect.poll(() => app.log().filter(({ msg }) => msg === 'the node did not start')).toHaveLength(2);
    await expect(page.getByRole('heading', { name: `Port ${port} can’t be used` })).toBeVisible();
    const field = page.getByRole('textbox', { name: 'Another port for the local endpoint' });
    await field.fill('no port');
    await page.getByRole('button', { name: 'Use this port' }).click();
    await expect(page.getByText('A whole number from 1 to 65535')).toBeVisible();
    const free = await freePort();
    await field.fill(String(free));
    await page.getByRole('button', { name: 'Use this port' }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    expect(await app.url('local')).toBe(`http://127.0.0.1:${free}`);
    expect(kept(app)).toMatchObject({ localPort: free });
  } finally {
    await released(holder);
  }
});

test('a port of the environment that is taken is told with what sets it', async ({ launchWith }) => {
  const { holder, port } = await heldPort();
  try {
    const app = await launchWith({}, { env: { LOCAL_PORT: String(port) } });
    const page = await app.page();
    await expect(page.getByRole('heading', { name: `Port ${port} can’t be used` })).toBeVisible();
    await expect(page.getByText('LOCAL_PORT was set when the node was started, and takes precedence.')).toBeVisible();
    await expect(page.getByRole('textbox')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Use this port' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  } finally {
    await released(holder);
  }
});

test('a public port that is taken need not keep the node from starting', async ({ launchWith }) => {
  const { holder, port } = await heldPort();
  try {
    const app = await launchWith({ localPort: 0, publicPort: port, publicEnabled: true });
    const page = await app.page();
    await page.getByRole('button', { name: 'Start with the public endpoint off' }).click();
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    expect(kept(app)).toMatchObject({ publicEnabled: false });
  } finally {
    await released(holder);
  }
});

test('a store that is refused is told as the headless node tells it, and can be tried again', async ({
  launchWith,
}) => {
  const app = await launchWith({ localPort: 0 });
  await openSettings(app);
  await app.dispose();
  const store = join(app.folder, 'data', 'private.db');
  const good = readFileSync(store);
  writeFileSync(store, 'no store at all');
  const again = await launchWith({ localPort: 0, dataDir: join(app.folder, 'data') });
  const page = await again.page();
  await expect(page.getByRole('heading', { name: 'The node did not start' })).toBeVisible();
  await expect(page.getByRole('alert')).toContainText('it is not an SQLite file');
  await page.getByRole('button', { name: 'Save diagnostics' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('"state": "failed"');
  await expect(dialog).not.toContainText(app.home);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const folder = page.getByRole('textbox', { name: 'Another data folder' });
  await expect(folder).toBeHidden();
  await page.getByText('Use another data folder').click();
  await expect(folder).toBeVisible();
  expect(await complaints(page)).toEqual([]);
  writeFileSync(store, good);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('settings are in force at once, in the app and in the system', async ({ launchWith }) => {
  const app = await launchWith({ localPort: 0, publicPort: 0 });
  const page = await openSettings(app);
  await page.getByRole('switch', { name: 'Public endpoint' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn it on' }).click();
  await expect(page.getByRole('switch', { name: 'Public endpoint' })).toBeChecked();
  expect((await send(`${await app.url('public')}/health`)).status).toBe(200);
  const free = await freePort();
  await page.getByRole('textbox', { name: 'Port of the local endpoint' }).fill(String(free));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. The change applies now.')).toBeVisible();
  expect(await app.url('local')).toBe(`http://127.0.0.1:${free}`);
  await page.getByRole('combobox', { name: 'Closing the window' }).selectOption('quit');
  await page.getByRole('radiogroup', { name: 'Light or dark' }).getByText('Dark').click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es');
  await expect(page.getByRole('heading', { level: 1, name: 'Ajustes' })).toBeVisible();
  await expect
    .poll(() => kept(app))
    .toMatchObject({ publicEnabled: true, localPort: free, closeBehaviour: 'quit', theme: 'dark', language: 'es' });
});

test('a sleep is reported with what it cost, until it is dismissed', async ({ launchWith }) => {
  test.skip(isReal, 'nobody sends a real machine to sleep for a test');
  const app = await launchWith({ localPort: 0 });
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const device = new SimulatedDevice({ name: 'Cistern' });
  const url = await app.url('local');
  await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }));
  const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } });
  await post(`${url}/v1/telemetry`, { blocks: [block] });
  // The page counts once, from what it knows when the machine wakes: a device that was never heard loses nothing.
  await expect(page.getByRole('row', { name: /Cistern/ })).toContainText('6.5');
  await app.operate('sleep', 2 * 3_600_000);
  const banner = page.getByText(/This computer slept from .* \(2 hr/);
  // One reading a minute, of which the device keeps 50.
  await expect(banner).toContainText('The older ones of 1 device are lost: about 70');
  await expect(page.getByText(/run Wellhouse without a window on a Raspberry Pi/)).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(banner).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
