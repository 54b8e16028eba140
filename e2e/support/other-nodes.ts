import type { Page } from '@playwright/test';
import { openPairing } from '../../test/support/door.ts';
import type { OwnerNode } from './owner-node.ts';
import { expect } from './owner-test.ts';

/** Returns a link that pairs an app with a node, as its owner. */
export async function linkOf(node: OwnerNode): Promise<string> {
  return (await openPairing(node.process, { name: 'Desk' })).links[0]!.link;
}

/** The row of a device in the list of the first page. */
export const row = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Your devices' }).getByRole('article', { name });
/** The list of other nodes on the first page. */
export const bar = (page: Page) => page.getByRole('list', { name: 'Other nodes' });

/** Pastes a pairing link on the page of nodes, checks it, and adds its node, or pairs with it again. */
export async function add(page: Page, link: string, button = 'Add this node'): Promise<void> {
  await page.getByLabel('Pairing link').fill(link);
  await page.getByRole('button', { name: 'Check the link' }).click();
  await expect(page.getByLabel('Name')).toBeVisible();
  await page.getByLabel('Name').fill('Shed');
  await page.getByRole('button', { name: button }).click();
}
