import type { Locator, Page } from '@playwright/test';
import { FIELD_NAMES, type FieldName } from '../src/shared/protocol/fields.ts';
import { queryStore } from '../test/support/store-file.ts';
import { complaints } from './support/axe.ts';
import { chart } from './support/charts.ts';
import { MINUTE_MS, registered, send, valuesAt } from './support/devices.ts';
import { giveKeystore, phraseSecret } from './support/keys.ts';
import { SCHEMES } from './support/matrix.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openOwner, test } from './support/owner-test.ts';
import { FAILURES, sendHistory, summary, truth, unlock } from './support/sealed-history.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from './support/sealing.ts';

/** More than a day of a reading a minute. */
const COUNT = 1600;

const well = new SealingDevice('Well', 'firmware');
const stray = new SealingDevice('Stray', null);
/** It counts its time from its boot, so its readings are placed by when they arrive. */
const clockless = new SealingDevice('Clockless', 'standard');
const CLOCKLESS_COUNT = 40;
let endAt = 0;

const node = ownerNode(async (started) => {
  endAt = Date.now();
  for (const { device } of [well, stray, clockless]) {
    await registered(started, ['local'], {
      seed: device.seed,
      mac: device.mac,
      name: device.name,
      ownerPubkey: device.ownerPubkey,
    });
  }
  await giveKeystore(started, {
    secrets: [phraseSecret(PHRASE, PHRASE_NAME)],
    fieldKeys: [
      { deviceId: stray.id, keyVersion: 1, keyHex: stray.keyHex(1), source: 'imported', addedAt: Date.now() },
    ],
  });
  await sendHistory(started, well, COUNT, endAt);
  const ofStray = (seq: number) =>
    stray.block({
      seq,
      timestamp: endAt - (4 - seq) * MINUTE_MS,
      keyVersion: seq < 3 ? 1 : 2,
      values: { ph: 5 + seq },
    });
  await send(started, 'local', [1, 2, 3].map(ofStray));
  const ofClockless = Array.from({ length: CLOCKLESS_COUNT }, (_, index) => {
    const seq = index + 1;
    return clockless.block({ seq, timestamp: seq * MINUTE_MS, keyVersion: 1, values: { ph: valuesAt(seq).ph } });
  });
  await send(started, 'local', ofClockless);
});

/** Goes to the page of another device. */
const goTo = (page: Page, name: RegExp) => page.getByRole('navigation').getByRole('link', { name }).click();

const grid = (page: Page) => page.getByRole('grid', { name: 'Readings' });
const cell = (page: Page, row: number, column: FieldName | 'seq') =>
  grid(page).getByRole('row').nth(row).locator(`[data-column="${column}"]`);
const marks = (within: Page | Locator) => within.getByRole('img', { name: /^Opened with key version/ });
const figure = (page: Page, field: RegExp) =>
  page.locator('figure', { has: page.getByRole('heading', { name: field }) });

