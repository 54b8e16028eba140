import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseOptions } from '../../src/simulator/options.ts';
import { runPortals } from '../../src/simulator/portal/run-portal.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { SCHEMES } from '../support/matrix.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openAbout, openOwner, test } from '../support/owner-test.ts';

let node: OwnerNode;
let folder: string;
let stop: AbortController;
let running: Promise<void>;
/** Where the device's page is. */
let address: string;
test.beforeEach(async () => {
  node = await OwnerNode.start({ env: { GATE_PORT: '0' } });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-'));
  stop = new AbortController();
  const flags =
    '--portal --portal-address 127.0.0.1:0 --interval 0.5 --speed 1 --battery 11 --failed-sensors tds --state';
  const options = parseOptions([...flags.split(' '), path.join(folder, 'state.json')])!;
  let text = '';
  const print = (line: string) => {
    text += `${line}\n`;
  };
  running = runPortals({ ...options, portal: options.portal! }, { print, signal: stop.signal });
  await expect.poll(() => text).toContain('its page: ');
  address = /its page: http:\/\/(.*)\//.exec(text)![1]!;
});
test.afterEach(async ({ watch }) => {
  watch.end();
  stop.abort();
  await running;
  await node.dispose();
  fs.rmSync(folder, { recursive: true });
});

test('the page points a device with its own web page here, and it joins and sends', async ({ page }) => {
  await openOwner(page, node);
  await page.getByRole('link', { name: /^On this network/ }).click();
  await page.getByRole('combobox', { name: 'Address of the gate' }).selectOption('Another address…');
  await page.getByRole('textbox', { name: 'Another address' }).fill('127.0.0.1');
  await page.getByRole('button', { name: 'Let devices in here' }).click();
  await page.getByText('Or let Wellhouse enter it').click();

  const asked = page.getByRole('textbox', { name: 'Address of the device’s page' });
  for (const [wrong, told] of [
    ['8.8.8.8', 'Not an address of a private network'],
    ['127.0.0.1:9', 'No answer from there'],
    [node.url('local').replace('http://', ''), 'Something else answers there'],
  ] as const) {
    await asked.fill(wrong);
    await page.getByRole('button', { name: 'Ask it' }).click();
    await expect(page.getByText(told)).toBeVisible();
  }
  await asked.fill(address);
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.getByRole('button', { name: 'Point it here: Greenhouse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Point Greenhouse here?' });
  await expect(dialog.getByRole('region', { name: 'Now' })).toContainText('none');
  await expect(dialog.getByRole('region', { name: 'Then' })).toContainText(/Wellhouse 127\.0\.0\.1:\d+/);
  expect(await complaints(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Write it to the device' }).click();
  const found = page.getByRole('list', { name: 'Found devices' });
  await expect(found.getByText('First reading (done)')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Its first reading arrives (done)' })).toBeVisible();

  // Its page here shows its status, and an alert reports the battery.
  await page.getByRole('link', { name: 'Greenhouse sends' }).click();
  await openAbout(page);
  const says = page.getByRole('region', { name: 'What the device reports, unsigned' });
  await expect(says).toContainText('11 %');
  await expect(says).toContainText('EC has failed');
  await expect(says).toContainText('confirms');
  await expect(page.getByText('The battery of Greenhouse is low').first()).toBeVisible();
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await complaints(page, scheme), scheme).toEqual([]);
  }
});

test('the page marks servers that would be removed, and keeps another node of the same name', async ({ page }) => {
  await call(node.process, 'setSettings', { change: { gateAddress: '127.0.0.1' } });
  const { gate } = await call(node.process, 'gate', {});
  const former = `127.0.0.1:${gate.state === 'listening' ? gate.port : ''}`;
  await call(node.process, 'setSettings', { change: { gateAddress: '127.0.0.2' } });
  const form = new URLSearchParams({ device_name: 'Tank', loc_count: '2' });
  for (const [index, url] of [former, '192.168.1.77:8080'].entries()) {
    form.set(`loc_name_${index}`, 'Wellhouse');
    form.set(`loc_url_${index}`, url);
  }
  await fetch(`http://${address}/config/save`, { method: 'POST', body: form, redirect: 'manual' });
  await openOwner(page, node, '#/connect');
  await page.getByText('Or let Wellhouse enter it').click();
  await page.getByRole('textbox', { name: 'Address of the device’s page' }).fill(address);
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.getByRole('button', { name: 'Point it here: Tank' }).click();
  const dialog = page.getByRole('dialog', { name: 'Point Tank here?' });
  await expect(dialog).toContainText(`no longer there: ${former}`);
  await expect(dialog.getByRole('region', { name: 'Now' })).toContainText(`${former} is removed`);
  const then = dialog.getByRole('region', { name: 'Then' });
  await expect(then).not.toContainText(former);
  await expect(then).toContainText('Wellhouse 192.168.1.77:8080');
  await expect(then).toContainText('Tank');
  expect(await complaints(page)).toEqual([]);
});

test('the owner can type the address of a device that is not found by name, also after a reload', async ({ page }) => {
  await call(node.process, 'setSettings', { change: { gateAddress: '127.0.0.1' } });
  await call(node.process, 'openJoining', { closesAfterOne: true });
  const { gate } = await call(node.process, 'gate', {});
  const form = new URLSearchParams({
    device_name: 'Tank',
    loc_count: '1',
    loc_name_0: 'home',
    loc_url_0: `127.0.0.1:${gate.state === 'listening' ? gate.port : ''}`,
  });
  await fetch(`http://${address}/config/save`, { method: 'POST', body: form, redirect: 'manual' });
  await openOwner(page, node);
  await page
    .getByRole('article', { name: /Greenhouse/ })
    .getByRole('link')
    .first()
    .click();
  await openAbout(page);
  const says = page.getByRole('region', { name: 'What the device reports, unsigned' });
  await expect(says).toContainText(/safrasense-aqua-[0-9a-f]{4}\.local/);
  await says.getByRole('textbox').fill(address);
  await says.getByRole('button', { name: 'Ask it' }).click();
  await expect(says).toContainText('11 %');
  await page.reload();
  await expect(says).toContainText('11 %');
});
