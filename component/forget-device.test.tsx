import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { FakeDevice } from '../scripts/fake-node/devices.ts';
import { FakeError } from '../scripts/fake-node/fake.ts';
import { openPage } from './support/open-page.tsx';
import { readings } from './support/page-parts.ts';

test('the page requests nothing about a device that was just forgotten', async () => {
  const refused: string[] = [];
  await openPage('#/', {
    devices: ['Greenhouse', 'Nursery'].map(
      (name) => new FakeDevice({ name, sent: readings({ count: 5, fields: ['ph'] }) }),
    ),
    answers: (fake) => {
      const watch = <M extends 'device' | 'latestReadings' | 'readingsPage' | 'history'>(method: M) => ({
        [method]: (input: Parameters<(typeof fake)[M]>[0]) => {
          try {
            return fake[method](input as never);
          } catch (error) {
            if (error instanceof FakeError) refused.push(method);
            throw error;
          }
        },
      });
      return Object.assign({}, watch('device'), watch('latestReadings'), watch('readingsPage'), watch('history'));
    },
  });
  const card = (name: string) => page.getByRole('article', { name });
  await card('Greenhouse').getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Device and network' }).click();
  await page.getByRole('button', { name: 'Forget in the private store' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /Yes, delete/ }).click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  const digits = /Type (\w+),/.exec(dialog.element().textContent ?? '')![1]!;
  await dialog.getByRole('textbox').fill(digits);
  await dialog.getByRole('button', { name: 'Forget for good' }).click();
  await expect.element(card('Nursery')).toBeVisible();
  await expect.element(card('Greenhouse')).not.toBeInTheDocument();
  expect(refused).toEqual([]);
});
