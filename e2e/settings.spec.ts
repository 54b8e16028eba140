import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { post, send as request } from '../test/support/http.ts';
import { startProcess } from '../test/support/node-process.ts';
import { attempt, minutes, registered, send } from './support/devices.ts';
import { expect } from './support/owner-test.ts';
import { field, kept, openSettings, save, test } from './support/settings-file.ts';

/** The browser's error once the listener that it was connected to is gone. */
const CUT_OFF =
  /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 503/;

async function listening(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** A port that nobody has at the moment. */
async function freePort(): Promise<number> {
  const { server, port } = await listening('0.0.0.0');
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const status = async (port: number): Promise<number | null> => {
  try {
    return (await request(`http://127.0.0.1:${port}/health`)).status;
  } catch {
    return null;
  }
};

test('ports and host names change at once, and the holder of a taken port is named', async ({ page, files, watch }) => {
  const [before, after] = [await freePort(), await freePort()];
  const node = await files.startWith({ publicPort: before, localPort: 0 });
  await openSettings(page, node);
  await test.step('another public port applies at once, without losing a reading', async () => {
    const device = await registered(node, ['public'], { name: 'Mill pond' });
    await send(node, 'public', minutes(device, { count: 3 }));
    await field(page, 'Port of the public endpoint').fill('70000');
    await save(page);
    await expect(page.getByText('A whole number from 1 to 65535')).toBeVisible();
    await field(page, 'Port of the public endpoint').fill(String(after));
    await save(page);
    await expect(page.getByText('Saved. The change applies now.')).toBeVisible();
    await expect(page.getByText(`Listening at http://0.0.0.0:${after}`)).toBeVisible();
    expect(await status(after)).toBe(200);
    await expect.poll(() => status(before)).toBeNull();
    const stored = await request(`http://127.0.0.1:${after}/v1/devices/${device.id}/telemetry`);
    expect((stored.json as { readings: unknown[] }).readings).toHaveLength(3);
    expect(kept(node)).toEqual({ publicPort: after, localPort: 0 });
    await page.reload();
    await expect(field(page, 'Port of the public endpoint')).toHaveValue(String(after));
  });
  await test.step('the holder of a taken port is named, and the previous port stays', async () => {
    const { server, port } = await listening('0.0.0.0');
    const other = await startProcess();
    try {
      await field(page, 'Port of the public endpoint').fill(String(port));
      await save(page);
      await expect(page.getByText(new RegExp(`in use by .*process ${process.pid}\\)`))).toBeVisible();
      await field(page, 'Port of the public endpoint').fill(new URL(other.url('local')).port);
      await save(page);
      await expect(page.getByText(/in use by another Wellhouse/)).toBeVisible();
      await field(page, 'Port of the public endpoint').fill(new URL(node.url('local')).port);
      await save(page);
      await expect(page.getByText(/in use by this node’s other endpoint/)).toBeVisible();
      expect(await status(after)).toBe(200);
      expect(kept(node)).toEqual({ publicPort: after, localPort: 0 });
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(field(page, 'Port of the public endpoint')).toHaveValue(String(after));
      await expect(page.getByText(/in use by/)).toHaveCount(0);
    } finally {
      server.close();
      await other.dispose();
    }
  });
  await test.step('the same port for both endpoints is refused', async () => {
    const both = await freePort();
    await field(page, 'Port of the local endpoint').fill(String(both));
    await field(page, 'Port of the public endpoint').fill(String(both));
    await save(page);
    await expect(page.getByText(/Each endpoint needs its own port/)).toBeVisible();
    expect(await status(both)).toBeNull();
    await page.reload();
    await expect(field(page, 'Port of the public endpoint')).toHaveValue(String(after));
  });
  await test.step('further host names apply at once', async () => {
    const asWell = async () => (await request(`${node.url('local')}/health`, { headers: { host: 'well.lan' } })).status;
    expect(await asWell()).toBe(403);
    await field(page, 'Further host names').fill('http://well.lan');
    await save(page);
    await expect(page.getByText(/Names such as well.lan/)).toBeVisible();
    await field(page, 'Further host names').fill('Well.lan, pi');
    await save(page);
    await expect(page.getByText('Saved. The change applies now.')).toBeVisible();
    expect(await asWell()).toBe(200);
    expect(kept(node)).toMatchObject({ localAllowedHosts: ['well.lan', 'pi'] });
  });
  await test.step('the page follows another local port', async () => {
    watch.tolerate(CUT_OFF);
    // The link is taken along; a page that was loaded again no longer has it.
    await openSettings(page, node);
    const [left, taken] = [Number(new URL(node.url('local')).port), await freePort()];
    await field(page, 'Port of the local endpoint').fill(String(taken));
    await save(page);
    await page.waitForURL((url) => url.port === String(taken));
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    expect(page.url()).not.toContain('token');
    await expect.poll(() => status(left)).toBeNull();
    expect(await status(taken)).toBe(200);
    expect((await node.stop()).code).toBe(0);
  });
});

test('diagnostics have nothing private, and the public endpoint is turned on after a warning, and off at once', async ({
  page,
  files,
}) => {
  const port = await freePort();
  const localAllowedHosts = ['grandmas-well.lan'];
  const node = await files.startWith({ publicPort: port, localPort: 0, publicEnabled: false, localAllowedHosts });
  await openSettings(page, node);
  await test.step('diagnostics show everything that is saved, and nothing private', async () => {
    const owned = { ownerPubkey: 'ab'.repeat(32), ownerName: 'Filomena' };
    const device = await registered(node, ['local'], { name: 'Bellflower bed', ...owned });
    await send(node, 'local', minutes(device, { count: 2 }));
    const stranger = new SimulatedDevice();
    await attempt(node, 'local', minutes(stranger, { count: 1 })[0]!);
    await page.getByRole('button', { name: 'Show…' }).click();
    const dialog = page.getByRole('dialog', { name: 'What the diagnostics contain' });
    await expect(dialog).toContainText('"wellhouse": "0.1.0"');
    await expect(dialog).toContainText('"devices": 1');
    await expect(dialog).toContainText('node started');
    const shown = (await dialog.locator('pre').allTextContents()).join('\n');
    const started = node.process.started as { publicKey: string };
    const secret = [
      device.id,
      device.mac,
      stranger.id,
      owned.ownerPubkey,
      started.publicKey,
      node.token,
      node.dataDir,
      'Bellflower',
      'Filomena',
      'grandmas-well',
      readFileSync(join(node.dataDir, 'identity.mnemonic'), 'utf8').trim().split(' ').slice(0, 4).join(' '),
    ];
    for (const text of secret) expect(shown.toLowerCase(), text).not.toContain(text.toLowerCase());
    if (hostname() !== 'localhost') expect(shown).not.toContain(hostname());
    if (userInfo().username !== 'root') expect(shown).not.toContain(userInfo().username);

    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as a zip' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^wellhouse-diagnostics-\d{8}T\d{4}\.zip$/);
    const zip = unzipSync(readFileSync(await saved.path()));
    expect(Object.keys(zip)).toEqual(['report.json', 'log.jsonl']);
    expect(
      Object.values(zip)
        .map((bytes) => strFromU8(bytes))
        .join('\n'),
    ).toBe(shown);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
  await test.step('the public endpoint is turned on after a warning, and off at once', async () => {
    const toggle = page.getByRole('switch', { name: 'Public endpoint' });
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    const dialog = page.getByRole('dialog', { name: 'Turn the public endpoint on?' });
    await expect(dialog).toContainText('without a password');
    await expect(dialog).toContainText(/reads everything in the public store/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(toggle).not.toBeChecked();
    expect(await status(port)).toBeNull();

    await toggle.click();
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await expect(toggle).toBeChecked();
    await expect(page.getByText(`Listening at http://0.0.0.0:${port}`)).toBeVisible();
    expect(await status(port)).toBe(200);
    // The store came with the endpoint: a device that posts there is shown.
    const device = new SimulatedDevice({ name: 'Weir' });
    expect((await post(`http://127.0.0.1:${port}/v1/devices`, device.registration())).status).toBe(201);
    await page.getByRole('link', { name: 'Wellhouse' }).click();
    await expect(page.getByRole('link', { name: /Weir/ }).first()).toBeVisible();
    await page.goBack();

    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await expect.poll(() => status(port)).toBeNull();
    expect(kept(node)).toMatchObject({ publicEnabled: false });
  });
});