test('opened values appear on every page, as far as keys exist, until the lock', async ({ page }) => {
  await openOwner(page, node());
  await test.step('opens the tiles and sparklines of the overview', async () => {
    await expect(page.getByRole('article', { name: /Well/ })).toContainText(
      'Locked: pH, EC, Distance, Water temp., Air temp., Humidity',
    );
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByText('Table', { exact: true }).click();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /Well/ });
    const line = (column: number) => row.getByRole('cell').nth(column).locator('svg path[d*="L"]');
    await expect(row.getByLabel('Sealed with key version 2')).toHaveCount(FIELD_NAMES.length);
    await unlock(page);
    await expect(row.getByText(String(valuesAt(COUNT).humidity))).toBeVisible();
    await expect(marks(row)).toHaveCount(2);
    for (const [, short] of FAILURES) await expect(row.getByText(short)).toBeVisible();
    // A line of a day for every field, from values that the node can't read. A level line has no height: Playwright calls it hidden.
    for (const place of FIELD_NAMES.keys()) await expect(line(1 + place)).toBeAttached();
  });
  await test.step('opened values are on a device’s page, until the keys are locked', async () => {
    await page.getByRole('row', { name: /Well/ }).getByRole('link').first().click();
    await test.step('opens the table’s values with both key versions, and explains failures', async () => {
      await expect(cell(page, 1, 'humidity')).toHaveText(String(valuesAt(COUNT).humidity));
      await expect(cell(page, 1, 'humidity').getByLabel('Opened with key version 2')).toBeVisible();
      for (const [field, short, why] of FAILURES) {
        await expect(cell(page, 1, field)).toHaveText(short);
        await expect(cell(page, 1, field).getByLabel(why)).toBeVisible();
      }
      await expect(cell(page, 2, 'tempWater')).toHaveText(String(valuesAt(COUNT - 1).tempWater));
      await cell(page, 1, 'seq').focus();
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Home');
      const oldest = grid(page).getByRole('row').last();
      await expect(oldest.getByRole('gridcell').first()).toHaveText(String(COUNT - 499));
      await expect(oldest.getByLabel('Opened with key version 1').first()).toBeVisible();
      await page.keyboard.press('Control+Home');
    });
    await test.step('shows the stored JSON, and why a value does not open', async () => {
      await expect(cell(page, 1, 'ph')).toHaveText('wrong key');
      await page.getByRole('button', { name: `Show reading ${COUNT} as JSON` }).click();
      const drawer = page.getByRole('dialog', { name: `Reading ${COUNT}` });
      for (const [, , why] of FAILURES) await expect(drawer.getByText(new RegExp(why.source.slice(1)))).toBeVisible();
      const json = JSON.parse((await drawer.locator('code, pre').first().textContent())!);
      const [row] = queryStore(
        node().dataDir,
        'local',
        `SELECT * FROM readings WHERE humidity IS NOT NULL ORDER BY timestamp DESC, seq DESC LIMIT 1`,
      );
      const blob = row!.humidity as Buffer;
      expect(json.fields.humidity).toEqual({ nonce: blob.toString('hex', 0, 12), cipher: blob.toString('hex', 12) });
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step('draws opened values, marks them, and counts failures', async () => {
      await expect.poll(async () => (await summary(chart(page, 'Humidity'))).count).toBeGreaterThan(1400);
      const { count, min, max } = await summary(chart(page, 'Humidity'));
      const values = truth('humidity', COUNT - count + 1, COUNT);
      expect([min, max]).toEqual([Math.min(...values), Math.max(...values)]);
      await expect(figure(page, /^Humidity/).getByLabel(/values here came sealed and were opened/)).toBeVisible();
      await expect(figure(page, /^EC/).getByText('1 value does not open: not 4 bytes long')).toBeVisible();
      await expect(page.getByText(/values? (is|are) not drawn/)).toHaveCount(0);
    });
    await test.step('axe finds no error, in light and dark', async () => {
      await expect(page.getByRole('region', { name: 'Keys' }).getByRole('table')).toBeVisible();
      await expect(marks(page).first()).toBeVisible();
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        expect(await complaints(page)).toEqual([]);
      }
      await page.getByRole('button', { name: 'New key version' }).scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'Import keys' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      expect(await complaints(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
    });
    await test.step('locking removes every opened value from the page at once', async () => {
      await expect(chart(page, 'Humidity')).toBeVisible();
      await chart(page, 'Humidity').focus();
      await page.keyboard.press('ArrowLeft');
      await expect(figure(page, /^Humidity/).locator('figcaption')).toContainText(/\d\d.*%.*·/);
      await page.getByRole('button', { name: 'Humidity as a table' }).click();
      await expect(marks(page).first()).toBeVisible();
      await page.keyboard.press('Control+Shift+L');
      await expect(cell(page, 1, 'humidity').getByRole('img', { name: 'Sealed with key version 2' })).toBeVisible();
      await expect(marks(page)).toHaveCount(0);
      await expect(page.locator('.uplot')).toHaveCount(0);
      await expect(page.getByText(/^All \d[\d,]* values here are sealed$/)).toHaveCount(FIELD_NAMES.length);
      // No number of a sealed field is left in any text or attribute.
      const html = await page.locator('#root').evaluate((root) => root.outerHTML);
      for (const seq of [COUNT, COUNT - 1, COUNT - 2]) {
        expect(html).not.toContain(`>${valuesAt(seq).humidity}<`);
        expect(html).not.toContain(`${valuesAt(seq).tempAmbient} °C`);
      }
      await expect(figure(page, /^Humidity/).locator('figcaption')).not.toContainText('·');
      await page.getByRole('link', { name: 'Wellhouse' }).click();
      await expect(page.getByRole('row', { name: /Well/ }).getByLabel('Sealed with key version 2')).toHaveCount(
        FIELD_NAMES.length,
      );
      await expect(marks(page)).toHaveCount(0);
    });
  });
  await test.step('a device’s values open as far as keys exist, also without a clock, also live', async () => {
    await page.getByRole('row', { name: /Stray/ }).getByRole('link').first().click();
    await expect(cell(page, 1, 'ph').getByRole('img', { name: 'Sealed with key version 2' })).toBeVisible();
    await unlock(page);
    await test.step('says that a version has no key, and opens the other version', async () => {
      await expect(cell(page, 1, 'ph')).toHaveText('key missing');
      await expect(cell(page, 1, 'ph').getByLabel('No key for version 2')).toBeVisible();
      await expect(cell(page, 2, 'ph')).toHaveText('7.00');
      await expect(cell(page, 3, 'ph')).toHaveText('6.00');
      await expect(figure(page, /^pH/).getByText('1 value does not open: no key')).toBeVisible();
    });
    await test.step('opens a live reading as it arrives', async () => {
      await expect(cell(page, 2, 'ph')).toHaveText('7.00');
      const block = stray.block({ seq: 9, timestamp: Date.now(), keyVersion: 1, values: { ph: 6.5 } });
      await send(node(), 'local', [block]);
      await expect(cell(page, 1, 'ph')).toHaveText('6.50');
    });
    await test.step('opens values of a device without a clock, ordered by arrival', async () => {
      await goTo(page, /Clockless/);
      await expect(cell(page, 1, 'ph')).toHaveText(String(valuesAt(CLOCKLESS_COUNT).ph));
      await expect.poll(async () => (await summary(chart(page, 'pH'))).count).toBe(CLOCKLESS_COUNT);
      await expect(page.getByText('The clock of this device is not set').first()).toBeVisible();
    });
  });
});
