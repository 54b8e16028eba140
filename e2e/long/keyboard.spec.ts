import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, openOwner, test } from '../support/owner-test.ts';

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Keyed tank' }, { publishTo: 0, location: 0x87a813b22ffffffn });
  await send(started, 'local', minutes(device, { count: 200 }));
});

interface Focus {
  readonly name: string;
  /** Whether something about it changed to the eye when it took the focus. */
  readonly isSeen: boolean;
}

/**
 * Returns the name of the focused element and whether its focus shows: outlines, shadows and borders of the element, of
 * its pseudo-elements and of its neighbours are compared with those without the focus. A control that is itself
 * invisible, such as the input of a switch, has to show it elsewhere. Call it once before the first Tab.
 */
function focused(page: Page): Promise<Focus> {
  return page.evaluate(async () => {
    const isMoving = () =>
      document.getAnimations().some(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    const settled = async () => {
      while (isMoving()) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    await settled();
    const ring = (element: Element | null, pseudo?: string): string => {
      if (element === null) return '';
      const style = getComputedStyle(element, pseudo);
      if (style.opacity === '0') return '';
      const { outlineStyle, outlineWidth, outlineColor } = style;
      const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px' && !/, 0\)$/.test(outlineColor);
      const outline = hasOutline ? `${outlineWidth} ${outlineStyle} ${outlineColor}` : 'none';
      const border = style.borderWidth.replaceAll('0px', '').trim() === '' ? 'none' : style.borderColor;
      return `${outline}; ${style.boxShadow}; ${border} ${style.borderWidth}`;
    };
    const look = (element: Element) =>
      [
        ...[undefined, '::before', '::after'].map((pseudo) => ring(element, pseudo)),
        ...[element.parentElement, element.previousElementSibling, element.nextElementSibling].map((near) =>
          ring(near),
        ),
      ].join('\n');

    const kept = window as unknown as { looks?: WeakMap<Element, string> };
    kept.looks ??= new WeakMap();
    const element = document.activeElement as HTMLElement;
    const withFocus = look(element);
    // The page may have drawn it only a moment ago.
    if (!kept.looks.has(element)) {
      element.blur();
      // The border of a field fades: at first it still has the colour of the focus.
      await settled();
      kept.looks.set(element, look(element));
      element.focus();
    }
    const isSeen = kept.looks.get(element) !== withFocus;
    for (const other of document.querySelectorAll('a, button, input, select, textarea, [tabindex]'))
      if (other !== element) kept.looks.set(other, look(other));
    const label =
      element.getAttribute('aria-label') ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.textContent?.trim() ??
      '';
    return { name: label.slice(0, 60), isSeen };
  });
}

/** Presses Tab until something of that name has the focus; collects what has it on the way. */
async function tabTo(page: Page, name: RegExp, key = 'Tab', most = 80): Promise<Focus[]> {
  const way: Focus[] = [];
  await focused(page);
  for (let count = 0; count < most; count += 1) {
    await page.keyboard.press(key);
    const focus = await focused(page);
    way.push(focus);
    if (name.test(focus.name)) return way;
  }
  throw new Error(`Tab never came to ${name}: ${way.map((focus) => focus.name).join(' | ')}`);
}

test('everything is reached and done by keys alone, and the focus is seen', async ({ page }) => {
  await test.step('walks from the top of the overview to a device, seen at every step', async () => {
    await openOwner(page, node());
    await expect(page.getByRole('article', { name: 'Keyed tank' })).toBeVisible();
    const way = await tabTo(page, /^Skip to the page$/);
    await page.keyboard.press('Enter');
    await expect(page.locator('main')).toBeFocused();
    way.push(...(await tabTo(page, /^Keyed tank$/)));
    expect(way.filter(({ isSeen }) => !isSeen)).toEqual([]);
    expect(way.map(({ name }) => name)).toContain('View');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Keyed tank' })).toBeVisible();
    await expect(page.locator('main')).toBeFocused();
  });
  await test.step('searches, sorts and filters', async () => {
    await openOwner(page, node());
    await expect(page.getByRole('article', { name: 'Keyed tank' })).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing');
    await expect(page.getByText('0 of 1 shown, 1 hidden')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('article', { name: 'Keyed tank' })).toBeVisible();
    await tabTo(page, /^View$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Sort by$/);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByLabel('Sort by')).toHaveValue('lastReading');
    await tabTo(page, /^Descending$/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Ascending', exact: true })).toBeVisible();
  });
  await test.step('reaches all of a device’s page: charts, readings, map, notes, export and forgetting', async () => {
    await openDevice(page, node(), device.id);
    await page.locator('main').focus();
    const names = (way: readonly Focus[]) => way.map(({ name }) => name);
    const way = await tabTo(page, /^Keys$/, 'Tab', 120);
    await page.keyboard.press('ArrowRight');
    way.push(...(await tabTo(page, /^Forget in the private store$/)));
    expect(way.filter(({ isSeen }) => !isSeen)).toEqual([]);
    expect(names(way)).toEqual(
      expect.arrayContaining([
        'Edit notes',
        'Units and tank',
        'Zoom in',
        'From – to',
        'Columns',
        'Export',
        expect.stringMatching(/^EC from/),
        'EC as a table',
        'Copy the device id',
      ]),
    );
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Forget in the private store' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Forget in the private store' })).toBeFocused();
  });
  await test.step('edits notes and exports', async () => {
    await openDevice(page, node(), device.id);
    await page.getByRole('button', { name: 'Edit notes' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'By keys' })).toBeVisible();
    await page.getByRole('button', { name: 'Export' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Export readings' })).toBeVisible();
    const downloading = page.waitForEvent('download');
    await tabTo(page, /^Export$/);
    await page.keyboard.press('Enter');
    expect((await downloading).suggestedFilename()).toMatch(/^wellhouse_by-keys_.*\.csv$/);
  });
  await test.step('typing continues in the same field while a page loads', async () => {
    await openOwner(page, node());
    await page.getByRole('searchbox').focus();
    await page.evaluate(() => {
      window.location.hash = '#/connect';
    });
    await page.keyboard.type('fern');
    await expect(page.getByRole('heading', { level: 1, name: 'Connect a device' })).toBeVisible();
    await expect(page.getByRole('searchbox')).toBeFocused();
    await expect(page.getByRole('searchbox')).toHaveValue('fern');
    await page.getByRole('searchbox').clear();
  });
  await test.step('changes language and colours', async () => {
    await openOwner(page, node());
    await tabTo(page, /^Light or dark$/);
    await page.keyboard.press('Enter');
    await menuTakesKeys(page, 'Light or dark');
    for (const name of ['As the system', 'Light', 'Dark']) {
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem', { name })).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await tabTo(page, /^Language$/);
    await page.keyboard.press('Enter');
    await menuTakesKeys(page, 'Language');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'English' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('menuitem', { name: 'Español' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  });
});

/** A menu takes the focus a moment after it is seen. */
async function menuTakesKeys(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('menu', { name }).locator('[data-autofocus]')).toBeFocused();
}
