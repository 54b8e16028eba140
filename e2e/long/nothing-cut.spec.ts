import { rmSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { registeredDevice } from '../../test/support/client.ts';
import { startProcess, temporaryFolder } from '../../test/support/node-process.ts';
import { writeOldReadings } from '../../test/support/old-readings.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const LANGUAGES = ['en', 'pt-BR', 'es'];
const WIDTHS = [768, 1024, 1440];
const dataDir = temporaryFolder();
let node: OwnerNode;
let id: string;

test.beforeAll(async () => {
  const first = await startProcess({ dataDir });
  const silent = await registeredDevice(first.url('local'), { name: 'Silent tank' });
  await first.stop();
  const silence = (2 * 60 + 28) * MINUTE_MS;
  writeOldReadings(dataDir, silent.id, {
    count: 30,
    first: Date.now() - silence - 29 * MINUTE_MS,
    stepMs: MINUTE_MS,
  });
  node = await OwnerNode.start({ dataDir });
  const device = await registered(node, ['local'], { name: 'Bench' }, { publishTo: 0 });
  await send(node, 'local', minutes(device, { count: 30 }));
  const late = await registered(node, ['local'], { name: 'Late tank' }, { publishTo: 0 });
  await send(node, 'local', minutes(late, { count: 3, endAt: Date.now() - 14_400 * MINUTE_MS }));
  id = device.id;
});
test.afterAll(async () => {
  await node.process.dispose();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The texts of elements that show less than all of themselves, or stick out of what they stand in. */
function cut(page: Page, elements: string, box: string): Promise<string[]> {
  return page.evaluate(
    ([found, around]) =>
      [...document.querySelectorAll<HTMLElement>(found)].flatMap((element) => {
        const [inner, outer] = [element.getBoundingClientRect(), element.closest(around)!.getBoundingClientRect()];
        if (inner.width === 0) return [];
        const isCut =
          element.scrollWidth > element.clientWidth + 1 ||
          element.scrollHeight > element.clientHeight + 1 ||
          [inner.left - outer.left, outer.right - inner.right].some((room) => room < -0.5) ||
          [inner.top - outer.top, outer.bottom - inner.bottom].some((room) => room < -0.5);
        return isCut ? [element.textContent] : [];
      }),
    [elements, box] as const,
  );
}

test('no unit, time or name of a variable is cut in any language', async ({ page }) => {
  await page.goto(node.link);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  for (const language of LANGUAGES) {
    await test.step(language, async () => {
      await page.goto(`${node.url('local')}/ui/#/`);
      await page.evaluate((tag) => localStorage.setItem('wellhouse.language', tag), language);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      const list = page.locator('nav[data-devices] li');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expect(page.getByRole('article', { name: 'Silent tank' })).toContainText(/2 h.* \d\d min/);
        const statuses = 'main article [data-status]:not([aria-hidden])';
        await expect.poll(() => cut(page, statuses, 'article'), `overview, ${width}`).toEqual([]);
      }
      await page.goto(`${node.url('local')}/ui/#/device/${id}`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expect(list).toHaveCount(3);
        await expect(list.filter({ hasText: 'Silent tank' })).toContainText(/2 h.* \d\d min/);
        const statuses = 'nav[data-devices] [data-status]:not([aria-hidden])';
        await expect.poll(() => cut(page, statuses, 'a'), `list, ${width}`).toEqual([]);
        await expect(page.locator('[role=columnheader][data-column=ec]')).toContainText('ppm');
        // Where there is no room for a column it is left out, and never cut.
        if (width > 768) await expect(page.locator('[role=columnheader][data-column=waterLevel]')).toContainText('mm');
        const names = '[role=columnheader][data-column] button > span';
        await expect.poll(() => cut(page, names, '[role=columnheader]'), `header, ${width}`).toEqual([]);
      }
      await page.goto(`${node.url('local')}/ui/#/settings`);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await expect(page.getByText('DATA_DIR').first()).toBeVisible();
        await expect.poll(() => cut(page, '[class*=sourceText]', 'section'), `settings, ${width}`).toEqual([]);
      }
    });
  }
});
