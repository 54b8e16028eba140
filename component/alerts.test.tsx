import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Alert } from '../src/shared/alerts/alert.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const NOW = Date.now();
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
function openWithAlerts(hash: (device: string) => string, states: readonly Alert['state'][]) {
  let device = '';
  let alerts: Alert[] = [];
  let ended: Alert[] = [];
  return openPage(() => hash(device), {
    answers: (fake) => {
      device = fake.overview({ dayStart: 0 }).devices[0]!.id;
      ended = RULES.map((rule, index) => ({
        ...alertOf(50 + index, device, 'firing'),
        rule: rule.id,
        endedAt: NOW,
        ended: 'back',
      }));
      alerts = states.map((state, index) => alertOf(index, device, state));
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

test('bell and overview count each alert once, without acknowledged ones', async () => {
  await openWithAlerts(() => '#/', ['firing', 'firing', 'acknowledged', 'snoozed', 'pending']);
  const needs = page.getByRole('region', { name: /needs you/i });
  await expect.element(needs.getByRole('button', { name: /^Acknowledge: / })).toHaveLength(2);
  await expect.element(bell(/2/)).toBeVisible();
  await needs
    .getByRole('button', { name: /^Acknowledge: / })
    .first()
    .click();
  await expect.element(needs.getByRole('button', { name: /^Acknowledge: / })).toHaveLength(1);
  await expect.element(bell(/1/)).toBeVisible();
});

test('the alerts page counts the open alerts, and lists the others separately', async () => {
  await openWithAlerts(() => '#/alerts', ['firing', 'acknowledged', 'snoozed', 'pending']);
  await expect.element(page.getByRole('heading', { name: '1 alert', exact: true })).toBeVisible();
  const settled = page.getByRole('region', { name: 'Acknowledged or snoozed' });
  await expect.poll(() => settled.getByRole('listitem').elements().length).toBe(2);
});

test('after an acknowledgement the focus moves to the element that replaced the button', async () => {
  await openWithAlerts(() => '#/', ['firing', 'firing']);
  const buttons = page.getByRole('region', { name: /needs you/i }).getByRole('button', { name: /^Acknowledge: / });
  await expect.element(buttons).toHaveLength(2);
  (buttons.elements()[0] as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(buttons).toHaveLength(1);
  await expect.poll(() => document.activeElement?.textContent).toBe('Acknowledge');
});

test('a firing alert shows on the device’s card, and its icon on the device’s page', async () => {
  await openWithAlerts(() => '#/', ['firing']);
  await expect.element(page.getByRole('article', { name: 'Greenhouse' }).getByText('pH high')).toBeVisible();
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('link').first().click();
  await expect.element(page.css('main header').getByTitle('Needs you', { exact: true })).toBeVisible();
});

test('the rules of a crop are one line, which names the values that no rule watches', async () => {
  await openWithAlerts((device) => `#/device/${device}`, ['firing']);
  const rules = page.getByRole('list', { name: 'Rules for this device' });
  await expect.element(rules.getByText('Lettuce: 3 ranges, 1 outside')).toBeVisible();
  expect(rules.getByRole('switch').elements()).toHaveLength(0);
  await rules.getByText('Lettuce: 3 ranges, 1 outside').click();
  await expect.element(rules.getByRole('switch').first()).toBeVisible();
  await expect
    .element(page.getByText(/^No ranges are set for .*Humidity.*: nothing watches these values/))
    .toBeVisible();
});

test('the alerts page names the values of each device that no rule watches, with a link to set ranges', async () => {
  await openWithAlerts(() => '#/alerts', []);
  const card = page.getByRole('region', { name: 'Values that no rule watches' });
  await expect
    .element(card.getByRole('listitem').first())
    .toHaveTextContent('Greenhouse: Water temperature, Air temperature, Humidity');
  await card.getByRole('link', { name: 'Greenhouse' }).click();
  await expect.element(page.getByRole('button', { name: 'Set ranges for a crop' })).toBeVisible();
});

test('the table of devices says once how many devices send unwatched values', async () => {
  localStorage.setItem('wellhouse.list', JSON.stringify({ view: 'table' }));
  await openWithAlerts(() => '#/', []);
  await expect.element(page.getByText(/^\d devices send values that no rule watches\./)).toBeVisible();
  await page.getByRole('link', { name: 'See which values' }).click();
  await expect.element(page.getByRole('region', { name: 'Values that no rule watches' })).toBeVisible();
});

test('the history shows the rules of a crop as one entry, with the alerts of all of them', async () => {
  await openWithAlerts(() => '#/alerts?tab=history', []);
  const rule = page.getByRole('combobox', { name: 'Rule' });
  await expect.element(rule.getByRole('option', { name: 'Lettuce' })).toHaveLength(1);
  await rule.selectOptions('Lettuce');
  await expect
    .element(page.getByRole('region', { name: 'Earlier alerts' }).getByRole('listitem'))
    .toHaveLength(RULES.length);
});

test('the ranges of a chosen crop are one line on the device’s page', async () => {
  let device = '';
  await openPage(() => `#/device/${device}`, {
    answers: (fake) => {
      device = fake.overview({ dayStart: 0 }).devices[0]!.id;
      return {};
    },
  });
  const section = page.getByRole('region', { name: 'Alerts', exact: true });
  await section.getByRole('button', { name: 'Set ranges for a crop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Basil' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  const rules = section.getByRole('list', { name: 'Rules for this device' });
  await expect.element(rules.getByText(/^Basil: 5 ranges(, \d outside)?$/)).toBeVisible();
  // Beside it the fake node's own rule for all devices.
  await expect.poll(() => rules.getByRole('listitem').elements()).toHaveLength(2);
});
