import type { Route } from '@playwright/test';
import { removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { minutes, registered, send } from './support/devices.ts';
import { OwnerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

// One node, started again where it was: each test leaves it running.
let dataDir: string;
let node: OwnerNode;
test.beforeAll(async () => {
  dataDir = temporaryFolder();
  node = await OwnerNode.start({ dataDir });
});
test.afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});

/** Starts the node again where it was. */
function restarted(): Promise<OwnerNode> {
  const port = (endpoint: 'local' | 'public') => new URL(node.url(endpoint)).port;
  return OwnerNode.start({ dataDir, env: { LOCAL_PORT: port('local'), PUBLIC_PORT: port('public') } });
}

test('reports a lost connection and its return, catches up by itself, and opens a page whose code was never loaded', async ({
  page,
  watch,
  context,
}) => {
  watch.tolerate(
    /ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/,
  );
  watch.tolerate(/preload CSS|dynamically imported module/);
  const device = await registered(node, ['local'], { name: 'Patient tank' }, { publishTo: 0 });
  await send(node, 'local', minutes(device, { count: 3 }));
  await openDevice(page, node, device.id);
  await page.evaluate(() => Object.assign(window, { isStillThis: true }));
  const other = await context.newPage();
  await openOwner(other, node);
  await expect(other.getByRole('article', { name: device.name })).toBeVisible();

  await node.process.kill();
  for (const each of [page, other]) await expect(each.getByText('Connection lost')).toBeVisible();
  await expect(
    page.getByText(/The connection to the node was lost at .* This page shows the state before that/),
  ).toBeVisible();
  await expect(page.getByRole('gridcell', { name: '3', exact: true })).toBeVisible();
  // A page that was never opened says what is wrong instead of loading for ever, and offers to try again.
  await page.goto(`${node.url('local')}/ui/#/device/${'1'.repeat(64)}`);
  await expect(page.getByRole('alert')).toContainText('The node does not answer');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.goto(`${node.url('local')}/ui/#/device/${device.id}`);
  // Its code can't be loaded now.
  await other.getByRole('link', { name: 'Connect a device' }).click();
  await expect(other.getByRole('alert')).toContainText('The node does not answer');

  node = await restarted();
  await send(node, 'local', minutes(device, { count: 1, firstSeq: 77 }));
  await expect(page.getByText('The connection is back, and everything is up to date.')).toBeVisible();
  await expect(page.getByText('Connection lost')).toBeHidden();
  await expect(page.getByRole('gridcell', { name: '77', exact: true })).toBeVisible();
  expect(await page.evaluate(() => 'isStillThis' in window)).toBe(true);
  await expect(other.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Where do your devices live?' })).toBeVisible();
  watch.end();
});

test('a new link of the node invalidates the old one, and the page asks for it', async ({ page, watch }) => {
  watch.tolerate(/ERR_|status of (401|503)/);
  // A part of the program that is lost with the old node: the page is reloaded as soon as the new one has taken it.
  const stopped = Promise.withResolvers<void>();
  const part = /\/device-page-[^/]*\.js$/;
  const abort = async (route: Route) => {
    await stopped.promise;
    await route.abort();
  };
  await page.route(part, abort, { times: 1 });
  const asked = page.waitForRequest(part);
  await openOwner(page, node);
  await asked;
  await node.stop();
  await expect(page.getByText('Connection lost')).toBeVisible();
  stopped.resolve();
  const port = new URL(node.url('local')).port;
  node = await OwnerNode.start({ dataDir, args: ['--new-ui-token'], env: { LOCAL_PORT: port } });
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await page.goto(node.link);
  const reloadedAt = () => page.evaluate(() => sessionStorage.getItem('wellhouse.reloaded-at')).catch(() => null);
  await expect.poll(reloadedAt).not.toBeNull();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  watch.end();
});

test('a silent connection, as after a sleep, is replaced, and no event is missed', async ({ page, watch }) => {
  const device = await registered(node, ['local'], { name: 'Sleepy tank' }, { publishTo: 0 });
  await page.clock.install();
  let isHanging = false;
  let sockets = 0;
  await page.routeWebSocket('**/ui/api/**', (socket) => {
    sockets += 1;
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isHanging) socket.send(message);
    });
  });
  await openOwner(page, node);
  await expect(page.getByRole('article', { name: device.name })).toContainText('No reading yet');
  isHanging = true;
  await send(node, 'local', minutes(device, { count: 3 }));
  await page.clock.fastForward(30_000);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(sockets).toBe(1);
  await page.clock.fastForward(10_000);
  await expect(page.getByText('Connection lost')).toBeVisible();
  isHanging = false;
  await expect(page.getByText('The connection is back, and everything is up to date.')).toBeVisible();
  await expect(page.getByRole('article', { name: device.name })).toContainText('Online');
  watch.end();
});
