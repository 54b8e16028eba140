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
const stretch = (from: number, to: number) => `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
const inRange = (field: string) => page.css(`[data-stats="${field}"] [data-stat="inRange"] dd`);

test('a chart of a field with a range shows its time in range', async () => {
  const answers = { alertRules: () => ({ rules: [{ rule: RULE, devices: 1, sealedOn: [] }] }) };
  await openDevice(tank, stretch(now - 4 * HOUR_MS, now), { answers });
  await expect.element(inRange('ph')).toHaveTextContent('75 %');
  await expect.element(page.css('[data-stats="ec"]')).toBeVisible();
  await expect.element(inRange('ec')).not.toBeInTheDocument();
});

test('the table by day has the time in range, and means by day and night in the owner’s hours', async () => {
  const midnight = new Date(now - 2 * 24 * HOUR_MS).setHours(0, 0, 0, 0);
  // Two days of one value an hour: 6 from 06:00 to 18:00, 7 at night.
  const lit = new FakeDevice({
    name: 'Lit tank',
    sent: Array.from({ length: 48 }, (_, hour) => ({
      at: midnight + hour * HOUR_MS,
      values: { ph: hour % 24 >= 6 && hour % 24 < 18 ? 6 : 7 },
    })),
  });
  const answers = { alertRules: () => ({ rules: [{ rule: RULE, devices: 1, sealedOn: [] }] }) };
  await openDevice(lit, stretch(midnight, midnight + 48 * HOUR_MS - 1), { answers });
  const rows = page.getByRole('table', { name: 'pH by day and week' }).getByRole('row');
  await expect.poll(() => rows.elements().length).toBe(3);
  await page.getByRole('region', { name: 'By day and week' }).getByRole('button', { name: 'Change' }).click();
  await page.getByRole('switch', { name: 'My own hours' }).click();
  await page.getByLabelText('Day begins').fill('06:00');
  await page.getByLabelText('Day ends').fill('18:00');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(page.getByText(/Day is from 06:00 to 18:00\./)).toBeVisible();
  await expect.poll(() => rows.nth(2).element().textContent).toMatch(/5\d %6\.007\.006\.007\.00$/);
  await page.getByRole('region', { name: 'By day and week' }).getByText('Week', { exact: true }).click();
  await expect.poll(() => rows.nth(1).element().textContent).toMatch(/6\.007\.00/);
});
