import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ownCertificate } from '../../test/support/certificate.ts';
import { chainOf, openPairing } from '../../test/support/door.ts';
import { freePort } from '../../test/support/free-port.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { SCHEMES } from '../support/matrix.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';
import { shoot } from '../support/shoot.ts';

/** Gives the node's machine a network and a VPN, at addresses that loopback answers at. */
const TWO_ADDRESSES = `data:text/javascript,${encodeURIComponent(`
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  const at = (address) => [{ address, family: 'IPv4', internal: false, netmask: '255.0.0.0', mac: '', cidr: null }];
  os.networkInterfaces = () => ({ wlan0: at('127.0.0.2'), wg0: at('127.0.0.3') });
  syncBuiltinESMExports();
`)}`;

let node: OwnerNode;
test.beforeEach(async () => {
  node = await OwnerNode.start({ execArgv: ['--import', TWO_ADDRESSES] });
  await call(node.process, 'setSettings', { change: { doorAddress: '0.0.0.0', doorPort: await freePort() } });
  await expect.poll(async () => (await call(node.process, 'door', {})).door.state).toBe('listening');
});
test.afterEach(async ({ watch }) => {
  watch.end();
  await node.dispose();
});

const linkOn = async (page: Page) => (await page.locator('code').filter({ hasText: '#/pair' }).textContent())!;

test('a door on all addresses shows a code for each, and its port and certificate can be chosen on the page', async ({
  page,
  browser,
}) => {
  await test.step('a door on all addresses lists them, with link and QR code of the chosen one, also after a reload', async () => {
    await openOwner(page, node, '#/people');
    await expect(
      page.getByText(/^Open at all addresses of this machine, port \d+: 127\.0\.0\.2, 127\.0\.0\.3\.$/),
    ).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('My phone');
    await page.getByRole('button', { name: 'Make a code' }).click();
    const code = page.getByTestId('pairing-code');
    await expect(code).toBeVisible();
    const made = (await code.textContent())!;
    expect(await linkOn(page)).toContain(`https://127.0.0.2:`);
    const qr = page.getByRole('img', { name: 'QR code of the link' });
    const first = await qr.innerHTML();
    await page.getByRole('radio', { name: '127.0.0.3 wg0' }).check();
    expect(await linkOn(page)).toContain('https://127.0.0.3:');
    expect(await qr.innerHTML()).not.toBe(first);
    expect(await sidewaysScroll(page)).toBe(0);
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await complaints(page, scheme), scheme).toEqual([]);
    }
    await shoot(page, 'addresses', { fullPage: true });

    await page.reload();
    await expect(code).toHaveText(made);
    await expect(page.getByText('For My phone, as: Owner')).toBeVisible();
    await page.getByRole('radio', { name: '127.0.0.3 wg0' }).check();
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const phone = await context.newPage();
    await phone.goto(await linkOn(page));
    await phone.getByRole('button', { name: 'Go on' }).click();
    await expect(phone.getByRole('link', { name: 'Phones and people' })).toBeVisible();
    await expect(page.getByText('My phone is in.')).toBeVisible();
    await expect(code).toBeHidden();
    await context.close();
  });
  await test.step('the page chooses the port and the certificate files of the door', async () => {
    await openOwner(page, node, '#/people');
    await page.getByText('Port and certificate').click();
    const port = page.getByRole('textbox', { name: 'Port' });
    const save = page.getByRole('form', { name: 'Port and certificate' }).getByRole('button', { name: 'Save' });
    await port.fill('70000');
    await expect(page.getByText('A whole number from 1 to 65535')).toBeVisible();
    await expect(save).toBeDisabled();
    const next = await freePort();
    await port.fill(String(next));
    await save.click();
    await expect(page.getByText(new RegExp(`^Open at all addresses of this machine, port ${next}:`))).toBeVisible();

    const own = ownCertificate(['127.0.0.1', '127.0.0.2']);
    const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(node.process.dataDir, name)) as [string, string];
    writeFileSync(cert, own.cert);
    writeFileSync(key, own.key);
    await page.getByRole('textbox', { name: 'Certificate file' }).fill(cert);
    await expect(page.getByText('Certificate and key belong together: fill in both, or neither.')).toBeVisible();
    await expect(save).toBeDisabled();
    await shoot(page, 'own-files', { fullPage: true });
    await page.getByRole('textbox', { name: 'Key file' }).fill(key);
    await save.click();
    await expect(page.getByText('It is from your own files.')).toBeVisible();
    expect((await chainOf(`https://127.0.0.1:${next}`)).map(({ pem }) => pem.replace(/\s/g, ''))).toEqual([
      own.cert.replace(/\s/g, ''),
    ]);
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Certificate file' }).fill('');
    await page.getByRole('textbox', { name: 'Key file' }).fill('/nowhere/key.pem');
    await expect(save).toBeDisabled();
    await page.getByRole('textbox', { name: 'Certificate file' }).fill('/nowhere/cert.pem');
    await save.click();
    await expect(page.getByRole('alert')).toContainText('DOOR_CERT /nowhere/cert.pem');
  });
});

test('another owner’s code is shown as open and can be closed, but is not revealed', async ({ page, browser }) => {
  const { door } = await call(node.process, 'door', {});
  if (door.state !== 'listening') throw new Error('the door is not open');
  const [first] = (await openPairing(node.process, { name: 'Ana', role: 'owner' })).links;
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const ana = await context.newPage();
  await ana.goto(first!.link);
  await ana.getByRole('button', { name: 'Go on' }).click();
  await expect(ana.getByRole('link', { name: 'Phones and people' })).toBeVisible();
  const { code } = await openPairing(node.process, { name: 'Tablet', mayUnlock: true });

  await ana.goto(`${new URL(first!.link).origin}/ui/#/people`);
  await expect(ana.getByText(/^A code for Tablet \(Owner\) is open for 10 min more\./)).toBeVisible();
  await expect(ana.getByTestId('pairing-code')).toHaveCount(0);
  expect((await ana.locator('body').innerHTML()).replace(/-/g, '')).not.toContain(code);
  expect(await complaints(ana)).toEqual([]);
  await shoot(ana, 'elsewhere', { fullPage: true });
  // The machine itself shows it, also where a program made it.
  await openOwner(page, node, '#/people');
  await expect(page.getByTestId('pairing-code')).toHaveText(`${code.slice(0, 4)}-${code.slice(4)}`);
  await ana.getByRole('button', { name: 'Close this code' }).click();
  await expect(ana.getByText(/^A code for Tablet/)).toBeHidden();
  await expect(page.getByTestId('pairing-code')).toBeHidden();
  await expect(page.getByText('This code has expired. Make a new one.')).toBeVisible();
  await expect(ana.getByText('This code has expired. Make a new one.')).toBeHidden();
  await context.close();
});
