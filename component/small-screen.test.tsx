import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const onPhone = async () => {
  await page.viewport(390, 844);
  onTestFinished(() => page.viewport(1440, 900));
};

test('the first value is on the first screen of a phone', async () => {
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

test('the tabs of alerts are on one line of a phone', async () => {
  await onPhone();
  await openPage('#/alerts');
  await expect.element(page.getByRole('tab', { name: 'Options' })).toBeInTheDocument();
  const tabs = page.getByRole('tab').elements();
  expect(new Set(tabs.map((tab) => Math.round(tab.getBoundingClientRect().top))).size).toBe(1);
  expect(tabs.at(-1)!.getBoundingClientRect().right).toBeLessThanOrEqual(390);
});
