import type { Page } from '@playwright/test';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { complaints } from './support/axe.ts';
import { attempt, minutes, registered, send } from './support/devices.ts';
import { SCHEMES } from './support/matrix.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test } from './support/owner-test.ts';

let device: SimulatedDevice;
const node = ownerNode(async (started) => {
  const owned = { ownerPubkey: 'aa'.repeat(32) };
  device = await registered(
    started,
    ['local', 'public'],
    { name: 'Greenhouse', ...owned },
    { location: 0x87a813b22ffffffn, privacyPolicy: { ph: { default_disposition: 0 } } },
  );
  await send(started, 'local', minutes(device, { count: 1500, sealed: ['ec'] }));
  const clockless = await registered(started, ['local'], { name: 'Herb bench', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(clockless, { count: 5, bootedAt: Date.now() - 600_000 }));
  await registered(started, ['local'], { name: 'New one', ...owned }, { publishTo: 0 });
  const other = await registered(started, ['public'], { name: 'A neighbour’s tank with quite a long name of its own' });
  await send(started, 'public', minutes(other, { count: 3 }));
  await attempt(started, 'local', minutes(new SimulatedDevice(), { count: 1 })[0]!);
});
const fresh = ownerNode();
const closed = ownerNode(async () => {}, { settings: { publicEnabled: false } });

/** What layout.spec.ts does not come to, by what opens it. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'overview, nothing found': async (page) => {
    await openOwner(page, node());
    await page.getByLabel('Search devices').fill('nothing like that');
    await expect(page.getByRole('heading', { name: 'No device matches' })).toBeVisible();
  },
  'first run': async (page) => {
    await openOwner(page, fresh());
    await expect(page.getByRole('button', { name: /^Just show me/ })).toBeVisible();
  },
  'the public endpoint is asked about': async (page) => {
    await openOwner(page, closed(), '#/settings');
    await page.getByRole('switch', { name: 'Public endpoint' }).click();
    await expect(page.getByRole('button', { name: 'Turn it on' })).toBeVisible();
  },
  diagnostics: async (page) => {
    await openOwner(page, node(), '#/settings');
    await page.getByRole('button', { name: 'Show…' }).click();
    await expect(page.getByRole('button', { name: 'Save as a zip' })).toBeVisible();
  },
  'the link is missing': async (page) => {
    await page.goto(`${node().url('local')}/ui/`);
    await expect(page.getByRole('heading', { name: 'Open the link of your node' })).toBeVisible();
  },
};

/** What a device's page shows on demand, one after the other. */
const OF_DEVICE: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  map: async (page) => {
    await page.getByRole('region', { name: 'Location', exact: true }).scrollIntoViewIfNeeded();
    await expect(page.getByRole('img', { name: /^Map with the cell/ })).toBeVisible();
  },
  'a chart as a table': async (page) => {
    await page.getByRole('button', { name: 'Humidity as a table' }).click();
    await expect(page.getByRole('table', { name: 'Humidity as a table' })).toBeVisible();
  },
  'raw JSON': async (page) => {
    await page.getByRole('button', { name: 'Show reading 1500 as JSON' }).click();
    await expect(page.getByRole('dialog', { name: 'Reading 1500' })).toBeVisible();
  },
  notes: async (page) => {
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await expect(page.getByRole('dialog', { name: 'Notes on this device' })).toBeVisible();
  },
  units: async (page) => {
    await page.getByRole('button', { name: 'Units and tank' }).click();
    await expect(page.getByRole('dialog', { name: 'Units and tank' })).toBeVisible();
  },
  export: async (page) => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('radio', { name: /time range/ }).check();
    await expect(page.getByRole('button', { name: 'Everything' })).toBeVisible();
  },
  forget: async (page) => {
    await page.getByRole('button', { name: 'Forget in the private store' }).click();
    await page.getByRole('dialog').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('button', { name: 'Forget for good' })).toBeVisible();
  },
};

test.describe('axe finds nothing serious, light or dark:', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  async function look(page: Page, name: string): Promise<void> {
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      expect.soft(await complaints(page, scheme), `${name}, ${scheme}`).toEqual([]);
    }
  }

  for (const [name, open] of Object.entries(STATES)) {
    test(name, async ({ page }) => {
      await open(page);
      await look(page, name);
    });
  }

  test('a device’s page', async ({ page }) => {
    test.setTimeout(180_000);
    await openDevice(page, node(), device.id);
    for (const [name, show] of Object.entries(OF_DEVICE)) {
      await show(page);
      await look(page, name);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });
});

test('is light or dark by choice, and remembers it', async ({ page }) => {
  await openOwner(page, node());
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect.poll(ground).not.toBe(light);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.getByRole('button', { name: 'Light or dark' }).click();
  await page.getByRole('menuitem', { name: 'As the system' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});
