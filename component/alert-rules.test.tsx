import { expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { BUILT_IN_KINDS } from '../src/shared/alerts/built-in.ts';
import { dialog, GROUP, openRules, own } from './support/alert-rules.ts';

const row = (list: Locator, text: string | RegExp): Locator => list.getByRole('listitem').filter({ hasText: text });
const saveButton = (): Locator => dialog().getByRole('button', { name: 'Save' });

async function saved(): Promise<void> {
  await saveButton().click();
  await expect.element(dialog()).not.toBeInTheDocument();
}

test('rules are made, turned off, changed and deleted in the owner’s units, and saved in the device’s', async () => {
  const ranges = await openRules();
  const add = page.getByRole('button', { name: 'Add a rule' });
  await add.click();
  await dialog().getByLabelText('Value').selectOptions('Distance to water');
  await expect.element(dialog().getByLabelText('At least (mm)')).toBeVisible();
  await dialog().getByLabelText('For', { exact: true }).selectOptions('Rain barrel');
  // The tank is known: the form shows its level in per cent.
  await expect.element(dialog().getByLabelText('Value')).toContainText('Water level');
  await dialog()
    .getByLabelText(/^At least \(%/)
    .fill('20');
  await saved();
  const level = row(own(), 'Water level: at least 20 %');
  await expect.element(level).toContainText('Rain barrel');
  // The emptier the tank, the longer the distance.
  expect(ranges()).toMatchObject([{ field: 'waterLevel', low: null, high: 340, isOn: true }]);

  await level.getByRole('switch').click({ force: true });
  await expect.poll(() => ranges()[0]?.isOn).toBe(false);
  await level.getByRole('button', { name: /^Edit/ }).click();
  await expect.element(dialog().getByLabelText(/^At least/)).toHaveValue('20');
  await dialog().getByLabelText('Name').fill('Barrel nearly empty');
  await dialog()
    .getByLabelText(/^Tell me again every/)
    .fill('60');
  await saved();
  const named = row(own(), 'Barrel nearly empty');
  await expect.element(named).toContainText('again every 1 hr');
  await named.getByRole('button', { name: /^Edit/ }).click();
  await dialog().getByRole('button', { name: 'Delete the rule' }).click();
  await dialog().getByRole('button', { name: 'Really delete?' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(named).not.toBeInTheDocument();
  expect(ranges()).toEqual([]);

  await add.click();
  await dialog().getByLabelText('For', { exact: true }).selectOptions('Greenhouse');
  await dialog().getByLabelText('Value').selectOptions('Water temperature');
  await dialog().getByLabelText('At most (°F)').fill('77');
  await dialog().getByLabelText('At least (°F)').fill('80');
  await saveButton().click();
  await expect.element(dialog().getByText('The lower limit must be below the upper limit').first()).toBeVisible();
  await dialog().getByLabelText('At least (°F)').fill('68');
  await dialog().getByLabelText('Margin for going back (°F)').fill('1.8');
  await dialog().getByText('Critical', { exact: true }).click();
  await saved();
  const line = row(own(), 'Water temperature: 68 to 77 °F');
  await expect.element(line).toContainText('Greenhouse (');
  await expect.element(line.getByRole('img', { name: 'Critical' })).toBeVisible();
  expect(ranges()).toMatchObject([
    { scope: { kind: 'group', group: GROUP }, low: 20, high: 25, margin: 1, severity: 'critical', isOn: true },
  ]);
});

test('a built-in rule only changes its threshold; the form names sealed values', async () => {
  await openRules();
  const builtIn = page.getByRole('region', { name: 'Built in' });
  await expect.element(builtIn.getByRole('listitem')).toHaveLength(BUILT_IN_KINDS.length);
  const silent = row(builtIn, 'A device is silent');
  await expect.element(silent).toContainText('Automatic');
  await silent.getByRole('button', { name: /^Edit/ }).click();
  const edit = page.getByRole('dialog', { name: 'A device is silent' });
  await expect.element(edit.getByLabelText('After (minutes)')).toBeVisible();
  expect(edit.getByRole('button', { name: /Delete/ }).elements()).toHaveLength(0);
  await edit.getByLabelText('After (minutes)').fill('0');
  await saveButton().click();
  await expect.element(edit.getByText(/^A number from 1 to/)).toBeVisible();
  await edit.getByLabelText('After (minutes)').fill('90');
  await saved();
  await expect.element(silent).toContainText('after 90 minutes');

  await page.getByRole('button', { name: 'Add a rule' }).click();
  await expect.element(dialog().getByLabelText('Value')).toBeVisible();
  expect(dialog().getByText('arrives sealed').elements()).toHaveLength(0);
  await dialog().getByLabelText('Value').selectOptions('Humidity');
  await expect.element(dialog().getByText(/^Basil bed: this value arrives sealed/)).toBeVisible();
  await expect.element(dialog().getByRole('link', { name: 'Go to your keys' })).toBeVisible();
});
