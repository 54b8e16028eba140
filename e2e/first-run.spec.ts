import { call } from '../test/support/owner-client.ts';
import { minutes, registered, send } from './support/devices.ts';
import { expect, openOwner, test } from './support/owner-test.ts';

test.describe('a node without a device', () => {
  test('a node without a device welcomes its owner, shows and removes a demo, and opens the first device', async ({
    page,
    freshNode: node,
  }) => {
    await test.step('welcomes its owner, and explains how to connect a device, with this node’s own ports', async () => {
      await openOwner(page, node);
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome to your Wellhouse' })).toBeVisible();
      const { port } = new URL(node.url('local'));
      await expect(page.getByRole('button', { name: /^Just show me/ })).toBeVisible();
      await page.getByRole('link', { name: /^At another place/ }).click();
      await page.getByText('Other ways: an ssh tunnel').click();
      await expect(page.getByText(`:127.0.0.1:${port} wellhouse-tunnel@127.0.0.1`)).toBeVisible();
    });
    await test.step('starts demo devices, which appear with values, and stops them', async () => {
      await openOwner(page, node);
      await page.getByRole('button', { name: /^Just show me/ }).click();
      const list = page.getByRole('list', { name: 'Your devices' });
      for (const name of ['Demo: greenhouse', 'Demo: nursery', 'Demo: herb bench']) {
        await expect(list.getByRole('link', { name, exact: true })).toBeVisible();
      }
      await expect(
        list
          .getByRole('article', { name: /greenhouse/ })
          .locator('dd')
          .first(),
      ).toHaveText(/^\d+\.\d+$/);
      await expect(list.getByRole('article', { name: /nursery/ })).toContainText('Locked: pH, EC');
      await page.getByRole('button', { name: 'End the demo' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome to your Wellhouse' })).toBeVisible();
    });
    await test.step('removes the demo devices, and keeps the owner’s own', async () => {
      await openOwner(page, node);
      await page.getByRole('button', { name: /^Just show me/ }).click();
      const own = await registered(node, ['local'], { name: 'First tank' });
      const list = page.getByRole('list', { name: 'Your devices' });
      await expect(list.locator('[data-device]')).toHaveCount(4);
      await page.getByRole('button', { name: 'End the demo' }).click();
      await expect(list.locator('[data-device]')).toHaveText(['First tank']);
      await expect(page.getByText(/demo/i)).toHaveCount(0);
      await call(node.process, 'forgetDevice', { id: own.id, store: 'private', confirm: own.id });
      await expect(page.getByRole('heading', { level: 1, name: 'Welcome to your Wellhouse' })).toBeVisible();
    });
    await test.step('shows the first device by itself', async () => {
      await openOwner(page, node);
      const device = await registered(node, ['local'], { name: 'First tank' });
      await expect(page.getByRole('link', { name: 'First tank' }).last()).toBeVisible();
      await expect(page.getByRole('article', { name: /First tank/ })).toContainText('No reading yet');
      await send(node, 'local', minutes(device, { count: 1 }));
      await expect(page.getByRole('article', { name: /First tank/ })).toContainText('Online');
    });
  });
});
