import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import type { Alert } from '../src/shared/alerts/alert.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { type OpenOptions, openPage } from './support/open-page.tsx';
import { HOUR_MS, readings } from './support/page-parts.ts';

const RULE: RangeRule = {
  ...{ id: '00000000-0000-4000-8000-000000000001', kind: 'range', name: 'Basil', scope: { kind: 'all' } },
  ...{ field: 'ph', low: 5, high: 7, margin: 0, forMinutes: 0 },
  ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
};
// More than an hour: within one hour of the clock, a line has one point and is not drawn.
const fine = (name: string) => new FakeDevice({ name, sent: readings({ count: 120 }) });
const silent = new FakeDevice({ name: 'Rain barrel', sent: readings({ count: 60, endAt: Date.now() - 2 * HOUR_MS }) });

function alertOf(device: FakeDevice, more: Partial<Alert> = {}): Alert {
  const since = Date.now() - HOUR_MS;
  return {
    ...{ id: '00000000-0000-4000-8000-000000000099', rule: RULE.id, kind: 'range', name: 'Basil', device: device.id },
    ...{ field: 'ph', store: null, severity: 'warning', state: 'firing', since, firedAt: since, snoozedUntil: null },
    ...{ side: 'low', value: 4.75, extreme: 4.5, limit: 5, endedAt: null, ended: null },
    ...more,
  };
}

/** Opens the first page: these rules, these alerts, and no device that knocks. */
function open(devices: readonly FakeDevice[], rules: RangeRule[], alerts: Alert[], more: Partial<OpenOptions> = {}) {
  return openPage('#/', {
    devices,
    ...more,
    answers: (fake) => ({
      overview: (input) => ({ ...fake.overview(input), unregistered: [] }),
      alerts: () => ({ now: Date.now(), alerts }),
      alertRules: () => ({ rules: rules.map((rule) => ({ rule, devices: devices.length, sealedOn: [] })) }),
      ...(typeof more.answers === 'function' ? more.answers(fake) : more.answers),
    }),
  });
}

const says = (text: string | RegExp) => page.getByRole('heading', { level: 1, name: text });
const card = (name: string) => page.getByRole('article', { name });

test('one sentence says that all is well, and nothing else comes before the devices; the chosen table is kept', async () => {
  const { reload } = await open([fine('Greenhouse'), fine('Nursery')], [RULE], []);
  await expect.element(says('All 2 are well.')).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Needs you now' })).not.toBeInTheDocument();
  await expect.element(card('Greenhouse').getByText('Well', { exact: true })).toBeVisible();
  await expect.element(card('Greenhouse')).toContainText('1 range watched');
  await expect.element(page.getByRole('navigation', { name: 'Devices' })).not.toBeInTheDocument();
  expect(document.title).toBe('Overview – Wellhouse');
  // The allowed range is behind the line. The rules come by a request of their own, after the card.
  await expect.poll(() => card('Greenhouse').css('svg rect').elements()).toHaveLength(1);

  // Filters and the table are in one menu.
  await expect.element(page.getByLabelText('Sort by')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'View' }).click();
  await expect.element(page.getByLabelText('Sort by')).toBeVisible();
  await page.getByText('Table', { exact: true }).click();
  await expect.element(page.getByRole('table', { name: 'Your devices' })).toBeVisible();
  await reload();
  await expect.element(page.getByRole('table', { name: 'Your devices' })).toBeVisible();
});

test('one device that needs its owner is named with its value, on its card and in the tab too', async () => {
  const devices = [fine('Greenhouse'), fine('Nursery')];
  await open(devices, [RULE], [alertOf(devices[1]!)]);
  await expect.element(says('1 of 2 needs you: Nursery, pH 4.75.')).toBeVisible();
  await expect.element(page.getByText('1 well')).toBeVisible();
  const needs = page.getByRole('region', { name: 'Needs you now' }).getByRole('listitem');
  await expect
    .element(needs)
    .toContainText('pH of Nursery is below 5Now 4.75, for 1 hr. Check the sensor, then correct the pH.');
  await expect.element(card('Nursery').getByText('pH low')).toBeVisible();
  await expect.poll(() => document.title).toBe('(1) Overview – Wellhouse');
});

test('an acknowledged alert needs nobody, and its device is not called well', async () => {
  const device = fine('Greenhouse');
  await open([device], [RULE], [alertOf(device, { state: 'acknowledged' })]);
  await expect.element(says('Nothing needs you.')).toBeVisible();
  await expect.element(page.getByText('1 acknowledged')).toBeVisible();
  await expect.element(card('Greenhouse').getByText('Acknowledged', { exact: true })).toBeVisible();
});

