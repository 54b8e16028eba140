import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { minutes, registered, send } from './support/devices.ts';
import { offer, openDoor } from './support/door.ts';
import { SCHEMES } from './support/matrix.ts';
import { OwnerNode } from './support/owner-node.ts';
import { expect, sidewaysScroll, test } from './support/owner-test.ts';

let node: OwnerNode;
let device: SimulatedDevice;
const others: BrowserContext[] = [];
test.beforeAll(async () => {
  node = await OwnerNode.start({ env: { DOOR_PORT: '0' } });
  device = await registered(node, ['local'], { name: 'Tomatoes' }, { publishTo: 0 });
  await send(node, 'local', minutes(device, { count: 5 }));
  await registered(node, ['local'], { name: 'Secret pond' }, { publishTo: 0 });
});
test.afterEach(async () => {
  for (const context of others.splice(0)) await context.close();
});
test.afterAll(() => node.dispose());

/** A phone of its own: nothing of the owner's browser is in it. */
async function newPhone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    ignoreHTTPSErrors: true,
    locale: 'en-US',
  });
  others.push(context);
  return context.newPage();
}

test('phones and people are let in at the door as owner or viewer, and shut out again', async ({
  page,
  browser,
  watch,
}) => {
  await openDoor(page, node);
  await test.step('a phone is paired on the page, shows live readings, and loses access when its pairing is revoked', async () => {
    const link = await offer(page, 'My phone', 'Owner');
    const phone = await newPhone(browser);
    await phone.goto(link);
    await expect(phone.getByRole('heading', { name: 'Let this browser in' })).toBeVisible();
    expect(phone.url()).not.toContain('code=');
    expect(await complaints(phone)).toEqual([]);
    await phone.getByRole('button', { name: 'Go on' }).click();
    await expect(phone.getByText('Tomatoes').first()).toBeVisible();
    await expect(phone.getByText('Live', { exact: true })).toBeVisible();
    await expect(page.getByText('My phone is in.')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'My phone' })).toContainText('from 127.0.0.1');
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await complaints(page, scheme), scheme).toEqual([]);
    }

    await phone.getByText('Tomatoes').first().click();
    await send(node, 'local', [device.block({ seq: 900, timestamp: Date.now(), plain: { ph: 7.77 } })]);
    await expect(phone.getByText('7.77').first()).toBeVisible();
    // Its cookie is there after a new start, and for no script.
    await phone.reload();
    await expect(phone.getByText('7.77').first()).toBeVisible();
    expect(await phone.evaluate(() => document.cookie)).toBe('');
    // Keys are not for this pairing, as nobody said that they are.
    await expect(phone.getByRole('button', { name: /unlock/i })).toHaveCount(0);
    await phone.goto(`${new URL(link).origin}/ui/#/keys`);
    await expect(phone.getByText(/^This browser was paired without access to the keys/)).toBeVisible();

    await page.getByRole('button', { name: 'Shut out My phone' }).click();
    await page.getByRole('button', { name: 'Shut out My phone' }).click();
    await expect(phone.getByText(/^The owner ended the access of this browser on /)).toBeVisible();
    // The machine itself is as open as ever.
    await page.reload();
    await expect(page.getByText('Nobody has access yet.')).toBeVisible();
  });
  await test.step('a viewer types the code, sees only their devices, and no actions that they can’t use', async () => {
    const group = { id: crypto.randomUUID(), name: 'Glasshouse', isCollapsed: true, devices: [device.id] };
    await call(node.process, 'setOwnerChoices', { groups: [group] });
    const link = await offer(page, 'Ana', 'Viewer');
    const code = (await page.getByTestId('pairing-code').textContent())!;
    const phone = await newPhone(browser);
    const refused: string[] = [];
    phone.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await phone.goto(link.replace(/#.*$/, ''));
    const input = phone.getByRole('textbox', { name: 'Code' });
    await input.fill(code.startsWith('A') ? `C${code.slice(1)}` : `A${code.slice(1)}`);
    await phone.getByRole('button', { name: 'Go on' }).click();
    await expect(phone.getByText('This code is wrong or has expired.')).toBeVisible();
    await expect(async () => {
      // The try before may have let it in a moment late.
      if (await input.isVisible()) {
        await input.fill(code.toLowerCase().replace('-', ' '));
        await phone.getByRole('button', { name: 'Go on' }).click();
      }
      await expect(phone.getByText('You see this as a viewer (Ana)')).toBeVisible({ timeout: 5000 });
    }).toPass();
    await phone.getByRole('button', { name: 'View' }).click();
    await phone.getByText('Cards', { exact: true }).click();
    await phone.keyboard.press('Escape');
    // Folding is for themselves: what the owner folded stays folded there.
    const fold = phone.getByRole('button', { name: 'Glasshouse' });
    await expect(fold).toHaveAttribute('aria-expanded', 'false');
    await fold.click();
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    await phone.reload();
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    expect((await call(node.process, 'ownerChoices', {})).groups).toMatchObject([{ isCollapsed: true }]);
    await phone.getByRole('button', { name: 'Menu' }).click();
    const menu = phone.getByRole('navigation', { name: 'Menu' });
    await expect(menu.getByRole('link')).toHaveText(['Overview', 'Alerts', 'Crops', 'Compare']);
    await phone.keyboard.press('Escape');
    await phone.goto(`${new URL(link).origin}/ui/#/settings`);
    await expect(phone.getByText('This page is for the owner')).toBeVisible();
    await phone.goto(`${new URL(link).origin}/ui/#/alerts`);
    await phone.getByRole('tab', { name: 'Rules' }).click();
    await expect(phone.getByText('Every node has these.', { exact: true })).toBeVisible();
    await expect(phone.getByText(/Add one here/)).toHaveCount(0);
    await phone.goto(`${new URL(link).origin}/ui/#/device/${device.id}`);
    await expect(phone.getByRole('heading', { level: 1, name: /Tomatoes/ })).toBeVisible();
    for (const name of ['Add a note', 'Units and tank', 'New rule', 'Forget']) {
      await expect(phone.getByRole('button', { name }), name).toHaveCount(0);
    }
    expect(await sidewaysScroll(phone)).toBe(0);
    const { pairings } = await call(node.process, 'door', {});
    expect(refused).toEqual([]);
    expect(pairings.at(-1)).toMatchObject({ name: 'Ana', role: 'viewer', kind: 'browser' });
    expect(pairings).toHaveLength(1);
    await phone.getByRole('button', { name: 'Sign out here' }).click();
    await expect(phone.getByRole('heading', { name: 'Let this browser in' })).toBeVisible();
  });
  watch.end();
});
