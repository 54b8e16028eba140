import type { Page } from '@playwright/test';
import type { OwnerNode } from './owner-node.ts';
import { expect, openOwner } from './owner-test.ts';

/** Strong enough for the form; of no value anywhere. */
export const PASSPHRASE = 'orchard valve morning ledger';

/** The passphrase's work takes half a second on a quiet machine, and several on one that two tests share. */
const WORK_MS = 20_000;

/** Opens the keys' page of a node. */
export async function openKeys(page: Page, node: OwnerNode): Promise<void> {
  await openOwner(page, node, '#/keys');
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
}

/** Makes the node's first keystore. */
export async function makeKeystore(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('New passphrase', { exact: true }).fill(passphrase);
  await page.getByLabel('The same once more', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Make the keystore' }).click();
  await unlocked(page);
}

/** Types the passphrase into the form at hand. */
export async function unlock(page: Page, passphrase = PASSPHRASE): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}

/** Waits until the keys' page shows what is kept. */
export async function unlocked(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Phrases and seeds' })).toBeVisible({ timeout: WORK_MS });
}

/** Waits until the keys' page asks for the passphrase. */
export async function locked(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Unlock your keys' })).toBeVisible();
}

/** Opens the dialog that takes a phrase, and types one. */
export async function typePhrase(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Bring one' }).click();
  await page.getByRole('dialog').getByLabel('Your words').fill(text);
}

/** Keeps a phrase under a name. */
export async function bringPhrase(page: Page, text: string, name: string): Promise<void> {
  await typePhrase(page, text);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('article', { name })).toBeVisible();
}

/** What an alert says of the passphrase or the file. */
export const alertOf = (page: Page) => page.getByRole('alert').first();

/** Resolves once the long work on a passphrase is over and the alert says this. */
export async function saysAlert(page: Page, text: RegExp): Promise<void> {
  await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible({ timeout: WORK_MS });
}