test('a device without a rule is not called well, and its card asks what grows there', async () => {
  await open([fine('Greenhouse')], [], []);
  await expect.element(says('Nothing needs you.')).toBeVisible();
  await expect.element(card('Greenhouse')).toContainText('nothing is watched here.');
  await card('Greenhouse').getByRole('link', { name: 'Set its place and crop: Greenhouse' }).click();
  await expect.element(page.getByRole('heading', { level: 1, name: 'Set up' })).toBeVisible();
});

test('a silent device says so in words', async () => {
  await open([fine('Greenhouse'), silent], [RULE], []);
  await expect.element(says(/^1 of 2 needs you: Rain barrel, silent for 2 hr\.$/)).toBeVisible();
  await expect.element(card('Rain barrel')).toContainText('Silent for 2 hr');
});

test('sealed values are called locked once, with the way to open them', async () => {
  const sealed = new FakeDevice({ name: 'Dill', sent: readings({ count: 20, sealed: ['ph', 'ec'] }) });
  await open([sealed], [], []);
  await expect.element(card('Dill')).toContainText('Locked: pH, EC');
  expect(
    card('Dill')
      .getByText(/sealed/i)
      .elements(),
  ).toHaveLength(0);
  await expect.element(card('Dill').getByRole('term').filter({ hasText: 'pH' })).not.toBeInTheDocument();
});

test('a tank is drawn as full as it is', async () => {
  const tank = fine('Tank');
  await open([tank], [RULE], [], {
    answers: (fake) => {
      fake.setNotes({ id: tank.id, notes: { ...NO_NOTES, units: { waterLevel: { tank: { empty: 239, full: 39 } } } } });
      return {};
    },
  });
  // 139 mm to the water.
  await expect.element(card('Tank')).toContainText('Level50%');
  const drawing = card('Tank').css('[style*="--level"]').element() as HTMLElement;
  expect(drawing.style.getPropertyValue('--level')).toBe('50%');
});

test('a value out of range is as large as one in range', async () => {
  await open([fine('Greenhouse')], [{ ...RULE, low: 9, high: 12 }], []);
  const sizes = () =>
    (card('Greenhouse').css('dd [data-column] > :last-child').elements() as HTMLElement[]).map(
      (number) => `${number.closest('[data-outside]') === null ? 'in' : 'out'} ${getComputedStyle(number).fontSize}`,
    );
  await expect.poll(() => sizes().filter((size) => size.startsWith('out'))).toHaveLength(1);
  expect(new Set(sizes().map((size) => size.split(' ')[1])).size).toBe(1);
});

test('nine devices are a table with its filters, or cards', async () => {
  await open(
    Array.from({ length: 9 }, (_, index) => fine(`Tank ${index + 100}`)),
    [RULE],
    [],
  );
  await expect.element(page.getByRole('table', { name: 'Your devices' })).toBeVisible();
  await expect.element(page.getByLabelText('Filter by status')).toBeVisible();
  await page.getByText('Cards', { exact: true }).click();
  await expect.element(card('Tank 100')).toBeVisible();
});

test('a card says when a tank will be empty, and what the air means', async () => {
  const now = Date.now();
  // From 40 mm to 145 mm to the water within three days; empty is at 239 mm.
  const sent = Array.from({ length: 145 }, (_, index) => ({
    at: now - (144 - index) * 30 * 60_000,
    values: { waterLevel: 40 + (105 * index) / 144, tempAmbient: 25, humidity: 60 },
  }));
  const tank = new FakeDevice({ name: 'Tank', sent });
  await open([tank], [], [], {
    answers: (fake) => {
      fake.setNotes({ id: tank.id, notes: { ...NO_NOTES, units: { waterLevel: { tank: { empty: 239, full: 39 } } } } });
      return {};
    },
  });
  await expect.element(card('Tank')).toContainText(/Level falls 1[78] % a day: empty in 2 to 3 days\./);
  await expect.element(card('Tank')).toContainText('VPD1.27kPaDew point16.7°C');
  await card('Tank').getByRole('link').first().click();
  await expect.element(page.css('main header').getByText(/empty in 2 to 3 days/)).toBeVisible();
  await expect.element(page.css('main header dl')).toContainText('VPD1.27kPaderived');
});

test('no forecast is made from a day that is not over yet', async () => {
  await open([fine('Greenhouse')], [{ ...RULE, low: null, high: 7.2 }], []);
  await expect.element(card('Greenhouse')).toContainText('1 range watched');
  await expect.element(card('Greenhouse').getByText(/a day:/)).not.toBeInTheDocument();
});
