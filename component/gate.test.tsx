import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openPage } from './support/open-page.tsx';

test('the gate’s address is chosen of this machine’s, or another is typed', async () => {
  await openPage('#/connect/network', {
    answers: (fake) => ({
      gate: () => ({
        ...fake.gate({}),
        addresses: [
          { address: '192.168.1.20', interface: 'eth0' },
          { address: '10.8.0.3', interface: 'wg0' },
        ],
      }),
    }),
  });
  const choice = page.getByRole('combobox', { name: 'Address of the gate' });
  await expect.element(choice).toBeVisible();
  const options = [...(choice.element() as HTMLSelectElement).options].map(({ label }) => label);
  expect(options).toEqual(['192.168.1.20 (eth0)', '10.8.0.3 (wg0)', 'Another address…']);
  await choice.selectOptions('Another address…');
  await page.getByRole('textbox', { name: 'Another address' }).fill('8.8.8.8');
  await expect.element(page.getByText('Not a private address such as 192.168.1.5')).toBeVisible();
});
