import { expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { deriveOwner } from '../src/shared/crypto/phrase/owner-key.ts';
import { openKeys, PASSPHRASE, PHRASE, phraseSecret } from './support/kept-keys.ts';
import { press, textsOf } from './support/page-parts.ts';

/** Spelled as the word lists spell them, and with a right checksum. */
const PHRASES = {
  English: PHRASE,
  Português: 'imitador vinheta sogro xerife veleiro pomar volumoso tratador imitador vinheta sogro xingar',
  Español: 'ligero vista talar yogur venta queso yacer trozo ligero vista talar zafiro',
  日本語: 'そつう れきだい ほんやく わかす りくつ ばいか ろせん やちん そつう れきだい ほんやく わかめ',
  简体中文: '枪 疫 霉 尝 俩 闹 饿 贤 枪 疫 霉 卿',
} as const;

const dialog = page.getByRole('dialog', { name: 'Enter a phrase or seed' });
const keep = dialog.getByRole('button', { name: 'Keep it' });
const publicKeys = (phrase: string): string[] =>
  deriveOwner('test', { kind: 'phrase', phrase: phrase.normalize('NFKD') }).keys.map((key) => key.publicKey);
const keysOf = (card: Locator) => textsOf(card.css('code'));

const KEPT = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';
const open = () => openKeys([phraseSecret(KEPT, 'Kept')]);

/** Opens the dialog that takes a phrase, and types one. */
async function typePhrase(text: string): Promise<void> {
  await page.getByRole('button', { name: 'Enter an existing one' }).click();
  await dialog.getByLabelText('Your words').fill(text);
}

/** Names what the open dialog took, and keeps it. Answers the card that shows it. */
async function keepAs(name: string): Promise<Locator> {
  await dialog.getByLabelText('Name').fill(name);
  await keep.click();
  await expect.element(dialog).not.toBeInTheDocument();
  const card = page.getByRole('article', { name, exact: true });
  await expect.element(card).toBeVisible();
  return card;
}

/** The typed phrase of each language, with one wrong word, and the intended word. */
const TYPED: readonly { name: keyof typeof PHRASES; typed: string; wrong: number; meant: string | null }[] = [
  {
    name: 'English',
    typed: '1. LEGAL 2. winer 3. thank, year, wave\n sausage  worth useful legal winner thank yellow',
    wrong: 2,
    meant: 'winner',
  },
  {
    name: 'Português',
    typed: 'Imitador vinhêta sogro xerife veleiro pomar volumoso tratdor imitador VINHÊTA sogro xingar',
    wrong: 8,
    meant: 'tratador',
  },
  {
    name: 'Español',
    typed: 'ligero vista talar yogur venta qeso yacer trozo LIGERO vista talar zafiro',
    wrong: 6,
    meant: 'queso',
  },
  {
    name: '日本語',
    typed: 'ソツウ　れきだい　ほんやく　わかす　りくつ　はいか　ろせん　やちん　そつう　れきだい　ほんやく　わかむ',
    wrong: 12,
    meant: 'わかめ',
  },
  // A single character has none that are near.
  { name: '简体中文', typed: '枪疫霉尝俩闹饿贤枪疫霉龘', wrong: 12, meant: null },
];

test('reads a phrase of each language in any spelling, names a wrong word and checksum, and reads a seed in hex', async () => {
  await open();
  for (const { name, typed, wrong, meant } of TYPED) {
    await typePhrase(typed);
    await expect
      .element(dialog.getByText(new RegExp(`^Word ${wrong}, “.+”, is not in the ${name} list\\.$`)))
      .toBeVisible();
    await expect.element(keep).toBeDisabled();
    if (meant === null) await dialog.getByLabelText('Your words').fill(PHRASES[name].replaceAll(' ', ''));
    else await dialog.getByRole('button', { name: meant, exact: true }).click();
    await expect.element(dialog.getByText(`12 words, ${name}. The checksum is right.`)).toBeVisible();
    const card = await keepAs(`In ${name}`);
    await expect.element(card).toContainText(`12 words, ${name}`);
    expect(keysOf(card)).toEqual(publicKeys(PHRASES[name]));
  }

  // A wrong checksum is no refusal.
  const swapped = PHRASE.replace('legal winner', 'winner legal');
  await typePhrase(swapped.split(' ').slice(0, 11).join(' '));
  await expect.element(dialog.getByText('11 words: a phrase has 12, 15, 18, 21 or 24.')).toBeVisible();
  await expect.element(keep).toBeDisabled();
  await dialog.getByLabelText('Your words').fill(swapped);
  await expect.element(dialog.getByText(/^The checksum is wrong/)).toBeVisible();
  const inDoubt = await keepAs('Swapped');
  expect(keysOf(inDoubt)).toEqual(publicKeys(swapped));
  // The same phrase a second time is not kept twice.
  await typePhrase(swapped);
  await keep.click();
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The keystore already has this one.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.element(dialog).not.toBeInTheDocument();

  await page.getByRole('button', { name: 'Enter an existing one' }).click();
  await dialog.getByText('Seed in hex').click();
  const field = dialog.getByLabelText('Seed', { exact: true });
  await field.fill('not hex');
  await expect.element(dialog.getByText('Only the digits 0 to 9 and a to f')).toBeVisible();
  await field.fill('ab'.repeat(31));
  await expect.element(keep).toBeDisabled();
  await field.fill(`0x${'AB'.repeat(32)}`);
  const seed = await keepAs('A seed');
  const { keys } = deriveOwner('test', { kind: 'seed', seedHex: 'ab'.repeat(32) });
  expect(keysOf(seed)).toEqual(keys.map((key) => key.publicKey));
});

test('a kept phrase is shown after the passphrase, renamed, removed with it, and restored, also after a lock', async () => {
  await open();
  await page.getByRole('article', { name: 'Kept' }).getByRole('button', { name: 'Show again' }).click();
  const shown = page.getByRole('dialog');
  await shown.getByLabelText('Passphrase', { exact: true }).fill('something else');
  await shown.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.element(shown.getByRole('alert')).toContainText('Wrong passphrase');
  await shown.getByLabelText('Passphrase', { exact: true }).fill(PASSPHRASE);
  await shown.getByRole('button', { name: 'Show', exact: true }).click();
  await expect
    .poll(() =>
      textsOf(shown.getByRole('listitem'))
        .map((text) => text.replace(/^\d+/, ''))
        .join(' '),
    )
    .toBe(KEPT);
  await press('{Escape}');
  await expect.element(shown).not.toBeInTheDocument();

  const card = page.getByRole('article', { name: 'Kept' });
  await card.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('article', { name: 'Renamed' });
  const remove = async (passphrase: string) => {
    const sure = page.getByRole('dialog', { name: 'Remove it' });
    if (sure.query() === null) await renamed.getByRole('button', { name: 'Remove' }).click();
    await sure.getByLabelText('Passphrase', { exact: true }).fill(passphrase);
    await sure.getByRole('button', { name: 'Remove', exact: true }).click();
  };
  await remove('not the passphrase');
  await expect.element(page.getByRole('dialog').getByRole('alert')).toContainText('Wrong passphrase');
  await remove(PASSPHRASE);
  await expect.element(page.getByText('“Renamed” was removed.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(renamed).toBeVisible();
  await remove(PASSPHRASE);
  await expect.element(renamed).not.toBeInTheDocument();
  await page.getByRole('banner').getByRole('button', { name: /^Lock/ }).click();
  await page.getByLabelText('Passphrase', { exact: true }).fill(PASSPHRASE);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
  await page.getByRole('button', { name: 'Put back Renamed' }).click();
  await expect.element(renamed).toBeVisible();
});
