import axe from 'axe-core';
import { expect } from 'vitest';

/** The rules that light and dark can differ in. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns in words the problems that axe finds serious or critical on the page, or in the open dialog, after all
 * animations. `dark`: only the colours, on a page that was also checked in light.
 */
export async function complaints(scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  await expect.poll(isStill).toBe(true);
  const where = document.querySelector('[role=dialog]') === null ? document : '[role=dialog]';
  // A dialog locks the scrolling of the page behind it. axe would take that for a body that cuts the dialog off.
  document.body.style.setProperty('overflow', 'visible', 'important');
  const { violations, inapplicable } = await axe.run(where, {
    resultTypes: ['violations'],
    ...(scheme === 'dark' && { runOnly: { type: 'rule', values: COLOUR_RULES } }),
  });
  document.body.style.removeProperty('overflow');
  const unused = inapplicable.map(({ id }) => id);
  expect(unused, 'axe saw no text').not.toContain('color-contrast');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
    );
}

/** Returns whether no animation is in progress, and a dialog has appeared: before its animation it is transparent. */
function isStill(): boolean {
  const isOver = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
  const isOpaque = (dialog: Element) => getComputedStyle(dialog).opacity === '1';
  return document.getAnimations().every(isOver) && [...document.querySelectorAll('[role=dialog]')].every(isOpaque);
}

/**
 * Does the same checks in light and then in dark, and goes back to light. One opened page serves both: to open it and
 * its dialogs takes longer than axe.
 */
export async function inBothSchemes(check: (scheme: 'light' | 'dark') => Promise<void>): Promise<void> {
  await check('light');
  await switchTo('dark');
  await check('dark');
  await switchTo('light');
}

/** Switches the page to a scheme as another window of the same origin does that stores it. */
async function switchTo(scheme: 'light' | 'dark'): Promise<void> {
  const stored = { storageArea: localStorage, key: 'wellhouse.color-scheme', newValue: scheme };
  window.dispatchEvent(new StorageEvent('storage', stored));
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe(scheme);
}
