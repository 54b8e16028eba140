import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Alert } from '../src/shared/alerts/alert.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const NOW = Date.now();
const DEVICES = ['Greenhouse', 'Nursery', 'Tank'].map(
  (name) => new FakeDevice({ name, sent: readings({ count: 30 }) }),
);
const RULES = (['ph', 'ec', 'waterLevel'] as const).map((field, index): RangeRule => {
  const common = { kind: 'range', name: 'Lettuce', margin: 0, forMinutes: 0, repeatMinutes: null } as const;
  const told = { severity: 'warning', channels: 'all', isOn: true } as const;
  return { id: idOf(index), scope: { kind: 'all' }, field, low: 1, high: 2, ...common, ...told };
});

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function alertOf(
  number: number,
  device: string,
  state: Alert['state'],
  severity: Alert['severity'] = 'warning',
): Alert {
  const range = { rule: RULES[0]!.id, kind: 'range', name: 'Lettuce', field: 'ph', store: null, side: 'high' } as const;
  const times = { since: NOW - 3_600_000, firedAt: NOW - 3_000_000, snoozedUntil: null, endedAt: null, ended: null };
  return { id: idOf(100 + number), device, severity, state, value: 3, extreme: 4, limit: 2, ...range, ...times };
}

/** A fake node whose first device has these alerts, which can be acknowledged. */
function openWithAlerts(states: readonly Alert['state'][]) {
  const device = DEVICES[0]!.id;
  let alerts: Alert[] = [];
  let ended: Alert[] = [];
  return openPage('#/', {
    devices: DEVICES,
    answers: () => {
      ended = RULES.map((rule, index) => ({
        ...alertOf(50 + index, device, 'firing'),
        rule: rule.id,
        endedAt: NOW,
        ended: 'back',
      }));
      // Only the first is of a rule of the crop.
      alerts = states.map((state, index) => ({
        ...alertOf(index, device, state),
        rule: index === 0 ? RULES[0]!.id : idOf(200 + index),
      }));
      return {
        alerts: () => ({ now: NOW, alerts }),
        alertHistory: ({ rule }) => ({
          alerts: rule === null ? [] : ended.filter((each) => rule.includes(each.rule)),
          hasMore: false,
        }),
        alertRules: () => ({ rules: RULES.map((rule) => ({ rule, devices: 3, sealedOn: [] })) }),
        acknowledgeAlert: ({ id }) => {
          alerts = alerts.map((each) => (each.id === id ? { ...each, state: 'acknowledged' } : each));
          return alerts.find((each) => each.id === id)!;
        },
      };
    },
  });
}

const bell = (name: RegExp) => page.getByRole('banner').getByRole('link', { name });

test('bell, overview and device show each open alert once, and the rules of a crop as one line', async () => {
  await openWithAlerts(['firing', 'firing', 'acknowledged', 'snoozed', 'pending']);
  const needs = page.getByRole('region', { name: /needs you/i });
  await expect.element(needs.getByRole('button', { name: /^Acknowledge: / })).toHaveLength(2);
  await expect.element(bell(/2/)).toBeVisible();
  // The focus moves to the element that replaces the button.
  (needs.getByRole('button', { name: /^Acknowledge: / }).elements()[0] as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(needs.getByRole('button', { name: /^Acknowledge: / })).toHaveLength(1);
  await expect.element(bell(/1/)).toBeVisible();
  await expect.poll(() => document.activeElement?.textContent).toBe('Acknowledge');

  await expect.element(page.getByRole('article', { name: 'Greenhouse' }).getByText('pH high')).toBeVisible();
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('link').first().click();
  await expect.element(page.css('main header').getByTitle('Needs you', { exact: true })).toBeVisible();

  const rules = page.getByRole('list', { name: 'Rules for this device' });
  await expect.element(rules.getByText('Lettuce: 3 ranges, 1 outside')).toBeVisible();
  expect(rules.getByRole('switch').elements()).toHaveLength(0);
  await rules.getByText('Lettuce: 3 ranges, 1 outside').click();
  await expect.element(rules.getByRole('switch').first()).toBeVisible();
  await expect
    .element(page.getByText(/^No ranges are set for .*Humidity.*: nothing watches these values/))
    .toBeVisible();
});

test('the alerts page has open alerts, others and their history, and with the table what no rule watches', async () => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'table' }));
  await openWithAlerts(['firing', 'acknowledged', 'snoozed', 'pending']);
  await expect.element(page.getByText(/^\d devices send values that no rule watches\./)).toBeVisible();
  await page.getByRole('link', { name: 'See which values' }).click();
  await expect.element(page.getByRole('region', { name: 'Values that no rule watches' })).toBeVisible();

  await expect.element(page.getByRole('heading', { name: '1 alert', exact: true })).toBeVisible();
  const settled = page.getByRole('region', { name: 'Acknowledged or snoozed' });
  await expect.poll(() => settled.getByRole('listitem').elements().length).toBe(2);

  window.location.hash = '#/alerts?tab=history';
  const rule = page.getByRole('combobox', { name: 'Rule' });
  await expect.element(rule.getByRole('option', { name: 'Lettuce' })).toHaveLength(1);
  await rule.selectOptions('Lettuce');
  await expect
    .element(page.getByRole('region', { name: 'Earlier alerts' }).getByRole('listitem'))
    .toHaveLength(RULES.length);

  window.location.hash = '#/alerts';
  const card = page.getByRole('region', { name: 'Values that no rule watches' });
  await expect
    .element(card.getByRole('listitem').first())
    .toHaveTextContent('Greenhouse: Water temperature, Air temperature, Humidity');
  await card.getByRole('link', { name: 'Greenhouse' }).click();
  await expect.element(page.getByRole('button', { name: 'Set ranges for a crop' })).toBeVisible();
});

test('the ranges of a chosen crop are one line on the device’s page', async () => {
  await openPage(`#/device/${DEVICES[0]!.id}`, { devices: DEVICES });
  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  await section.getByRole('button', { name: 'Set ranges for a crop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Basil' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  const rules = section.getByRole('list', { name: 'Rules for this device' });
  await expect.element(rules.getByText(/^Basil: 5 ranges(, \d outside)?$/)).toBeVisible();
  // Beside it the fake node's own rule for all devices.
  await expect.poll(() => rules.getByRole('listitem').elements()).toHaveLength(2);
});
