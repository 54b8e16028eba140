import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The rules for which light and dark differ. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Nothing serious or critical, in words. `dark`: only of the colours, on a page that was looked at in light too. */
export async function complaints(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  // A transition changes colours; what goes on for ever, such as a sign of loading, is never over.
  // Their promises are no help: one of an element that was taken out need not settle.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY),
  );
  // The other mode opens a page of its own for each report, for pages with frames; ours have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (scheme === 'dark') axe.withRules(COLOUR_RULES);
  // What lies behind a dialog is looked at without it.
  if ((await page.getByRole('dialog').count()) > 0) axe.include('[role=dialog]');
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
    );
}
