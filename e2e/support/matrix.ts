import type { Page } from '@playwright/test';
import { THOROUGH } from '../../test/support/thorough.ts';
import { complaints } from './axe.ts';
import { expect, sidewaysScroll } from './owner-test.ts';

/** Widths of a window in pixels: a phone and a desktop. The long run also includes those between. */
export const WIDTHS: readonly number[] = THOROUGH > 1 ? [390, 768, 1024, 1440] : [390, 1440];

/** Light; in the long run also dark. `npm test` checks each page in dark once (layout.spec.ts). */
export const SCHEMES: readonly ('light' | 'dark')[] = THOROUGH > 1 ? ['light', 'dark'] : ['light'];

/** Expects that axe finds no error in the page at any width and in any scheme, and that it never scrolls sideways. */
export async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect(await complaints(page, colorScheme), `${width} ${colorScheme}`).toEqual([]);
      expect(await sidewaysScroll(page), `${width} ${colorScheme}`).toBeLessThanOrEqual(0);
    }
  }
}
