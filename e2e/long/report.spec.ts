import { addDays, dayOf } from '../../src/shared/owner-data/days.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const now = Date.now();
const planted = addDays(dayOf(now, 'UTC'), -30);

let bed: SimulatedDevice;
let cycle: string;
const node = ownerNode(async (started) => {
  bed = await registered(started, ['local'], { name: 'Tomato bed' }, { publishTo: 0 });
  await send(started, 'local', minutes(bed, { count: 300, endAt: now }));
  const place = { kind: 'device', device: bed.id } as const;
  const stages = [{ name: 'Seedling', from: planted, ranges: [{ field: 'ph', low: 5.5, high: 6.5 } as const] }];
  ({ id: cycle } = await call(started.process, 'writeCycle', {
    ...{ id: null, crop: 'Tomato', variety: 'Sakura', place, zone: 'UTC', plantedAt: planted },
    ...{ plants: 10, areaM2: 2, endedAt: null, stages },
  }));
  for (let count = 0; count < 60; count += 1) {
    const act = { kind: 'toppedUp', amount: { value: 5, unit: 'l' } } as const;
    const at = now - 60_000 * (count + 1);
    await call(started.process, 'writeJournalEntry', { id: null, device: bed.id, at, text: '', act });
  }
});

test('a report prints without controls, in light colours, without cut parts, and has the range of its charts', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openOwner(page, node(), `#/crops/${cycle}`);
  await page.getByRole('link', { name: 'Report' }).click();
  const sheet = page.getByRole('article');
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText('Tomato Sakura');
  await expect(sheet.locator('figure svg[role]').first()).toBeVisible();
  await expect(sheet.getByRole('row', { name: /Topped up/ })).toHaveCount(60);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  for (const part of [sheet.locator('figure').first(), sheet.getByRole('row', { name: /Topped up/ }).first()]) {
    await expect(part).toHaveCSS('break-inside', 'avoid');
  }
  for (const format of ['A4', 'Letter']) {
    const file = (await page.pdf({ format })).toString('latin1');
    // What scrolls inside of the window would be one page only.
    const pages = file.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(pages, format).toBeGreaterThan(1);
    expect(pages, format).toBeLessThan(6);
  }
  await test.step('a report of a place has the range of its charts', async () => {
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await openOwner(page, node(), `#/device/${bed.id}?range=1h`);
    await page.getByRole('link', { name: 'Report' }).click();
    await expect(sheet.getByRole('heading', { level: 1 })).toHaveText('Tomato bed');
    await expect(sheet.getByRole('row', { name: /^pH/ })).toContainText('%');
    await expect(sheet.getByRole('row', { name: /Topped up/ }).first()).toBeVisible();
    await expect(sheet).toContainText('No alert in this time.');
  });
});
