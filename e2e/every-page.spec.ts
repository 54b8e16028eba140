import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { RANGE_RULE } from '../test/support/alerts.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { attempt, minutes, registered, send } from './support/devices.ts';
import { giveKeystore, PHRASE, phraseSecret, typePassphrase, unlocked } from './support/keys.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from './support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const WIDTHS = [390, 768, 1024, 1440];
/** Names and notes that have no place to break are what sticks out of a page first. */
const LONG = 'Propagation-bench-third-from-the-door-left';

/** Off: nothing is sent to it. */
const CHANNEL = { id: null, isOn: false, withoutValues: false } as const;

let id: string;
let other: string;
const node = ownerNode(async (started) => {
  const device = await registered(started, ['local', 'public'], { name: LONG, ownerPubkey: OWNER });
  await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: LONG, low: 9, high: null } });
  await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, field: 'humidity' } });
  await call(started.process, 'writeAlertChannel', {
    channel: { ...CHANNEL, name: LONG, target: { kind: 'webhook', url: `http://${LONG}.example.org/` } },
    secrets: {},
  });
  await send(started, 'local', minutes(device, { count: 300, sealed: ['humidity'] }));
  const clockless = await registered(started, ['local'], { name: 'Attic tank', ownerPubkey: OWNER }, { publishTo: 0 });
  await send(started, 'local', minutes(clockless, { count: 30, bootedAt: Date.now() - 3_600_000 }));
  const strange = await registered(started, ['public'], { name: 'Balcony' });
  await send(started, 'public', minutes(strange, { count: 5 }));
  await attempt(started, 'local', new SimulatedDevice().block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, LONG)] });
  [id, other] = [device.id, clockless.id];
  const groups = [{ id: crypto.randomUUID(), name: LONG, isCollapsed: false, devices: [id] }];
  await call(started.process, 'setOwnerChoices', { groups });
  const entry = { id: null, device: id, at: Date.now() - 600_000, text: `Changed nutrients. ${LONG.repeat(3)}` };
  await call(started.process, 'writeJournalEntry', entry);
});

