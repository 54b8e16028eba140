import axe from 'axe-core';
import { expect } from 'vitest';
import type { Locator } from 'vitest/browser';

type Scheme = 'light' | 'dark';

/** The rules that light and dark can differ in. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Returns in words the problems that axe finds serious or critical on the page, in the open dialog or in a given part,
 * after all animations. `dark`: only the colours, of what is also checked in light.
 */
export async function complaints(scheme: Scheme = 'light', part?: Locator): Promise<string[]> {
  await expect.poll(isStill).toBe(true);
  const seen = part?.element() ?? document.querySelector('[role=dialog]');
  const hidden = seen === null ? [] : hideBeside(seen);
  // A dialog locks the scrolling of the page behind it. axe would take that for a body that cuts the dialog off.
  document.body.style.setProperty('overflow', 'visible', 'important');
  const { violations, inapplicable } = await axe.run(seen ?? document, {
    resultTypes: ['violations'],
    // Style sheets, for a rule that is not run.
    preload: false,
    ...(scheme === 'dark' && { runOnly: { type: 'rule', values: COLOUR_RULES } }),
  });
  document.body.style.removeProperty('overflow');
  for (const each of hidden) each.style.removeProperty('visibility');
  const unused = inapplicable.map(({ id }) => id);
  expect(unused, 'axe saw no text').not.toContain('color-contrast');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
    );
}

/**
 * Hides what is neither in an element nor around it, and returns what it hid. To find what lies behind a text, axe looks
 * at all that is visible, which for a small dialog over a long page takes longer than all else.
 */
function hideBeside(element: Element): HTMLElement[] {
  const siblings: HTMLElement[] = [];
  for (let each = element; each !== document.body; each = each.parentElement!)
    for (const sibling of each.parentElement!.children)
      if (sibling !== each && sibling instanceof HTMLElement && sibling.style.visibility === '') siblings.push(sibling);
  for (const { style } of siblings) style.setProperty('visibility', 'hidden', 'important');
  return siblings;
}

/** Returns whether no animation is in progress, and a dialog has appeared: before its animation it is transparent. */
function isStill(): boolean {
  const isOver = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
  const isOpaque = (dialog: Element) => getComputedStyle(dialog).opacity === '1';
  return document.getAnimations().every(isOver) && [...document.querySelectorAll('[role=dialog]')].every(isOpaque);
}

/**
 * Does the same checks in light and in dark, beginning with the scheme that is shown and ending with the other. One
 * opened page serves both: to open it and its dialogs takes longer than axe.
 */
export async function inBothSchemes(check: (scheme: Scheme) => Promise<void>): Promise<void> {
  const shown = document.documentElement.dataset.mantineColorScheme as Scheme;
  await check(shown);
  const other = shown === 'light' ? 'dark' : 'light';
  await switchTo(other);
  await check(other);
}

/** Switches the page to a scheme as another window of the same origin does that stores it. */
async function switchTo(scheme: Scheme): Promise<void> {
  const stored = { storageArea: localStorage, key: 'wellhouse.color-scheme', newValue: scheme };
  window.dispatchEvent(new StorageEvent('storage', stored));
  await expect.poll(() => document.documentElement.dataset.mantineColorScheme).toBe(scheme);
}
