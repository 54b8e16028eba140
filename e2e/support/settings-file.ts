import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { OwnerNode } from './owner-node.ts';
import { test as base, expect, openOwner } from './owner-test.ts';

/** No variable sets what a settings file may hold. */
const UNPINNED = { PUBLIC_PORT: '', LOCAL_PORT: '', PUBLIC_RATE_LIMIT: '' };

interface WithFile {
  /** Starts a node whose settings file holds these settings, or this text. */
  startWith(file: object | string, env?: Readonly<Record<string, string>>): Promise<OwnerNode>;
}

/** Playwright's test with nodes that have a settings file. They end with the test. */
export const test = base.extend<{ files: WithFile }>({
  files: async ({ watch }, use) => {
    const started: OwnerNode[] = [];
    await use({
      startWith: async (settings, env = {}) => {
        const node = await OwnerNode.start({ settings, env: { ...UNPINNED, ...env } });
        started.push(node);
        return node;
      },
    });
    watch.end();
    for (const node of started) await node.dispose();
  },
});

/** Opens the settings of a node. */
export const openSettings = async (page: Page, node: OwnerNode): Promise<void> => {
  await openOwner(page, node, '#/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
};

/** Returns the settings that a node has kept in its file. */
export const kept = (node: OwnerNode): Record<string, unknown> =>
  JSON.parse(readFileSync(join(node.dataDir, 'settings.json'), 'utf8')) as Record<string, unknown>;

export const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true });
export const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
