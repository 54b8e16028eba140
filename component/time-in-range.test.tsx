import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { HOUR_MS, openDevice } from './support/page-parts.ts';

const now = Date.now();
// Three hours in range, then one above it.
const tank = new FakeDevice({
  name: 'Tank in range',
  sent: Array.from({ length: 241 }, (_, index) => ({
    at: now - (240 - index) * 60_000,
    values: { ph: index < 180 ? 6 : 7, ec: 900 },
  })),
});
const RULE: RangeRule = {
  ...{ id: '00000000-0000-4000-8000-000000000001', kind: 'range', name: 'Basil', scope: { kind: 'all' } },
  ...{ field: 'ph', low: 5.5, high: 6.5, margin: 0, forMinutes: 0 },
  ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
};
const inRange = (field: string) => page.css(`[data-stats="${field}"] [data-stat="inRange"] dd`);

test('below the chart of a field with a range is for how much of the time it was in it', async () => {
  const answers = { alertRules: () => ({ rules: [{ rule: RULE, devices: 1, sealedOn: [] }] }) };
  await openDevice(tank, `from=${now - 4 * HOUR_MS}&to=${now}`, { answers });
  await expect.element(inRange('ph')).toHaveTextContent('75 %');
  await expect.element(page.css('[data-stats="ec"]')).toBeVisible();
  await expect.element(inRange('ec')).not.toBeInTheDocument();
});
