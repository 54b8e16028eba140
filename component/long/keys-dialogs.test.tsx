import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { complaints, inBothSchemes } from '../support/complaints.ts';
import { keystoreOf, openWithKeystore, PHRASE, phraseSecret, typePassphrase } from '../support/kept-keys.ts';
import { showIn, sidewaysScroll } from '../support/page-parts.ts';

const dialog = page.getByRole('dialog');
const choose = (name: string | RegExp) => page.getByRole('button', { name }).click();

/** Each dialog of the page, by the way to open it. */
const DIALOGS: Readonly<Record<string, () => Promise<void>>> = {
  'no dialog': async () => {},
  create: () => choose('New phrase'),
  bring: async () => {
    await choose('Enter an existing one');
    await dialog.getByLabelText('Your words').fill(PHRASE.replace('wave', 'wvae'));
    await expect.element(page.getByRole('button', { name: 'wave', exact: true })).toBeVisible();
  },
  drill: () => choose('Restore drill'),
  reveal: () => choose('Show again'),
  passphrase: () => choose('Change the passphrase'),
  restore: () => choose('Restore from a file'),
};

test('axe finds nothing serious in any dialog of the keys, and their page cuts nothing in other languages', async () => {
  const keystore = await keystoreOf([phraseSecret(PHRASE, 'Kept')]);
  await openWithKeystore(keystore, '#/keys', undefined, { width: 1440, language: 'en' });
  await typePassphrase();
  await expect.element(page.getByRole('heading', { name: 'Phrases and seeds' })).toBeVisible();
  for (const [name, open] of Object.entries(DIALOGS)) {
    await open();
    if (name !== 'no dialog') await expect.element(dialog).toBeVisible();
    await inBothSchemes(async (scheme) => expect(await complaints(scheme), `${name} ${scheme}`).toEqual([]));
    if (name === 'no dialog') continue;
    await dialog
      .getByRole('button', { name: /^(Close|Cancel)$/ })
      .first()
      .click();
    await expect.element(dialog).not.toBeInTheDocument();
  }
  await page.viewport(900, 900);
  for (const [language, heading] of [
    ['pt-BR', 'Frases e sementes'],
    ['es', 'Frases y semillas'],
  ] as const) {
    await showIn(language);
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
    await expect.poll(sidewaysScroll).toBeLessThanOrEqual(0);
    for (const control of page.getByRole('banner').first().css('a, button, input').elements())
      expect(control.getBoundingClientRect().right, language).toBeLessThanOrEqual(900);
    expect(
      document.body.innerText.match(/\b(?:secrets?|keystore|lock|unmatched|derivation|shell)\.[a-zA-Z.]+|\{\{.*?\}\}/g),
    ).toEqual(
      // The name of the file.
      ['keystore.wellhouse'],
    );
  }
});
