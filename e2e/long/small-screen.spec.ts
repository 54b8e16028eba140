import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from '../support/axe.ts';
import { showAllCharts } from '../support/charts.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from '../support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const NAME = 'Propagation bench, third from the door';

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: NAME, ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(device, { count: 300, sealed: ['humidity'] }));
  await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: NAME, low: 9, high: null } });
  const other = await registered(started, ['local'], { name: 'Carp pond', ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(other, { count: 5 }));
});

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

/**
 * Describes the controls that are smaller than a finger. A control with a label is as large as both; a link in a
 * sentence is as its line.
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dialog = document.querySelector('[role=dialog]');
    const all = [
      ...(dialog ?? document).querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary'),
    ];
    const sizeOf = (element: HTMLElement): { width: number; height: number } => {
      const boxes = [element, ...(element instanceof HTMLInputElement ? (element.labels ?? []) : [])].map((each) =>
        each.getBoundingClientRect(),
      );
      // A card follows its link.
      const field = element.closest<HTMLElement>('.mantine-Input-wrapper');
      if (field !== null && element.matches('input')) boxes.push(field.getBoundingClientRect());
      const row = element.closest<HTMLElement>('[role=row], article');
      if (row !== null && element.matches('a')) boxes.push(row.getBoundingClientRect());
      return {
        width: Math.max(...boxes.map(({ width }) => width)),
        height: Math.max(...boxes.map(({ height }) => height)),
      };
    };
    return all.flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      const inSentence = element.matches('a') && getComputedStyle(element).display === 'inline';
      const isHidden =
        element.matches('.visually-hidden, [aria-hidden=true]') || element.getBoundingClientRect().right < 0;
      const isAway = element.getBoundingClientRect().bottom < 0 && getComputedStyle(element).position === 'absolute';
      if (inSentence || isHidden || isAway) return [];
      const { width, height } = sizeOf(element);
      if (width >= 43.5 && height >= 43.5) return [];
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
      return [`${element.tagName} "${name}" ${Math.round(width)}×${Math.round(height)}`];
    });
  });
}

/** The elements that stand out of the window on the right, and lie in nothing that scrolls. */
function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    return [...document.body.querySelectorAll('*')].flatMap((element) => {
      const { right, width: own } = element.getBoundingClientRect();
      if (own === 0 || right <= width + 1) return [];
      return [`${element.tagName}.${element.className} to ${Math.round(right)}`];
    });
  });
}

