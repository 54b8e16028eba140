import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { dialog, openRules } from '../support/alert-rules.ts';
import { complaints, inBothSchemes } from '../support/complaints.ts';
import { sidewaysScroll } from '../support/page-parts.ts';

// The tabs without the form: e2e/layout.spec.ts.
test('the form of a rule fits every width, and axe finds no error, light and dark', async () => {
  await openRules();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await dialog().getByLabelText('Value').selectOptions('Humidity');
  await expect.element(dialog().getByText(/^Basil bed: this value arrives sealed/)).toBeVisible();
  for (const width of [390, 768, 1024, 1440]) {
    await page.viewport(width, 900);
    await expect.poll(sidewaysScroll, { message: `${width}` }).toBeLessThanOrEqual(0);
    if (width === 390) expect(await complaints(), `${width}`).toEqual([]);
  }
  await inBothSchemes(async (scheme) => expect(await complaints(scheme), scheme).toEqual([]));
});
