import type { Page, Route } from '@playwright/test';
import { registered } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

// The interface's texts are fetched; here they come late, or not at all.

const node = ownerNode(async (started) => {
  await registered(started, ['local'], { name: 'Tank' });
});

/** Takes hold of the texts of a language, or of all. Returns what lets them come. */
async function hold(page: Page, files: RegExp): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isOpen = false;
  await page.route(files, (route) => (isOpen ? route.continue() : void held.push(route)));
  return async () => {
    isOpen = true;
    await Promise.all(
      held.map(async (route) => {
        await route.continue();
        await (await route.request().response())?.finished();
      }),
    );
  };
}

async function choose(page: Page, name: string): Promise<void> {
  await page.locator('header').getByRole('button').last().click();
  await page.getByRole('menuitem', { name }).click();
}

const language = (page: Page) => page.locator('html');
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('the page reports texts that fail to load, and loads them on request', async ({ page, watch }) => {
  await test.step('the later one of two chosen languages applies, in any order of loading', async () => {
    await openOwner(page, node());
    await page.evaluate(() => {
      const shown: string[] = [];
      const root = document.documentElement;
      new MutationObserver(() => shown.push(root.lang)).observe(root, { attributeFilter: ['lang'] });
      Object.assign(window, { shown });
    });
    const release = await hold(page, /\.es-.*\.json$/);
    await choose(page, 'Español');
    await choose(page, 'Português (Brasil)');
    await expect(language(page)).toHaveAttribute('lang', 'pt-BR');
    await release();
    await choose(page, 'English');
    await expect(language(page)).toHaveAttribute('lang', 'en');
    expect(await page.evaluate(() => (window as unknown as { shown: string[] }).shown)).toEqual(['pt-BR', 'en']);
  });
  await test.step('a language that loads while another page opens is that of both', async () => {
    await page.reload();
    const release = await hold(page, /\.pt-BR-.*\.json$/);
    await choose(page, 'Português (Brasil)');
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(heading(page)).toHaveText('Settings');
    await release();
    await expect(language(page)).toHaveAttribute('lang', 'pt-BR');
    await expect(heading(page)).toHaveText('Configurações');
    await choose(page, 'English');
    await expect(language(page)).toHaveAttribute('lang', 'en');
    await page.goto(`${node().url('local')}/ui/#/`);
  });
  await test.step('the page reports a language that fails to load, and stays as it is', async () => {
    watch.tolerate(/ERR_|Failed to load resource/);
    await page.unrouteAll();
    await page.reload();
    await expect(language(page)).toHaveAttribute('lang', 'en');
    await page.route(/\.es-.*\.json$/, (route) => route.abort());
    await choose(page, 'Español');
    await expect(page.getByText('Language not loaded')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Tank' }).last()).toBeVisible();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Tank' }).last()).toBeVisible();
    await expect(language(page)).toHaveAttribute('lang', 'en');
    await page.unroute(/\.es-.*\.json$/);
    await choose(page, 'Español');
    await expect(language(page)).toHaveAttribute('lang', 'es');
  });
  await test.step('a page reports texts that fail to load, and loads them on request', async () => {
    watch.tolerate(/ERR_|Failed to load resource|disconnected/);
    await choose(page, 'English');
    await expect(language(page)).toHaveAttribute('lang', 'en');
    // Else the page would be reloaded by itself.
    await page.evaluate(() => sessionStorage.setItem('wellhouse.reloaded-at', String(Date.now())));
    await page.route(/settings\.en-.*\.json$/, (route) => route.abort());
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(heading(page)).toHaveText('Settings');
  });
  await test.step('without the texts of the chosen language the page is in English; without any it says so', async () => {
    watch.tolerate(/ERR_|Failed to load resource/);
    await page.addInitScript(() => localStorage.setItem('wellhouse.language', 'es'));
    await page.route(/\.es-.*\.json$/, (route) => route.abort());
    await openOwner(page, node());
    await expect(language(page)).toHaveAttribute('lang', 'en');
    await expect(page.getByRole('link', { name: 'Tank' }).last()).toBeVisible();
    await page.route(/\.json$/, (route) => route.abort());
    await page.reload();
    await expect(page.getByText('could not load its texts')).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect(language(page)).toHaveAttribute('lang', 'es');
    await expect(page.getByRole('link', { name: 'Tank' }).last()).toBeVisible();
  });
});