/** Each page, and what is on it once it is whole. */
const PAGES: readonly { name: string; hash: () => string; isThere: (page: Page) => Promise<void> }[] = [
  {
    name: 'overview',
    hash: () => '#/',
    isThere: async (page) => {
      await expect(page.getByRole('row', { name: LONG })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Needs you now' })).toBeVisible();
    },
  },
  {
    name: 'device',
    hash: () => `#/device/${id}?range=24h&filter=ec&min=1`,
    isThere: async (page) => {
      await expect(page.locator('[aria-busy=false] .uplot canvas').nth(4)).toBeVisible();
      await expect(page.getByRole('grid', { name: 'Readings' }).getByRole('row').nth(3)).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
    },
  },
  {
    name: 'device without a clock',
    hash: () => `#/device/${other}?range=1y`,
    isThere: async (page) => {
      await expect(page.locator('[aria-busy=false] .uplot canvas').nth(4)).toBeVisible();
      await expect(page.getByText('The clock of this device is not set')).toBeVisible();
    },
  },
  {
    name: 'compare',
    hash: () => `#/compare?range=24h&lines=${id}:ec,${other}:ec,${id}:humidity`,
    isThere: async (page) => {
      await expect(page.locator('[data-line]').first()).toContainText('300 values');
      await expect(page.locator('figure canvas').first()).toBeVisible();
    },
  },
  {
    name: 'alerts',
    hash: () => '#/alerts',
    isThere: async (page) => {
      await expect(
        page
          .getByRole('tabpanel')
          .getByRole('link', { name: new RegExp(LONG) })
          .first(),
      ).toBeVisible();
      await expect(page.getByRole('region', { name: 'With your keys' })).toBeVisible();
    },
  },
  {
    name: 'rules',
    hash: () => '#/alerts?tab=rules',
    isThere: (page) => expect(page.getByRole('tabpanel').getByText(LONG).first()).toBeVisible(),
  },
  {
    name: 'channels',
    hash: () => '#/alerts?tab=channels',
    isThere: (page) => expect(page.getByRole('tabpanel').getByText(LONG).first()).toBeVisible(),
  },
  {
    name: 'keys',
    hash: () => '#/keys',
    isThere: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
      await expect(page.locator('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
    },
  },
  {
    name: 'settings',
    hash: () => '#/settings',
    isThere: (page) => expect(page.getByRole('heading', { name: 'Endpoints' })).toBeVisible(),
  },
  {
    name: 'node',
    hash: () => '#/node',
    isThere: (page) => expect(page.getByRole('region', { name: 'Storage' })).toBeVisible(),
  },
  {
    name: 'space',
    hash: () => '#/space',
    isThere: (page) => expect(page.getByRole('rowheader', { name: LONG }).first()).toBeVisible(),
  },
  {
    name: 'backups',
    hash: () => '#/backups',
    isThere: (page) => expect(page.getByRole('region', { name: 'Backups of this node' })).toBeVisible(),
  },
  {
    name: 'export',
    hash: () => '#/export',
    isThere: (page) => expect(page.getByText(/readings? of \d/)).toBeVisible(),
  },
  {
    name: 'connect',
    hash: () => '#/connect/network',
    isThere: (page) => expect(page.getByRole('heading', { name: 'From this network: the gate' })).toBeVisible(),
  },
  {
    name: 'connect from elsewhere',
    hash: () => '#/connect/elsewhere',
    isThere: (page) => expect(page.getByRole('heading', { name: 'Private: through a VPN' })).toBeVisible(),
  },
  {
    name: 'unknown',
    hash: () => '#/nowhere',
    isThere: (page) => expect(page.getByRole('link', { name: 'To the overview' })).toBeVisible(),
  },
];

/** Walks all pages at every width; a fault is told with its page. */
async function walk(page: Page, look: (page: Page) => Promise<readonly string[]>): Promise<void> {
  for (const { name, hash, isThere } of PAGES) {
    await page.goto(`${node().url('local')}/ui/${hash()}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await isThere(page);
      expect.soft(await look(page), `${name}, ${width} pixels`).toEqual([]);
    }
  }
}

/** What of landmarks and headings a reader of the screen goes by, with whatever stands over the page. */
async function landmarks(page: Page): Promise<string[]> {
  const rules = ['landmark-no-duplicate-banner', 'landmark-unique', 'page-has-heading-one'];
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withRules(rules).analyze();
  return violations.flatMap(({ id: rule, nodes }) => nodes.map(({ target }) => `${rule}: ${target.join(' ')}`));
}

test('every page has a heading of its own, and one header, also with a dialog open', async ({ page, watch }) => {
  test.setTimeout(180_000);
  watch.tolerate(/404/);
  await openOwner(page, node());
  const gone = {
    name: 'unknown device',
    hash: () => `#/device/${'ab'.repeat(32)}`,
    isThere: (of: Page) => expect(of.getByRole('heading', { name: 'This node knows no such device' })).toBeVisible(),
  };
  for (const { name, hash, isThere } of [...PAGES, gone]) {
    await page.goto(`${node().url('local')}/ui/${hash()}`);
    // The heading of the page before stays until this one is loaded.
    await isThere(page);
    await expect(page.locator('main').getByRole('heading', { level: 1 }), name).toBeAttached();
    expect.soft(await landmarks(page), name).toEqual([]);
  }
  await page.goto(`${node().url('local')}/ui/#/device/${id}`);
  await page.getByRole('button', { name: 'Units and tank' }).click();
  await expect(page.getByRole('dialog', { name: 'Units and tank' })).toBeVisible();
  expect.soft(await landmarks(page), 'a dialog').toEqual([]);
  await page.keyboard.press('Escape');
  const readings = page.getByRole('grid', { name: 'Readings' });
  await readings.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  expect.soft(await landmarks(page), 'a drawer').toEqual([]);
});

const softly = expect.configure({ soft: true });

const tooWide = async (page: Page): Promise<string[]> => {
  const px = await sidewaysScroll(page);
  return px === 0 ? [] : [`${px} pixels too wide`];
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no error on any page at any width, ${colorScheme}, and none scrolls sideways`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme });
    await openOwner(page, node());
    await walk(page, async (of) => [...(await tooWide(of)), ...(await complaints(of, colorScheme))]);
  });

  test(`nor with open keys, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.emulateMedia({ colorScheme });
    await openOwner(page, node(), '#/keys');
    await typePassphrase(page);
    await unlocked(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft([...(await tooWide(page)), ...(await complaints(page, colorScheme))], `${width} pixels`).toEqual([]);
    }
  });
}

for (const language of ['pt-BR', 'es']) {
  test(`no page scrolls sideways at any width, ${language}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.addInitScript((tag) => localStorage.setItem('wellhouse.language', tag), language);
    await page.goto(node().link);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const { name, hash } of PAGES) {
      await page.goto(`${node().url('local')}/ui/${hash()}`);
      await expect(page.locator('main').getByRole('heading').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        // The header of a small screen comes a moment after the screen is small.
        await softly.poll(() => tooWide(page), { message: `${name}, ${width} pixels` }).toEqual([]);
      }
    }
  });
}
