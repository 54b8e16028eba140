import { beforeEach, expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { OTHER_PHRASE, openKeys, PHRASE, phraseSecret } from './support/kept-keys.ts';

const UNKNOWN_PHRASE = `${'abandon '.repeat(11)}about`;

let dialog: Locator;
beforeEach(async () => {
  await openKeys([phraseSecret(PHRASE, 'Greenhouse'), phraseSecret(OTHER_PHRASE, 'Orchard')]);
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('button', { name: 'Restore drill' }).click();
  dialog = page.getByRole('dialog', { name: 'Restore drill' });
});

/** Types a phrase into the drill and has it checked. */
async function drill(phrase: string): Promise<void> {
  await dialog.getByLabelText('Your words').fill(phrase);
  await dialog.getByRole('button', { name: 'Check' }).click();
}

test('the drill names the kept phrase that was typed instead of the requested one', async () => {
  await drill(OTHER_PHRASE);
  await expect.element(dialog.getByText('This is another of your phrases')).toBeVisible();
  await expect.element(dialog.getByText(/You entered “Orchard” .*asks for “Greenhouse”/)).toBeVisible();
});

test('the drill names no phrase if none matches, and accepts the right one afterwards', async () => {
  await drill(UNKNOWN_PHRASE);
  await expect.element(dialog.getByText('This is not the stored phrase')).toBeVisible();
  await drill(PHRASE.toUpperCase());
  await expect.element(dialog.getByText('Your paper is right')).toBeVisible();
});
