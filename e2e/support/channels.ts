import type { Locator, Page } from '@playwright/test';
import type { OwnerNode } from './owner-node.ts';
import { expect, openOwner } from './owner-test.ts';

/** Opens the channels of a node's alerts. */
export async function openChannels(page: Page, node: OwnerNode): Promise<void> {
  await openOwner(page, node, '#/alerts?tab=channels');
  await expect(page.getByRole('heading', { name: 'Channels' })).toBeVisible();
}

/** The line of the channel whose name or address has a text. */
export function channelLine(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Channels' }).getByRole('listitem').filter({ hasText: text });
}
