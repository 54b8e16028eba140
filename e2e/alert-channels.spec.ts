import type { Page } from '@playwright/test';
import { AlertServer, asNtfy } from '../test/support/alert-servers.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { registered } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

const TOKEN = 'tk_AbCdEfGhIjKlMnOpQrStUvWxYz012';

let ntfy: AlertServer;
const node = ownerNode(async (started) => {
  ntfy = await AlertServer.start(asNtfy(TOKEN));
  await registered(started, ['local'], { name: 'Basil bed' }, { publishTo: 0 });
});
test.afterAll(async () => {
  await ntfy?.close().catch(() => {});
});

const line = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Channels' }).getByRole('listitem').filter({ hasText: text });

async function openChannels(page: Page): Promise<void> {
  await openOwner(page, node(), '#/alerts?tab=channels');
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

test('a channel is added, tested and changed; a failed test shows an error; the token is typed once', async ({
  page,
}) => {
  await test.step('a channel is added and tested; its token is typed once and never shown', async () => {
    await openChannels(page);
    await expect(page.getByText('Nothing leaves this machine until you add a channel.')).toBeVisible();
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My phone');
    await dialog.getByLabel('Server').fill('http://ntfy.example.org');
    await expect(dialog.getByText('Plain HTTP beyond this network')).toBeVisible();
    await dialog.getByLabel('Server').fill(ntfy.origin);
    await expect(dialog.getByText('Plain HTTP beyond this network')).toHaveCount(0);
    await dialog.getByLabel('Topic').fill('my garden');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Letters, digits, - and _, 64 at most')).toBeVisible();
    await dialog.getByLabel('Topic').fill('garden');
    await dialog.getByRole('textbox', { name: 'Token' }).fill('tk_wrong');
    expect(await complaints(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();

    const phone = line(page, 'My phone');
    await expect(phone).toContainText('Token is set');
    await expect(phone).toContainText('Nothing was sent yet');
    await phone.getByRole('button', { name: 'Test' }).click();
    await expect(phone).toContainText('The test message was not sent.');
    await expect(phone).toContainText('The server refuses the token');

    await phone.getByRole('button', { name: 'Edit' }).click();
    await expect(dialog.getByText('Set', { exact: true })).toBeVisible();
    await expect(dialog.getByRole('textbox', { name: 'Token' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await dialog.getByRole('textbox', { name: 'Token' }).fill(TOKEN);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await phone.getByRole('button', { name: 'Test' }).click();
    await expect(phone).toContainText('The test message was sent.');
    await expect(phone).toContainText(/Last sent/);
    expect(ntfy.requests.at(-1)!.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(ntfy.bodies.at(-1)).toMatchObject({ topic: 'garden' });

    // Nowhere in the page, in any field or attribute, and in nothing that the node answers.
    await phone.getByRole('button', { name: 'Edit' }).click();
    await expect(dialog.getByText('Set', { exact: true })).toBeVisible();
    const fields = await page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value));
    expect(`${await page.content()} ${fields.join()}`).not.toContain(TOKEN);
    expect(JSON.stringify(await call(node().process, 'alertChannels', {}))).not.toContain(TOKEN);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
  await test.step('another change keeps the token; it can be removed', async () => {
    await openChannels(page);
    const phone = line(page, 'My phone');
    const dialog = page.getByRole('dialog');
    await phone.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('switch', { name: 'No values in messages' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(phone).toContainText('no values');
    await expect(phone).toContainText('Token is set');
    await phone.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(dialog.getByText('Is removed when you save')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(phone).not.toContainText('Token is set');
  });
  await test.step('a test without an answer shows an error, and a remote channel over plain HTTP is marked', async () => {
    await ntfy.close();
    const { channel } = (await call(node().process, 'alertChannels', {})).channels[0]!;
    await call(node().process, 'writeAlertChannel', {
      channel: {
        ...channel,
        id: null,
        name: 'Far away',
        target: { kind: 'webhook', url: 'http://hooks.example.org/x' },
      },
      secrets: {},
    });
    await openChannels(page);
    const phone = line(page, 'My phone');
    await phone.getByRole('button', { name: 'Test' }).click();
    await expect(phone).toContainText('Nothing takes connections at this address and port.');
    await expect(line(page, 'Far away')).toContainText('Plain HTTP beyond this network');
    await line(page, 'Far away').getByRole('switch').click({ force: true });
    await expect
      .poll(async () =>
        (await call(node().process, 'alertChannels', {})).channels.find((each) => each.channel.name === 'Far away'),
      )
      .toMatchObject({ channel: { isOn: false } });
  });
});

test('each kind of channel has its fields, notifications appear in the browser that turned them on, and options are saved', async ({
  page,
  context,
}) => {
  await test.step('the browser asks for permission only when the owner turns notifications on, and then shows them', async () => {
    await context.grantPermissions(['notifications'], { origin: node().url('local') });
    // Headless browsers show nothing: what the page asks of them is written down.
    await page.addInitScript(() => {
      const told: unknown[] = [];
      Object.assign(window, { told });
      class Told extends EventTarget {
        static permission = 'granted';
        static requestPermission = () => {
          told.push('asked');
          return Promise.resolve('granted');
        };
        onclick: (() => void) | null = null;
        constructor(title: string, { body }: { body: string }) {
          super();
          told.push({ title, body });
          Object.assign(window, { click: () => this.onclick?.() });
        }
        close(): void {}
      }
      Object.assign(window, { Notification: Told });
    });
    const told = () => page.evaluate(() => (window as unknown as { told: unknown[] }).told);
    let heard = 0;
    page.on('websocket', (socket) => {
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"notice"')) heard += 1;
      });
    });
    await openChannels(page);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('Desktop notification');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    const desktop = line(page, 'Desktop notification');
    await desktop.getByRole('button', { name: 'Test' }).click();
    await expect(desktop).toContainText('The test message was not sent.');
    await expect(desktop).toContainText('no window and no tab of it shows notifications');
    expect(heard).toBe(1);
    expect(await told()).toEqual([]);

    await page.getByRole('switch', { name: 'Show notifications' }).click();
    await expect.poll(told).toEqual(['asked']);
    await desktop.getByRole('button', { name: 'Test' }).click();
    await expect.poll(told).toHaveLength(2);
    expect((await told())[1]).toMatchObject({ title: expect.stringContaining('Wellhouse') });
    await expect(desktop).toContainText('The test message was sent.');
    await page.evaluate(() => (window as unknown as { click: () => void }).click());
    await expect(page.getByRole('tab', { name: 'Now' })).toHaveAttribute('aria-selected', 'true');
  });
  await test.step('every kind has its own fields, and the form can create a signing key', async () => {
    await openChannels(page);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const dialog = page.getByRole('dialog');
    const kind = dialog.getByLabel('Kind');
    await kind.selectOption('Email');
    await dialog.getByLabel('Encryption').selectOption('STARTTLS');
    await expect(dialog.getByLabel('Port')).toHaveValue('587');
    await expect(dialog.getByRole('textbox', { name: 'Password' })).toBeVisible();
    expect(await complaints(page)).toEqual([]);
    await kind.selectOption('Telegram');
    await expect(dialog.getByLabel('Chat')).toBeVisible();
    await kind.selectOption('Webhook');
    await dialog.getByLabel('Address').fill('https://hooks.example.org/wellhouse');
    await dialog.getByRole('button', { name: 'Make one' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Signing key' })).toHaveValue(/^whsec_.{40,}$/);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(line(page, 'hooks.example.org').filter({ hasText: 'Signing key is set' })).toBeVisible();
  });
  await test.step('saves quiet hours, the address of links and the language', async () => {
    await openOwner(page, node(), '#/alerts?tab=options');
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await page.getByLabel('From').fill('21:30');
    await page.getByLabel('To', { exact: true }).fill('21:30');
    await page.getByLabel('Address of this page').fill('well.example.org');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Enter two different times')).toBeVisible();
    await expect(page.getByText('An address with http:// or https://')).toBeVisible();
    await page.getByLabel('To', { exact: true }).fill('06:45');
    await page.getByLabel('Address of this page').fill('https://well.example.org/ui/');
    await page.getByLabel('Language of messages').selectOption('Español');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => call(node().process, 'alertOptions', {}))
      .toEqual({
        quietHours: { from: '21:30', to: '06:45' },
        linkBase: 'https://well.example.org/ui/',
        language: 'es',
        digest: null,
      });
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('From')).toHaveValue('21:30');
  });
});
