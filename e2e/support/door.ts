import type { Page } from '@playwright/test';
import type { OwnerNode } from './owner-node.ts';
import { expect, openOwner } from './owner-test.ts';

/** Offers a pairing at the owner's page. Returns the link of the QR code. */
export async function offer(page: Page, name: string, role: 'Owner' | 'Viewer'): Promise<string> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByText(role, { exact: true }).first().click();
  await page.getByRole('button', { name: 'Make a code' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible();
  return (await page.locator('code').filter({ hasText: '#/pair' }).textContent())!;
}

/** Opens the door at 127.0.0.1 on the owner's page. */
export async function openDoor(page: Page, node: OwnerNode): Promise<void> {
  await openOwner(page, node);
  await page.getByRole('link', { name: 'Phones and people' }).click();
  await page.getByRole('combobox', { name: 'Address of this machine' }).fill('127.0.0.1');
  await page.getByRole('button', { name: 'Open the door' }).click();
  await expect(page.getByText(/^Open at 127\.0\.0\.1, port \d+\.$/)).toBeVisible();
}
