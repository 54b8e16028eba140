import { AlertServer, asNtfy } from '../test/support/alert-servers.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { channelLine, openChannels } from './support/channels.ts';
import { registered } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, test } from './support/owner-test.ts';

const TOKEN = 'tk_AbCdEfGhIjKlMnOpQrStUvWxYz012';

let ntfy: AlertServer;
const node = ownerNode(async (started) => {
  ntfy = await AlertServer.start(asNtfy(TOKEN));
  await registered(started, ['local'], { name: 'Basil bed' }, { publishTo: 0 });
});
test.afterAll(async () => {
  await ntfy?.close().catch(() => {});
});

test('a channel is added, tested and changed; a failed test shows an error; the token is typed once', async ({
  page,
}) => {
  await test.step('a channel is added and tested; its token is typed once and never shown', async () => {
    await openChannels(page, node());
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

    const phone = channelLine(page, 'My phone');
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
    await openChannels(page, node());
    const phone = channelLine(page, 'My phone');
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
    await openChannels(page, node());
    const phone = channelLine(page, 'My phone');
    await phone.getByRole('button', { name: 'Test' }).click();
    await expect(phone).toContainText('Nothing takes connections at this address and port.');
    await expect(channelLine(page, 'Far away')).toContainText('Plain HTTP beyond this network');
    await channelLine(page, 'Far away').getByRole('switch').click({ force: true });
    await expect
      .poll(async () =>
        (await call(node().process, 'alertChannels', {})).channels.find((each) => each.channel.name === 'Far away'),
      )
      .toMatchObject({ channel: { isOn: false } });
  });
});
