import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

const onPhone = async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1440, 900));
};

test('a phone’s first screen shows the first value', async () => {
  await onPhone();
  await openPage('#/', {
    devices: 3,
    // No device knocks: that would come first, as it should.
    answers: (fake) => ({ overview: (input) => ({ ...fake.overview(input), unregistered: [] }) }),
  });
  const first = page.getByRole('article').css('dd').first();
  await expect.element(first).toBeVisible();
  expect(first.element().getBoundingClientRect().top).toBeLessThan(700);
  await page.getByRole('button', { name: 'View' }).click();
  await expect.element(page.getByLabelText('Sort by')).toBeVisible();
});

test('the tabs of alerts fit on one line of a phone', async () => {
  await onPhone();
  await openPage('#/alerts');
  await expect.element(page.getByRole('tab', { name: 'Options' })).toBeInTheDocument();
  const tabs = page.getByRole('tab').elements();
  expect(new Set(tabs.map((tab) => Math.round(tab.getBoundingClientRect().top))).size).toBe(1);
  expect(tabs.at(-1)!.getBoundingClientRect().right).toBeLessThanOrEqual(390);
});

test('a device’s page with six fields is short on a phone, with all charts one tap away', async () => {
  await onPhone();
  const device = new FakeDevice({ name: 'Greenhouse', sent: readings({ count: 1440 }) });
  await openPage(`#/device/${device.id}`, { devices: [device] });
  await expect.poll(() => page.getByRole('figure').elements().length).toBe(2);
  const bottom = () =>
    Math.max(...[...document.querySelectorAll('main *')].map((each) => each.getBoundingClientRect().bottom));
  expect(bottom()).toBeLessThan(2000);
  await page.getByRole('button', { name: /^Show \d+ more charts$/ }).click();
  await expect.poll(() => page.getByRole('figure').elements().length).toBeGreaterThanOrEqual(6);
});
