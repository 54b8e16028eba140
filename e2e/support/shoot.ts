import type { Page } from '@playwright/test';

/** The folder for pictures that a person looks at; not set in CI. */
const { SHOTS } = process.env;

/** Takes pictures of a page in its current state: on a phone, in dark, and wide. Does nothing without SHOTS. */
export async function shoot(page: Page, name: string, options: { readonly fullPage?: boolean } = {}): Promise<void> {
  if (SHOTS === undefined) return;
  for (const [width, colorScheme] of [
    [390, 'light'],
    [1280, 'dark'],
    [1600, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, ...options });
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.emulateMedia({ colorScheme: 'light' });
}
