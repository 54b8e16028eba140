import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Shared tank' }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: 3 }));
});

let seq = 1000;
async function arrives(ec: number): Promise<void> {
  seq += 1;
  await send(node(), 'local', [device.block({ seq, timestamp: Date.now(), plain: { ec } })]);
}

const shows = (page: Page, ec: number) =>
  expect(page.getByRole('article', { name: device.name }).getByTitle(`${ec} ppm`)).toBeVisible();

test('nine open tabs, more than a browser’s connections to a host, are all live, also after one is closed', async ({
  page,
  context,
}) => {
  await openOwner(page, node());
  const tabs = [page];
  while (tabs.length < 9) {
    const tab = await context.newPage();
    await tab.goto(`${node().url('local')}/ui/`);
    await expect(tab.getByText('Live', { exact: true })).toBeVisible();
    tabs.push(tab);
  }
  await arrives(911);
  for (const tab of tabs) await shows(tab, 911);
  await tabs.shift()!.close();
  await arrives(922);
  for (const tab of tabs) {
    await shows(tab, 922);
    await expect(tab.getByText('Connection lost')).toBeHidden();
  }
});

/** Makes the page believe that it is out of sight, or back. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((isHidden) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('a hidden tab requests nothing, reports no loss, and is up to date when it is shown', async ({ page }) => {
  await page.clock.install();
  const opened = page.waitForEvent('websocket');
  await openOwner(page, node());
  const socket = await opened;
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (/connection/i.test(document.querySelector('[role=status] > [data-kind]')?.textContent ?? '')) {
        Object.assign(window, { toldOfALoss: true });
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await shows(page, 922);
  // What the page asked for before is not what is counted.
  await page.waitForLoadState('networkidle');
  await setHidden(page, true);
  let calls = 0;
  page.on('request', (request) => {
    if (request.url().includes('/ui/api/')) calls += 1;
  });
  const told = socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"readings"'));
  await arrives(933);
  await told;
  await page.clock.fastForward(25_000);
  expect(calls).toBe(0);
  await setHidden(page, false);
  await shows(page, 933);
  await arrives(944);
  await shows(page, 944);
  expect(socket.isClosed()).toBe(false);
  expect(await page.evaluate(() => 'toldOfALoss' in window)).toBe(false);
});
