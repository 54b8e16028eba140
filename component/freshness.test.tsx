import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { DAY_MS, MINUTE_MS, openDevice, tile } from './support/page-parts.ts';

const now = Date.now();
const late = new FakeDevice({
  name: 'Late device',
  sent: [3, 2, 1].map((minute) => ({
    ...{ at: now - 10 * DAY_MS - minute * MINUTE_MS, receivedAt: now },
    values: { ec: 700, ph: 5.02 },
  })),
});
const bulk = new FakeDevice({
  name: 'Bulk device',
  sent: Array.from({ length: 60 }, (_, index) => ({
    ...{ at: now - (60 - index) * 5 * MINUTE_MS, receivedAt: now },
    values: { ec: 700 },
  })),
});
const field = new FakeDevice({
  name: 'Field device',
  sent: [
    ...Array.from({ length: 80 }, (_, index) => ({
      at: now - (100 - index) * MINUTE_MS,
      values: { ec: 700 + index, tempWater: 20 },
    })),
    { at: now, values: { ph: 6.1 } },
  ],
});

test('a value shows the age of its measurement, and a manual entry says so', async () => {
  await openDevice(field, '', {
    answers: (fake) => ({
      device: (input) => {
        const detail = fake.device(input);
        return { ...detail, newest: { ...detail.newest, ph: { ...detail.newest.ph!, isEntered: true } } };
      },
    }),
  });
  await expect.element(tile('pH')).toContainText('6.1');
  await expect.element(tile('pH')).toContainText('entered by hand');
  await expect.element(tile('pH').getByLabelText('Not up to date')).not.toBeInTheDocument();
  await expect.element(tile('EC')).toContainText('779');
  await expect.element(tile('EC')).toContainText('21 min ago');
  await expect.element(tile('EC').getByLabelText('Not up to date')).toBeVisible();
});

test('a reading from ten days ago that just arrived shows its true age, and is marked as late', async () => {
  await openPage(`#/device/${late.id}`, { devices: [late] });
  await expect.element(tile('EC')).toContainText('10 days ago');
  await expect.element(tile('EC')).toContainText('arrived late');
  await expect.element(tile('EC').getByLabelText('Not up to date')).toBeVisible();
  // The device itself sent a reading just now.
  await expect
    .element(
      page
        .css('main header')
        .getByText(/Online/)
        .first(),
    )
    .toBeVisible();
});

test('a card marks each old value, and shows no age of live ones', async () => {
  await openPage('#/', { devices: [bulk, late] });
  const card = (name: string) => page.getByRole('article', { name });
  await expect.element(card('Late device')).toContainText('Online · measured 10 days ago');
  // Each of its values has the mark, and one that came in time has none.
  await expect.poll(() => card('Late device').getByLabelText('Not up to date').elements()).toHaveLength(2);
  await expect.element(card('Bulk device').getByText('Online', { exact: true })).toBeVisible();
  await expect.element(card('Bulk device')).not.toContainText('ago');
});
