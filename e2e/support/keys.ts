import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Locator, Page } from '@playwright/test';
import { createKeystore } from '../../src/shared/crypto/keystore/keystore.ts';
import {
  emptyContents,
  type KeystoreContents,
  newSecretId,
  type StoredSecret,
} from '../../src/shared/crypto/keystore/keystore-contents.ts';
import type { OwnerNode } from './owner-node.ts';
import { expect, openOwner } from './owner-test.ts';

/** Strong enough for the form; protects nothing. */
export const PASSPHRASE = 'orchard valve morning ledger';

/** Publicly known phrases with a right checksum. */
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
export const OTHER_PHRASE = 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above';

/** The lowest allowed cost of a keystore, so that tests that do not depend on the cost are quick. */
const LEAST_COST = { n: 2 ** 15, r: 8, p: 1 };

/** Returns a phrase as a keystore has it. */
export function phraseSecret(phrase: string, label: string): StoredSecret {
  return { id: newSecretId(), label, createdAt: Date.now(), kind: 'phrase', phrase, language: 'english' };
}

/** Returns the bytes of a keystore. */
export async function keystoreBytes(
  contents: Partial<KeystoreContents> = {},
  passphrase = PASSPHRASE,
): Promise<Uint8Array> {
  return (await createKeystore(passphrase, { ...emptyContents(), ...contents }, { cost: LEAST_COST })).bytes;
}

/** Returns a keystore with one changed bit. */
export function damagedKeystore(bytes: Uint8Array): Uint8Array {
  return bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1);
}

/** Returns a keystore as a later Wellhouse would write it: with another format version and its checksum. */
export function newerKeystore(bytes: Uint8Array): Uint8Array {
  const newer = bytes.slice();
  newer[10] = 2;
  newer.set(sha256(newer.subarray(0, -32)), newer.length - 32);
  return newer;
}

/** Returns the path of a node's keystore. */
export function keystorePath(node: OwnerNode, suffix = ''): string {
  return join(node.dataDir, `keystore.wellhouse${suffix}`);
}

/** Gives a node an existing keystore. */
export async function giveKeystore(node: OwnerNode, contents: Partial<KeystoreContents> = {}): Promise<Uint8Array> {
  const bytes = await keystoreBytes(contents);
  writeFileSync(keystorePath(node), bytes);
  return bytes;
}

/**
 * Gives a node another keystore or none, removes the earlier ones, and opens the keys' page. The next step of a journey
 * then starts like on a new node.
 */
export async function beginAgain(
  page: Page,
  node: OwnerNode,
  contents: Partial<KeystoreContents> | null = null,
): Promise<void> {
  await page.goto('about:blank');
  for (const name of readdirSync(node.dataDir)) if (name.startsWith('keystore.')) rmSync(join(node.dataDir, name));
  if (contents !== null) await giveKeystore(node, contents);
  await openKeys(page, node);
}

/** Opens the keys' page of a node. */
export async function openKeys(page: Page, node: OwnerNode): Promise<void> {
  await openOwner(page, node, '#/keys');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
}

/** Creates the node's first keystore. */
export async function makeKeystore(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await page.getByLabel('Repeat it', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Make the keystore' }).click();
  await unlocked(page);
}

/** Types the passphrase into the visible form. */
export async function typePassphrase(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Opens the keys' page and unlocks it. */
export async function openUnlocked(page: Page, node: OwnerNode): Promise<void> {
  await openKeys(page, node);
  await typePassphrase(page);
  await unlocked(page);
}

/** Waits until the keys' page shows its phrases and seeds. */
export async function unlocked(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Phrases and seeds' })).toBeVisible();
}

/** Waits until the keys' page asks for the passphrase. */
export async function locked(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unlock your keys' })).toBeVisible();
}

/** Waits until an alert has this text; a derivation from a passphrase may come first. */
export async function alerts(page: Page, text: RegExp): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
}

/** Removes a phrase or seed with the button on its card. */
export async function removeSecret(page: Page, card: Locator, passphrase = PASSPHRASE): Promise<void> {
  await card.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove it' });
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
}

/** Opens the dialog for entering a phrase, and types one. Returns the dialog. */
export async function typePhrase(page: Page, text: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Enter an existing one' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enter a phrase or seed' });
  await dialog.getByLabel('Your words').fill(text);
  return dialog;
}

/** Names the phrase in the open dialog and saves it. Returns the card that shows it. */
export async function keepAs(page: Page, name: string): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toBeHidden();
  const card = page.getByRole('article', { name, exact: true });
  await expect(card).toBeVisible();
  return card;
}
