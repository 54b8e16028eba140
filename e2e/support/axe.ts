import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Nothing serious or critical, in words. */
export async function complaints(page: Page): Promise<string[]> {
  // A transition changes colours; what goes on for ever, such as a sign of loading, is never over.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  );
  // The other mode opens a page of its own for each report, for pages with frames; ours have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  // What lies behind a dialog is looked at without it.
  if ((await page.getByRole('dialog').count()) > 0) axe.include('[role=dialog]');
  const { violations } = await axe.analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
    );
}
