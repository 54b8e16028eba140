import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { parseCsv } from '../support/csv.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, test } from '../support/owner-test.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** São Paulo, three hours behind UTC all year. */
const ZONE_MS = 3 * HOUR_MS;
const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;

let bed: SimulatedDevice;
let tank: SimulatedDevice;
const node = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' }, { publishTo: 0 });
  tank = await registered(started, ['local'], { name: 'Rain tank' }, { publishTo: 0 });
  for (const device of [bed, tank]) await send(started, 'local', minutes(device, { count: 300, endAt: now }));
});

const notes = (page: Page) => page.getByRole('region', { name: 'Notes', exact: true });
const local = (ms: number) => new Date(ms - ZONE_MS).toISOString().slice(0, 19);

async function add(page: Page, text: string, at: number, of?: string): Promise<void> {
  await notes(page).getByRole('button', { name: 'Add a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a note' });
  await dialog.getByLabel('What happened').fill(text);
  await dialog.getByLabel('When, local time').fill(local(at));
  if (of !== undefined) await dialog.getByLabel('Of', { exact: true }).selectOption(of);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

// What one page shows of its notes: component/notes.test.tsx.

test('another page shows a new note by itself, and notes are exported as CSV without formulas', async ({
  page,
  context,
}) => {
  await test.step('a note for all devices is on every page, and another page shows it by itself', async () => {
    await openDevice(page, node(), tank.id);
    const other = await context.newPage();
    await openDevice(other, node(), bed.id);
    await add(page, 'Power cut', now - HOUR_MS, 'All devices');
    await expect(notes(page)).toContainText('All devices');
    await expect(notes(other)).toContainText('Power cut');
    await add(other, 'Changed nutrients', now - 2 * HOUR_MS);
    await expect(notes(page)).not.toContainText('Changed nutrients');
    await other.close();
  });
  await test.step('is exported as CSV without formulas', async () => {
    const at = now - HOUR_MS;
    await add(page, '=1+1, "quoted"\nand more', at - MINUTE_MS);
    await expect(notes(page).getByRole('listitem')).toHaveCount(2);
    await notes(page).getByRole('button', { name: 'Save as a file' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'As a CSV file' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^wellhouse_rain-tank_.*_notes\.csv$/);
    const [header, ...rows] = parseCsv(readFileSync(await download.path(), 'utf8').replace(/^\uFEFF/, ''));
    expect(header!.slice(0, 5)).toEqual(['time', 'time_local (America/Sao_Paulo)', 'device', 'device_id', 'note']);
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      [
        new Date(at - MINUTE_MS).toISOString(),
        local(at - MINUTE_MS).replace('T', ' '),
        'Rain tank',
        tank.id,
        '\'=1+1, "quoted"\nand more',
      ],
      [new Date(at).toISOString(), local(at).replace('T', ' '), 'all devices', '', 'Power cut'],
    ]);
  });
});
