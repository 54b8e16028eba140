import axe from 'axe-core';
import { expect } from 'vitest';

/** What axe finds serious or critical on the page, in words; what moves comes to rest before. */
export async function complaints(): Promise<string[]> {
  const isOver = ({ effect }: Animation) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
  await expect.poll(() => document.getAnimations().every(isOver)).toBe(true);
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')} ${failureSummary}`),
    );
}
