import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect } from './owner-test.ts';

/** Runs the export dialog of a device's page: all readings, or those of the table. Returns the file. */
export async function exported(
  page: Page,
  format: 'CSV' | 'NDJSON',
  range: boolean,
): Promise<{ readonly name: string; readonly text: string }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export readings' });
  if (range) {
    await dialog.getByRole('radio', { name: /All readings of a time range/ }).check();
    await dialog.getByRole('button', { name: 'Everything' }).click();
  } else {
    await dialog.getByRole('radio', { name: /of the table/ }).check();
  }
  await dialog.getByText(format, { exact: true }).click();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  const download = await downloading;
  await expect(dialog.getByText(/readings are in wellhouse/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}