async function fits(page: Page): Promise<void> {
  await expect.poll(() => sidewaysScroll(page)).toBeLessThanOrEqual(0);
  expect(await sticksOut(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await complaints(page)).toEqual([]);
}

const menu = (page: Page) => page.getByRole('button', { name: 'Menu' });
const goTo = async (page: Page, name: string): Promise<void> => {
  await menu(page).click();
  await page.getByRole('dialog').getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
};

test('pages fit a phone: nothing sticks out, every control can be pressed, and going back closes menus', async ({
  page,
}) => {
  await test.step('going back closes the menu over the page', async () => {
    await openOwner(page, node());
    const card = page.getByRole('article', { name: NAME });
    await card.click();
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
    await menu(page).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Keys' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(card).toBeVisible();
  });
  await test.step('on every page of a phone nothing sticks out, and every control can be pressed', async () => {
    test.setTimeout(180_000);
    await openOwner(page, node());
    const card = page.getByRole('article', { name: NAME });
    // The values of a card are whole, each with its name, and the sealed one is named.
    await expect(card.getByText('Water temp.')).toBeVisible();
    await expect(card.getByRole('term')).toHaveCount(5);
    await expect(card).toContainText('Locked: Humidity');
    await expect(page.getByRole('navigation', { name: 'Devices', exact: true })).toBeHidden();
    await fits(page);
    await menu(page).click();
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Keys' })).toBeVisible();
    await fits(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    // The whole card leads to the device; its charts and readings stand below each other.
    await card.click();
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
    await expect(page.locator('[aria-busy=false] .uplot canvas').first()).toBeVisible();
    // With all six values it is short enough to look through; the rest is under tabs.
    expect(await page.locator('main').evaluate((main) => main.scrollHeight)).toBeLessThan(2000);
    await showAllCharts(page);
    await page.getByRole('tab', { name: 'Readings' }).click();
    const grid = page.getByRole('grid', { name: 'Readings' });
    await expect(grid.getByRole('row').first()).toContainText('Water temp.');
    await fits(page);
    const charts = await page.locator('figure').all();
    const lefts = await Promise.all(charts.map(async (chart) => (await chart.boundingBox())!.x));
    expect(new Set(lefts.map(Math.round)).size).toBe(1);

    // A dialog has the whole screen.
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('dialog').getByText('NDJSON')).toBeVisible();
    await expect
      .poll(async () => (await page.locator('.mantine-Modal-content').boundingBox())!)
      .toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    await fits(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    // The page that compares; each line's numbers stand below its name.
    await page.getByRole('link', { name: 'Compare with others' }).click();
    // Both temperatures are in one, and what is sealed is drawn in none.
    await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible();
    await expect(page.locator('figure canvas')).toHaveCount(4);
    await expect(page.locator('[data-line]').first()).toContainText('300 values');
    await fits(page);

    // And back to the list.
    await page.getByRole('banner').getByRole('link', { name: 'Devices' }).click();
    await expect(card).toBeVisible();

    // What is wrong, the rules and their dialog, and the channels.
    await goTo(page, 'Alerts');
    for (const tab of ['Now', 'History', 'Rules', 'Channels', 'Options']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toHaveCount(0);
      await fits(page);
    }
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await expect(page.getByRole('dialog').getByLabel('Value')).toBeVisible();
    await fits(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    await goTo(page, 'Keys');
    await expect(page.getByRole('heading', { name: 'Choose a passphrase' })).toBeVisible();
    await fits(page);
    await goTo(page, 'Settings');
    await expect(page.getByRole('heading', { name: 'Endpoints' })).toBeVisible();
    await fits(page);
    await goTo(page, 'Connect a device');
    await page.getByRole('link', { name: /^On this network/ }).click();
    await expect(page.getByRole('heading', { name: 'From this network: the gate' })).toBeVisible();
    await page.getByText('Other ways: an ssh tunnel').click();
    await expect(page.getByRole('heading', { name: 'Private: through a tunnel' })).toBeVisible();
    await expect(page.getByText('wellhouse-tunnel@127.0.0.1').first()).toBeVisible();
    await fits(page);
  });
  await test.step('the list’s search is reachable, and opens its results', async () => {
    await openOwner(page, node());
    await page.getByRole('searchbox', { name: 'Search devices' }).fill('carp');
    await expect(page.getByRole('article', { name: NAME })).toBeHidden();
    await expect(page.getByRole('article', { name: 'Carp pond' })).toBeVisible();
  });
});

// In dark the same pages are looked at by e2e/long/layout.spec.ts.

/** Describes the chosen values in lists that have less room than they need. */
function cutChoices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')!;
    return [...document.querySelectorAll('select')].flatMap((select) => {
      if (!select.checkVisibility()) return [];
      const style = getComputedStyle(select);
      pen.font = style.font;
      const text = select.selectedOptions[0]?.textContent ?? '';
      const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const needed = pen.measureText(text).width;
      return needed > room + 1 ? [`${text}: ${Math.round(needed)} of ${Math.round(room)} pixels`] : [];
    });
  });
}

test('the chosen option of a list is shown whole, on pages and in dialogs, in every language', async ({ page }) => {
  await openOwner(page, node());
  for (const language of ['en', 'pt-BR', 'es']) {
    await test.step(language, async () => {
      await page.goto(`${node().url('local')}/ui/#/`);
      await page.evaluate((tag) => localStorage.setItem('wellhouse.language', tag), language);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(page.getByRole('article', { name: NAME })).toBeVisible();
      expect(await cutChoices(page)).toEqual([]);
      for (const hash of ['#/settings', '#/compare', `#/device/${device.id}?tab=readings`]) {
        await page.goto(`${node().url('local')}/ui/${hash}`);
        await expect(page.locator('main select').first()).toBeVisible();
        expect(await cutChoices(page), hash).toEqual([]);
      }
      const grid = page.getByRole('grid');
      await expect(grid).toBeVisible();
      const header = page.locator('main header');
      for (const button of [
        header.getByRole('button').nth(1),
        grid.locator('xpath=ancestor::section').getByRole('button').nth(1),
      ]) {
        await button.click();
        await expect(page.getByRole('dialog').locator('select').first()).toBeVisible();
        expect(await cutChoices(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toBeHidden();
      }
    });
  }
});
