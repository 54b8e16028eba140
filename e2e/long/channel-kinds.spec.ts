import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { channelLine, openChannels } from '../support/channels.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const node = ownerNode();

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
    await openChannels(page, node());
    await page.getByRole('button', { name: 'Add a channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Kind').selectOption('Desktop notification');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    const desktop = channelLine(page, 'Desktop notification');
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
    await openChannels(page, node());
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
    await expect(channelLine(page, 'hooks.example.org').filter({ hasText: 'Signing key is set' })).toBeVisible();
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
