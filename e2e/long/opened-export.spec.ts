import { readFileSync } from 'node:fs';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Page } from '@playwright/test';
import { verify } from '../../src/shared/crypto/ed25519.ts';
import { ProofCheck } from '../../src/shared/proof/proof-file.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { parseCsv } from '../support/csv.ts';
import { registered, valuesAt } from '../support/devices.ts';
import { giveKeystore, phraseSecret } from '../support/keys.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { OPENING, sendHistory, unlock } from '../support/sealed-history.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from '../support/sealing.ts';

/** A device whose readings are exported in two pages. */
const ditch = new SealingDevice('Ditch', 'firmware');
const DITCH_COUNT = 2100;
const EXPORT_PAGE = 2000;

const node = ownerNode(async (started) => {
  const { seed, mac, name, ownerPubkey } = ditch.device;
  await registered(started, ['local'], { seed, mac, name, ownerPubkey });
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  await sendHistory(started, ditch, DITCH_COUNT, Date.now());
});

/** Runs the export dialog over all readings and returns the file's text. */
async function exported(page: Page, format: 'CSV' | 'NDJSON'): Promise<string> {
  await page.getByRole('button', { name: 'Export', disabled: false }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await dialog.getByRole('radio', { name: /All readings of a time range/ }).check();
  await dialog.getByRole('button', { name: 'Everything' }).click();
  await dialog.getByText(format, { exact: true }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Write opened values' })).toBeChecked();
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
  return text;
}

/** Exports the rows of the table as a proof; gives its text. */
async function provenRows(page: Page, isOpened: boolean): Promise<string> {
  await page.getByRole('button', { name: 'Export', disabled: false }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  await dialog.getByRole('radio', { name: /of the table/ }).check();
  await dialog.getByText('Proof', { exact: true }).click();
  const box = dialog.getByRole('checkbox', { name: 'Write opened values' });
  await expect(box).not.toBeChecked();
  if (isOpened) await box.check();
  const downloading = page.waitForEvent('download', { timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  return text;
}

test('an export has the opened values, and writes no file if the keys are locked meanwhile', async ({ page }) => {
  await test.step('an export has the opened values, and marks unopened ones', async () => {
    await openOwner(page, node(), `#/device/${ditch.id}`);
    await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible();
    await unlock(page);
    await test.step('writes opened values into CSV, marks them, and names the reason for unopened ones', async () => {
      const [header, ...rows] = parseCsv((await exported(page, 'CSV')).replace(/^\uFEFF/, ''));
      const opened = header!.indexOf('opened');
      expect(header!.slice(opened)).toEqual(['opened', 'vpd (kPa, derived)', 'dewPoint (°C, derived)']);
      const at = header!.indexOf('ph');
      expect(rows).toHaveLength(DITCH_COUNT);
      const expected = Array.from({ length: DITCH_COUNT - 1 }, (_, index) => {
        const values = valuesAt(index + 1);
        return [String(index + 1), ...FIELD_NAMES.map((field) => String(values[field])), FIELD_NAMES.join(' ')];
      });
      const read = rows.map((row) => [row[0], ...row.slice(at, at + FIELD_NAMES.length), row[opened]]);
      for (const row of rows) expect(Number(row.at(-2))).toBeGreaterThan(0);
      expect(read.slice(0, -1)).toEqual(expected);
      const last = valuesAt(DITCH_COUNT);
      expect(read.at(-1)).toEqual([
        String(DITCH_COUNT),
        'sealed v2: wrong key',
        'sealed v2: not 4 bytes',
        'sealed v2: not a finite number',
        'sealed v2: a copy',
        ...OPENING.map((field) => String(last[field])),
        OPENING.join(' '),
      ]);
    });
    await test.step('writes opened values into NDJSON, and leaves values sealed that do not open', async () => {
      const lines = (await exported(page, 'NDJSON'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines).toHaveLength(DITCH_COUNT);
      expect(lines[0]).toMatchObject({ seq: '1', keyVersion: 1, ...valuesAt(1), opened: [...FIELD_NAMES] });
      expect(lines[DITCH_COUNT - 2]).toMatchObject({ ...valuesAt(DITCH_COUNT - 1), opened: [...FIELD_NAMES] });
      expect(lines[DITCH_COUNT - 2]).not.toHaveProperty('notOpened');
      expect(lines[DITCH_COUNT - 1]).toMatchObject({
        humidity: valuesAt(DITCH_COUNT).humidity,
        ph: { cipher: expect.any(String), nonce: expect.any(String) },
        opened: OPENING,
        notOpened: { ph: 'wrong_key', ec: 'not_four_bytes', waterLevel: 'not_finite', tempWater: 'nonce_reused' },
      });
    });
  });
  await test.step('a proof has opened values only if the owner chooses it, each signed by the owner', async () => {
    for (const isOpened of [false, true]) {
      const text = await provenRows(page, isOpened);
      const check = new ProofCheck({ sha256, verify });
      check.take(Buffer.from(text));
      const proven = check.finish();
      expect(check.fault).toBeNull();
      const opened = { readings: proven!.readings, isRegistered: true };
      if (isOpened) expect(proven!.opened).toMatchObject(opened);
      else expect(proven!.opened).toBeNull();
      expect(proven!.sealed).toBe(proven!.readings);
    }
  });
  await test.step('writes no file if the keys are locked meanwhile', async () => {
    // The second page of the export waits for the lock.
    const going = Promise.withResolvers<void>();
    await page.route('**/readingsPage', async (route) => {
      const { limit, cursor } = route.request().postDataJSON() as { limit: number; cursor: string | null };
      if (limit === EXPORT_PAGE && cursor !== null) await going.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Export', disabled: false }).click();
    const dialog = page.getByRole('dialog', { name: 'Export readings' });
    await dialog.getByRole('radio', { name: /All readings of a time range/ }).check();
    await dialog.getByRole('button', { name: 'Everything' }).click();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByRole('status')).toHaveText('2,000 of 2,100 readings');
    await page.keyboard.press('Control+Shift+L');
    going.resolve();
    await expect(dialog.getByRole('alert')).toHaveText(/The keys were locked during the export/);
    await expect(dialog.getByRole('checkbox', { name: 'Write opened values' })).toHaveCount(0);
    // A file that was finished before is not there to be saved again.
    await page.unroute('**/readingsPage');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await unlock(page);
    await page.getByRole('button', { name: 'Export' }).click();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Save again' })).toBeVisible();
    await page.keyboard.press('Control+Shift+L');
    await expect(dialog.getByRole('button', { name: 'Save again' })).toHaveCount(0);
  });
});
