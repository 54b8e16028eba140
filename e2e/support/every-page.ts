import { expect, type Page } from '@playwright/test';
import { dayOf } from '../../src/shared/owner-data/days.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { call } from '../../test/support/owner-client.ts';
import { complaints } from './axe.ts';
import { showAllCharts } from './charts.ts';
import { attempt, minutes, registered, send } from './devices.ts';
import { giveKeystore, PHRASE, phraseSecret } from './keys.ts';
import { type OwnerNode, ownerNode } from './owner-node.ts';
import { sidewaysScroll } from './owner-test.ts';

const OWNER = 'aa'.repeat(32);
/** Names and notes without a possible line break: they are the first to be too wide for a page. */
const LONG = 'Propagation-bench-third-from-the-door-left';

/** More readings than their table shows at once, so that it scrolls; no more, as axe looks at each cell. */
const ROWS = 16;

/** The channel is off: nothing is sent to it. */
const CHANNEL = { id: null, isOn: false, withoutValues: false } as const;

let id: string;
let other: string;
let cycles: string[] = [];

/** Returns the device with everything that a page can show. */
export const fullDevice = (): string => id;

/** Starts a node with something on each page, and long names wherever one is possible. */
export const everyPageNode = () =>
  ownerNode(async (started) => {
    const device = await registered(started, ['local', 'public'], { name: LONG, ownerPubkey: OWNER });
    await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: LONG, low: 9, high: null } });
    await call(started.process, 'writeAlertRule', { rule: { ...RANGE_RULE, field: 'humidity' } });
    await call(started.process, 'writeAlertChannel', {
      channel: { ...CHANNEL, name: LONG, target: { kind: 'webhook', url: `http://${LONG}.example.org/` } },
      secrets: {},
    });
    await send(started, 'local', minutes(device, { count: ROWS, sealed: ['humidity'] }));
    const clockless = await registered(
      started,
      ['local'],
      { name: 'Attic tank', ownerPubkey: OWNER },
      { publishTo: 0 },
    );
    await send(started, 'local', minutes(clockless, { count: 5, bootedAt: Date.now() - 3_600_000 }));
    const strange = await registered(started, ['public'], { name: 'Balcony' });
    await send(started, 'public', minutes(strange, { count: 5 }));
    await attempt(started, 'local', new SimulatedDevice().block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
    await giveKeystore(started, { secrets: [phraseSecret(PHRASE, LONG)] });
    [id, other] = [device.id, clockless.id];
    const groups = [{ id: crypto.randomUUID(), name: LONG, isCollapsed: false, devices: [id] }];
    await call(started.process, 'setOwnerChoices', { groups });
    const entry = { id: null, device: id, at: Date.now() - 600_000, text: `Changed nutrients. ${LONG.repeat(3)}` };
    await call(started.process, 'writeJournalEntry', entry);
    const day = (back: number) => dayOf(Date.now() - back * 86_400_000, 'UTC');
    const ranges = [{ field: 'ec', low: 1, high: 9000 } as const];
    const cycle = {
      ...{ id: null, crop: 'Tomato', variety: LONG, place: { kind: 'device', device: device.id } as const },
      ...{ zone: 'UTC', plantedAt: day(3), plants: 10, areaM2: 2, endedAt: null },
      stages: [
        { name: 'Seedling', from: day(3), ranges },
        { name: LONG, from: day(1), ranges },
      ],
    };
    const written = await Promise.all([1, 2].map(() => call(started.process, 'writeCycle', cycle)));
    cycles = written.map((each) => each.id);
    const act = { kind: 'harvested', amount: { value: 3, unit: 'kg' }, cycle: cycles[0]! } as const;
    await call(started.process, 'writeJournalEntry', { ...entry, text: '', act });
  });

