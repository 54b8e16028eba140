import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { OTHER_PHRASE, openKeys, PHRASE, phraseSecret } from './support/kept-keys.ts';

const UNKNOWN_PHRASE = `${'abandon '.repeat(11)}about`;

test('the drill names another kept phrase that was typed, says if none matches, and accepts the right one', async () => {
  await openKeys([phraseSecret(PHRASE, 'Greenhouse'), phraseSecret(OTHER_PHRASE, 'Orchard')]);
  await page.getByRole('article', { name: 'Greenhouse' }).getByRole('button', { name: 'Restore drill' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore drill' });
  const drill = async (phrase: string) => {
    await dialog.getByLabelText('Your words').fill(phrase);
    await dialog.getByRole('button', { name: 'Check' }).click();
  };
  await drill(OTHER_PHRASE);
  await expect.element(dialog.getByText('This is another of your phrases')).toBeVisible();
  await expect.element(dialog.getByText(/You entered “Orchard” .*asks for “Greenhouse”/)).toBeVisible();
  await drill(UNKNOWN_PHRASE);
  await expect.element(dialog.getByText('This is not the stored phrase')).toBeVisible();
  await drill(PHRASE.toUpperCase());
  await expect.element(dialog.getByText('Your paper is right')).toBeVisible();
});
