import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { base64ToBytes } from '../src/shared/crypto/base64.ts';
import { openKeystore, osWrapOf, withOsWrap } from '../src/shared/crypto/keystore/keystore.ts';
import { complaints } from './support/complaints.ts';
import { fakeDesktop, PUBLIC_SECRET } from './support/fake-desktop.ts';
import {
  keystoreOf,
  openKeys,
  openWithKeystore,
  PASSPHRASE,
  PHRASE,
  phraseSecret,
  typePassphrase,
} from './support/kept-keys.ts';
import type { OpenedPage } from './support/open-page.tsx';

// Keys in the desktop app: the system's key storage as a second way in, and what locks them. What the storage itself does
// is proven in test/desktop/key-storage.test.ts.

beforeEach(() => fakeDesktop.reset());

const remember = page.getByRole('switch', { name: /^Remember on this computer/ });
const withComputer = page.getByRole('button', { name: 'Unlock with this computer' });
const noStorage = page.getByText('this system has no safe key storage', { exact: false });
const unlocked = () => expect.element(page.getByRole('heading', { name: 'Phrases and seeds' })).toBeVisible();
const locked = () => expect.element(page.getByRole('heading', { name: 'Unlock your keys' })).toBeVisible();
const noLongerOpens = () =>
  expect.element(page.getByText('This computer can no longer open the keystore. Use the passphrase.')).toBeVisible();

async function lock(): Promise<void> {
  await userEvent.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  await locked();
}

/** The keystore that the node has. */
async function kept({ node }: OpenedPage): Promise<string> {
  return (await node.api.call('readKeystore', {})).blob!;
}

/** The secret by which the node's keystore is sealed for this computer; null: by none. */
async function sealedBy(opened: OpenedPage): Promise<number | null> {
  return osWrapOf(base64ToBytes(await kept(opened)))?.[0] ?? null;
}

test('this computer opens the keystore until it forgets it, after changes of passphrase and keyring; the app locks it', async () => {
  const opened = await openKeys([phraseSecret(PHRASE, 'Kept')]);
  await unlocked();
  await expect.element(remember).not.toBeChecked();
  await remember.click();
  await expect.element(remember).toBeChecked();
  await lock();
  await withComputer.click();
  await unlocked();
  await expect.element(page.getByRole('article', { name: 'Kept' })).toBeVisible();
  await remember.click();
  await expect.element(remember).not.toBeChecked();
  await lock();
  expect(withComputer.elements()).toEqual([]);
  await typePassphrase();
  await unlocked();
  await expect.element(remember).not.toBeChecked();

  // A new passphrase has another data key, which this computer opens too.
  await remember.click();
  await expect.element(remember).toBeChecked();
  const before = await kept(opened);
  const next = 'another set of words';
  await page.getByRole('button', { name: 'Change the passphrase' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabelText('Current passphrase').fill(PASSPHRASE);
  await dialog.getByLabelText('New passphrase', { exact: true }).fill(next);
  await dialog.getByLabelText('Repeat it', { exact: true }).fill(next);
  await dialog.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const [old, now] = [before, await kept(opened)].map((blob) => osWrapOf(base64ToBytes(blob)));
  expect(now).not.toEqual(old);
  await expect.element(remember).toBeChecked();
  await lock();
  await withComputer.click();
  await unlocked();

  // Sealed again for a changed and a rotated keyring, and kept while the keyring is missing.
  expect(await sealedBy(opened)).toBe(1);
  // A changed keyring can't open it: the passphrase can.
  fakeDesktop.keyring.secret = 2;
  await lock();
  await withComputer.click();
  await noLongerOpens();
  await typePassphrase(next);
  await unlocked();
  await expect.poll(() => sealedBy(opened)).toBe(2);
  await lock();
  await withComputer.click();
  await unlocked();

  // A rotated keyring still opens it.
  const beforeRotation = await kept(opened);
  fakeDesktop.keyring.isRotated = true;
  await lock();
  await withComputer.click();
  await unlocked();
  await expect.poll(() => kept(opened)).not.toBe(beforeRotation);
  fakeDesktop.keyring.isRotated = false;

  // A missing keyring may return.
  const beforeLoss = await kept(opened);
  fakeDesktop.keyring.isThere = false;
  await lock();
  await withComputer.click();
  await noLongerOpens();
  await typePassphrase(next);
  await unlocked();
  await expect.element(remember).toBeEnabled();
  await expect.element(noStorage).toBeVisible();
  expect(await kept(opened)).toBe(beforeLoss);
  fakeDesktop.keyring.isThere = true;
  await lock();
  await withComputer.click();
  await unlocked();

  // The app locks the keys, for the reason that it says, and opened secrets leave the page.
  for (const [reason, said] of [
    ['suspend', 'this computer slept or its screen was locked'],
    ['command', 'You locked the keys.'],
  ] as const) {
    await expect.element(page.getByRole('article', { name: 'Kept' })).toBeVisible();
    fakeDesktop.tell('lockKeys', { reason });
    await locked();
    await expect.element(page.getByText(said, { exact: false })).toBeVisible();
    expect(page.getByRole('article', { name: 'Kept' }).elements()).toEqual([]);
    await withComputer.click();
    await unlocked();
  }
});

test.each([
  [true, 'sealed again', 1],
  [false, 'forgotten, and the page says why', null],
] as const)('a key that anyone can open is not used; with a keyring (%s) it is %s', async (isThere, _what, secret) => {
  const outcome = await openKeystore(await keystoreOf([]), PASSPHRASE);
  if (!outcome.ok) throw new Error(outcome.reason);
  const sealed = Uint8Array.of(PUBLIC_SECRET, ...outcome.keystore.dataKey);
  fakeDesktop.keyring.isThere = isThere;
  const opened = await openWithKeystore(withOsWrap(outcome.keystore, sealed).bytes, '#/keys');
  await locked();
  await withComputer.click();
  await noLongerOpens();
  await typePassphrase();
  await unlocked();
  await expect.poll(() => sealedBy(opened)).toBe(secret);
  if (isThere) return expect.element(remember).toBeChecked();
  await expect.element(noStorage).toBeVisible();
  await expect.element(remember).toBeDisabled();
  await expect.element(remember).not.toBeChecked();
  expect(await complaints()).toEqual([]);
});