/** Each page, and the content that shows that it is complete. Its node is `everyPageNode`. */
export const PAGES: readonly { name: string; hash: () => string; isThere: (page: Page) => Promise<void> }[] = [
  {
    name: 'overview',
    hash: () => '#/',
    isThere: async (page) => {
      await expect(page.getByRole('article', { name: LONG })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Needs you now' })).toBeVisible();
    },
  },
  {
    name: 'device',
    hash: () => `#/device/${id}?range=24h&filter=ec&min=1&tab=about`,
    isThere: async (page) => {
      await expect(page.getByRole('heading', { name: 'Privacy policy' })).toBeVisible();
      await showAllCharts(page);
    },
  },
  {
    name: 'device without a clock',
    hash: () => `#/device/${other}?range=1y`,
    isThere: async (page) => {
      await expect(page.getByText('The clock of this device is not set')).toBeVisible();
      await showAllCharts(page);
    },
  },
  {
    name: 'compare',
    hash: () => `#/compare?range=24h&lines=${id}:ec,${other}:ec,${id}:humidity`,
    isThere: async (page) => {
      await expect(page.locator('[data-line]').first()).toContainText(`${ROWS} values`);
      await expect(page.locator('figure canvas').first()).toBeVisible();
    },
  },
  {
    name: 'crops',
    hash: () => '#/crops',
    isThere: async (page) => {
      await expect(page.getByRole('region', { name: 'Tasks' })).toBeVisible();
    },
  },
  {
    name: 'crop cycle',
    hash: () => `#/crops/${cycles[0]}`,
    isThere: async (page) => {
      await expect(page.getByRole('table', { name: 'Stages, and time in range' })).toContainText('%');
      await expect(page.locator('figure canvas').first()).toBeVisible();
    },
  },
  {
    name: 'two crop cycles',
    hash: () => `#/crops/${cycles[0]}/beside/${cycles[1]}`,
    isThere: async (page) => {
      await expect(page.getByRole('region', { name: 'Result' })).toContainText('yielded more');
      await expect(page.locator('figure canvas').first()).toBeVisible();
    },
  },
  {
    name: 'report of a crop cycle',
    hash: () => `#/report/cycle/${cycles[0]}`,
    isThere: (page) => expect(page.locator('figure svg[role]').first()).toBeVisible(),
  },
  {
    name: 'report of a device',
    hash: () => `#/report/device/${id}?range=24h`,
    isThere: (page) => expect(page.locator('figure svg[role]').first()).toBeVisible(),
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
  ...(['History', 'Options'] as const).map((tab) => ({
    name: tab,
    hash: () => `#/alerts?tab=${tab.toLowerCase()}`,
    isThere: async (page: Page) => {
      await expect(page.getByRole('tab', { name: tab, selected: true })).toBeVisible();
      await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toHaveCount(0);
    },
  })),
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
    isThere: async (page) => {
      await expect(page.getByRole('rowheader', { name: LONG }).first()).toBeVisible();
      await expect(page.locator('main').getByRole('combobox').first()).toBeVisible();
    },
  },
  {
    name: 'backups',
    hash: () => '#/backups',
    isThere: (page) => expect(page.getByRole('region', { name: 'Backups of this node' })).toBeVisible(),
  },
  {
    name: 'security',
    hash: () => '#/security',
    isThere: async (page) => {
      await expect(page.getByRole('list', { name: 'What listens' }).getByRole('listitem').nth(2)).toBeVisible();
      await expect(page.getByRole('heading', { level: 1, name: 'Security' })).toBeVisible();
    },
  },
  {
    name: 'audit',
    hash: () => '#/audit',
    isThere: (page) =>
      expect(page.getByRole('list', { name: 'Entries, newest first' }).getByText(LONG).first()).toBeVisible(),
  },
  {
    name: 'export',
    hash: () => '#/export',
    isThere: (page) => expect(page.getByText(/readings? of \d/)).toBeVisible(),
  },
  {
    name: 'connections',
    hash: () => '#/connections',
    isThere: (page) => expect(page.getByRole('region', { name: 'Metrics for Prometheus' })).toBeVisible(),
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
    name: 'unknown device',
    hash: () => `#/device/${'ab'.repeat(32)}`,
    isThere: (page) => expect(page.getByRole('heading', { name: 'This node knows no such device' })).toBeVisible(),
  },
  {
    name: 'unknown',
    hash: () => '#/nowhere',
    isThere: (page) => expect(page.getByRole('link', { name: 'To the overview' })).toBeVisible(),
  },
];

/**
 * Returns descriptions of the elements that are too wide for a page's window. The page gets time to settle after a new
 * width.
 */
export async function tooWide(page: Page): Promise<string[]> {
  let px = 0;
  await expect
    .poll(async () => {
      px = await sidewaysScroll(page);
      return px;
    })
    .toBe(0)
    .catch(() => {});
  return px === 0 ? [] : [`${px} pixels too wide`];
}

/**
 * Visits all pages at these widths in light and in dark, without a reload. Every page must have its own heading and one
 * header. A fault is reported with its page.
 */
export async function walk(
  page: Page,
  node: OwnerNode,
  { light = [], dark = [] }: { readonly light?: readonly number[]; readonly dark?: readonly number[] },
): Promise<void> {
  const views = [
    ...light.map((width) => ({ width, scheme: 'light' as const })),
    ...dark.map((width) => ({ width, scheme: 'dark' as const })),
  ];
  for (const { name, hash, isThere } of PAGES) {
    await page.goto(`${node.url('local')}/ui/${hash()}`);
    // A page begins in the view where the one before it ended: each change of the view draws the page again.
    views.reverse();
    for (const { width, scheme } of views) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      // The heading of the previous page stays until this one is loaded.
      await isThere(page);
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      await expect(page.locator('main').getByRole('heading', { level: 1 }), name).toBeAttached();
      const found = [...(await tooWide(page)), ...(await complaints(page, scheme))];
      expect.soft(found, `${name}, ${width} pixels, ${scheme}`).toEqual([]);
    }
  }
}
