import type { Page } from '@playwright/test';
import axe, { type Result, type RunOptions } from 'axe-core';

/** The rules that light and dark can differ in. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The landmarks and headings that a screen reader uses. */
const STRUCTURE_RULES = ['landmark-no-duplicate-banner', 'landmark-unique', 'page-has-heading-one'];

/** Runs axe on a part of the page. Its half a megabyte is sent to each loaded page only once. */
async function violations(page: Page, where: string, options: RunOptions): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([context, chosen]) => {
      const { axe: run } = window as unknown as { axe: typeof axe };
      // A dialog locks the scrolling of the page behind it. axe would take that for a body that cuts the dialog off.
      document.body.style.setProperty('overflow', 'visible', 'important');
      const results = await run.run(context, chosen);
      document.body.style.removeProperty('overflow');
      if (results.inapplicable.some(({ id }) => id === 'color-contrast')) throw new Error('axe saw no text');
      return results.violations;
    },
    [where, { ...options, resultTypes: ['violations'] }] as [string, RunOptions],
  );
}

const inWords = (found: readonly Result[]): string[] =>
  found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
  );

/**
 * Returns serious and critical problems in words. `dark`: only of the colours, on a page that was also checked in
 * light.
 */
export async function complaints(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // Transitions change colours. Endless animations, such as a loading sign, never end. Their promises do not help: that
  // of a removed element may not settle.
  // Before its animation, a dialog is transparent.
  await page.waitForFunction(
    () =>
      document
        .getAnimations()
        .every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY) &&
      [...document.querySelectorAll('[role=dialog]')].every((dialog) => getComputedStyle(dialog).opacity === '1'),
  );
  // The page behind a dialog is checked without the dialog.
  const where = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'html';
  const found = await violations(page, where, scheme === 'dark' ? { runOnly: COLOUR_RULES } : {});
  return inWords(
    found.filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || STRUCTURE_RULES.includes(id)),
  );
}

/** Returns the faults of landmarks and headings, of the page and of everything above it. */
export async function structureFaults(page: Page): Promise<string[]> {
  return inWords(await violations(page, 'html', { runOnly: STRUCTURE_RULES }));
}
