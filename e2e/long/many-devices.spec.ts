import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { registered } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

let last: SimulatedDevice;
const node = ownerNode(async (started) => {
  for (let number = 100; number < 160; number += 1) {
    last = await registered(started, ['local'], { name: `Tank ${number}` });
  }
});

test('the list scrolls to the open device, also after a reload', async ({ page }) => {
  await openOwner(page, node(), `#/device/${last.id}`);
  const entry = page.getByRole('navigation', { name: 'Devices', exact: true }).getByRole('link', { name: 'Tank 159' });
  await expect(entry).toBeInViewport();
  // The device's own answer comes first: then the list is not there yet when its page is shown.
  const heading = page.getByRole('heading', { level: 1, name: 'Tank 159' });
  await page.route('**/ui/api/overview', async (route) => {
    await heading.waitFor();
    await route.continue();
  });
  await page.reload();
  await expect(entry).toBeInViewport();
  await expect(entry).toHaveAttribute('aria-current', 'page');
});

test('cards of many devices are drawn when they scroll into view', async ({ page }) => {
  await openOwner(page, node());
  await expect(page.getByRole('table', { name: 'Your devices' })).toBeVisible();
  await page.getByText('Cards', { exact: true }).click();
  const cards = page.getByRole('article');
  await expect(page.getByRole('article', { name: 'Tank 100' })).toBeVisible();
  expect(await cards.count()).toBeLessThan(40);
  await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
  await expect(page.getByRole('article', { name: 'Tank 159' })).toBeVisible();
});
