import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { FakeDevice } from '../../scripts/fake-node/devices.ts';
import type { Answers } from '../../scripts/fake-node/fake.ts';
import type { RangeRule } from '../../src/shared/alerts/rule.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { openPage } from './open-page.tsx';
import { readings } from './page-parts.ts';

/** The id of the group. */
export const GROUP = '5d3f0f3e-0c68-4a0b-9a55-0a3a6f1b7e01';

/** Returns the section of the owner’s own rules. */
export const own = (): Locator => page.getByRole('region', { name: 'Your rules' });
export const dialog = (): Locator => page.getByRole('dialog');

/**
 * Opens the page of rules of a node with two devices, one of them in a group, whose owner reads degrees Fahrenheit.
 * Returns a function that returns the rules of ranges that the node keeps.
 */
export async function openRules(): Promise<() => RangeRule[]> {
  const basil = new FakeDevice({ name: 'Basil bed', sent: readings({ count: 5, sealed: ['humidity'] }) });
  const tank = new FakeDevice({ name: 'Rain barrel', sent: readings({ count: 5 }) });
  let kept: Answers | undefined;
  await openPage('#/alerts?tab=rules', {
    width: 1440,
    devices: [basil, tank],
    answers: (fake) => {
      kept = fake;
      fake.setNotes({
        id: tank.id,
        notes: { ...NO_NOTES, units: { waterLevel: { tank: { empty: 400, full: 100 } } } },
      });
      fake.setOwnerChoices({
        units: { temperature: 'fahrenheit' },
        groups: [{ id: GROUP, name: 'Greenhouse', isCollapsed: false, devices: [basil.id] }],
      });
      for (const { rule } of fake.alertRules({}).rules)
        if (rule.kind === 'range') fake.deleteAlertRule({ id: rule.id! });
      return {};
    },
  });
  await expect.element(own()).toBeVisible();
  return () =>
    kept!
      .alertRules({})
      .rules.map(({ rule }) => rule)
      .filter((rule): rule is RangeRule => rule.kind === 'range');
}
