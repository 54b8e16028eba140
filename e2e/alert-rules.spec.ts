import type { Locator, Page } from '@playwright/test';
import { BUILT_IN_KINDS } from '../src/shared/alerts/built-in.ts';
import type { RangeRule } from '../src/shared/alerts/rule.ts';
import { NO_NOTES } from '../src/shared/owner-api/devices.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { call } from '../test/support/owner-client.ts';
import { complaints } from './support/axe.ts';
import { minutes, registered, send } from './support/devices.ts';
import { SCHEMES, WIDTHS } from './support/matrix.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, sidewaysScroll, test } from './support/owner-test.ts';

const OWNER = 'aa'.repeat(32);
const GROUP = '5d3f0f3e-0c68-4a0b-9a55-0a3a6f1b7e01';

let basil: SimulatedDevice;
let tank: SimulatedDevice;

const node = ownerNode(async (started) => {
  const owned = { ownerPubkey: OWNER };
  basil = await registered(started, ['local'], { name: 'Basil bed', ...owned }, { publishTo: 0 });
  tank = await registered(started, ['local'], { name: 'Rain barrel', ...owned }, { publishTo: 0 });
  await send(started, 'local', minutes(basil, { count: 30, sealed: ['humidity'] }));
  await send(started, 'local', minutes(tank, { count: 30 }));
  await call(started.process, 'setNotes', {
    id: tank.id,
    notes: { ...NO_NOTES, units: { waterLevel: { tank: { empty: 400, full: 100 } } } },
  });
  await call(started.process, 'setOwnerChoices', {
    units: { temperature: 'fahrenheit' },
    groups: [{ id: GROUP, name: 'Greenhouse', isCollapsed: false, devices: [basil.id] }],
  });
});

async function ranges(): Promise<RangeRule[]> {
  const { rules } = await call(node().process, 'alertRules', {});
  return rules.map(({ rule }) => rule).filter((rule) => rule.kind === 'range');
}

const own = (page: Page) => page.getByRole('region', { name: 'Your rules' });
const row = (list: Locator, text: string | RegExp) => list.getByRole('listitem').filter({ hasText: text });

async function openRules(page: Page): Promise<void> {
  await openOwner(page, node(), '#/alerts?tab=rules');
  await expect(own(page)).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

test('a rule is written in the units as the owner sees them, and kept in the device’s', async ({ page }) => {
  await openRules(page);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For', { exact: true }).selectOption('Greenhouse');
  await dialog.getByLabel('Value').selectOption('Water temperature');
  await dialog.getByLabel('At most (°F)').fill('77');
  await dialog.getByLabel('At least (°F)').fill('80');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('The lower limit must be below the upper limit').first()).toBeVisible();
  await dialog.getByLabel('At least (°F)').fill('68');
  await dialog.getByLabel('Margin for going back (°F)').fill('1.8');
  await dialog.getByText('Critical', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const line = row(own(page), 'Water temperature: 68 to 77 °F');
  await expect(line).toContainText('Greenhouse (');
  await expect(line.getByRole('img', { name: 'Critical' })).toBeVisible();
  expect(await ranges()).toMatchObject([
    { scope: { kind: 'group', group: GROUP }, low: 20, high: 25, margin: 1, severity: 'critical', isOn: true },
  ]);
});

test('a level is in per cent for a device whose tank is known, with the ends the right way round', async ({ page }) => {
  await openRules(page);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Value').selectOption('Distance to water');
  await expect(dialog.getByLabel('At least (mm)')).toBeVisible();
  await dialog.getByLabel('For', { exact: true }).selectOption('Rain barrel');
  await expect(dialog.getByLabel('Value')).toContainText('Water level');
  await dialog.getByLabel(/^At least \(%/).fill('20');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(own(page), /Water level: at least 20 %/)).toContainText('Rain barrel');
  expect(await ranges()).toContainEqual(expect.objectContaining({ field: 'waterLevel', low: null, high: 340 }));
});

test('a rule is turned off, changed and deleted', async ({ page }) => {
  await openRules(page);
  const line = row(own(page), 'Water level');
  await line.getByRole('switch').click({ force: true });
  await expect.poll(async () => (await ranges()).find(({ field }) => field === 'waterLevel')?.isOn).toBe(false);
  await line.getByRole('button', { name: /^Edit/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel(/^At least/)).toHaveValue('20');
  await dialog.getByLabel('Name').fill('Barrel nearly empty');
  await dialog.getByLabel('Tell me again every').fill('60');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row(own(page), 'Barrel nearly empty')).toContainText('again every 1 hr');
  await row(own(page), 'Barrel nearly empty').getByRole('button', { name: /^Edit/ }).click();
  await dialog.getByRole('button', { name: 'Delete the rule' }).click();
  await dialog.getByRole('button', { name: 'Really delete?' }).click();
  await expect(dialog).toBeHidden();
  await expect(row(own(page), 'Barrel nearly empty')).toHaveCount(0);
  expect(await ranges()).toHaveLength(1);
});

test('a built-in rule has its threshold and is never deleted', async ({ page }) => {
  await openRules(page);
  const builtIn = page.getByRole('region', { name: 'Built in' });
  await expect(builtIn.getByRole('listitem')).toHaveCount(BUILT_IN_KINDS.length);
  const silent = row(builtIn, 'A device is silent');
  await expect(silent).toContainText('Automatic');
  await silent.getByRole('button', { name: /^Edit/ }).click();
  const dialog = page.getByRole('dialog', { name: 'A device is silent' });
  await expect(dialog.getByRole('button', { name: 'Delete' })).toHaveCount(0);
  await dialog.getByLabel('After (minutes)').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^A number from 1 to/)).toBeVisible();
  await dialog.getByLabel('After (minutes)').fill('90');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(silent).toContainText('after 90 minutes');
});

test('a rule on a sealed value says where the node can’t read it', async ({ page }) => {
  await openRules(page);
  await page.getByRole('button', { name: 'Add a rule' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('arrives sealed')).toHaveCount(0);
  await dialog.getByLabel('Value').selectOption('Humidity');
  await expect(dialog.getByText(/^Basil bed: this value arrives sealed/)).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Go to your keys' })).toBeVisible();
});

for (const colorScheme of SCHEMES) {
  test(`each tab and dialog fits and reads, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme });
    await openRules(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      for (const tab of ['Now', 'History', 'Rules', 'Channels', 'Options']) {
        await page.getByRole('tab', { name: tab }).click();
        await expect(page.getByRole('tabpanel')).toBeVisible();
        await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toHaveCount(0);
        expect(await complaints(page, colorScheme), `${tab} ${width}`).toEqual([]);
        expect(await sidewaysScroll(page), `${tab} ${width}`).toBeLessThanOrEqual(0);
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/${tab}-${width}-${colorScheme}.png` });
      }
      await page.getByRole('tab', { name: 'Rules' }).click();
      await page.getByRole('button', { name: 'Add a rule' }).click();
      await expect(page.getByRole('dialog').getByLabel('Value')).toBeVisible();
      expect(await complaints(page, colorScheme), `dialog ${width}`).toEqual([]);
      expect(await sidewaysScroll(page), `dialog ${width}`).toBeLessThanOrEqual(0);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/dialog-${width}-${colorScheme}.png` });
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    }
  });
}
