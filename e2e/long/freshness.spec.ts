import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { call } from '../../test/support/owner-client.ts';
import { MINUTE_MS, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openAbout, openDevice, openOwner, test, tile } from '../support/owner-test.ts';

const DAY_MS = 1440 * MINUTE_MS;
const now = Date.now();
let field: SimulatedDevice;
let bulk: SimulatedDevice;
let silent: SimulatedDevice;
const node = ownerNode(async (started) => {
  field = await registered(started, ['local'], { name: 'Field device' }, { publishTo: 0 });
  const values = (index: number) => ({ ec: 600 + index, tempWater: 20 + index / 100 });
  // Two days ago a pH was entered, in a reading that repeats the last values; the sensors went on to twenty minutes ago.
  const at = (index: number) => now - 2 * DAY_MS + index * MINUTE_MS;
  const sensors = (from: number, to: number, offset = 0) =>
    Array.from({ length: to - from }, (_, index) => {
      const seq = from + index;
      return field.block({ seq: seq + offset, timestamp: at(seq), plain: values(seq) });
    });
  await send(started, 'local', sensors(1, 11));
  await send(started, 'local', [field.block({ seq: 11, timestamp: at(11), plain: { ...values(10), ph: 5.9 } })]);
  const recent = Array.from({ length: 80 }, (_, index) =>
    field.block({ seq: 100 + index, timestamp: now - (100 - index) * MINUTE_MS, plain: values(100 + index) }),
  );
  await send(started, 'local', recent);
  // A pH entered now, ten minutes after the sensors fell silent: their values are repeated, not measured.
  const repeated = { ...values(179), ph: 6.1 };
  await send(started, 'local', [field.block({ seq: 180, timestamp: now, plain: repeated })]);
  bulk = await registered(started, ['local'], { name: 'Bulk device' }, { publishTo: 0 });
  const many = Array.from({ length: 60 }, (_, index) =>
    bulk.block({ seq: index + 1, timestamp: now - (60 - index) * 5 * MINUTE_MS, plain: { ec: 700 } }),
  );
  await send(started, 'local', many);
  silent = await registered(started, ['local'], { name: 'Quiet device' }, { publishTo: 0 });
  await send(started, 'local', [silent.block({ seq: 1, timestamp: now, plain: { ec: 700 } })]);
  await call(started.process, 'setNotes', { id: silent.id, notes: { ...NO_NOTES, silentAfterMs: 1000 } });
});

test('values show the age of their measurement, and header and alert use one clock for silence', async ({ page }) => {
  await test.step('a repeated value shows the age of its measurement', async () => {
    await openDevice(page, node(), field.id);
    await expect(tile(page, 'pH')).toContainText(/6\.1/);
    await expect(tile(page, 'pH')).toContainText('entered by hand');
    await expect(tile(page, 'pH').getByLabel('Not up to date')).toHaveCount(0);
    await expect(tile(page, 'EC')).toContainText('779');
    await expect(tile(page, 'EC')).toContainText('21 min ago');
    await expect(tile(page, 'EC').getByLabel('Not up to date')).toBeVisible();
  });
  await test.step('readings five minutes apart that arrive together do not count as silence after three', async () => {
    await openDevice(page, node(), bulk.id);
    await openAbout(page);
    await expect(
      page.getByText('Usual interval', { exact: true }).locator('xpath=following-sibling::dd[1]'),
    ).toHaveText('5 min');
  });
  await test.step('header and alert measure a silence with one clock', async () => {
    await openOwner(page, node(), `#/device/${silent.id}`);
    const alert = page.locator('main [data-state]').filter({ hasText: 'Quiet device is silent' });
    await expect(alert).toContainText(/for \d+/);
    const told = await page.evaluate(async () => {
      const pairs = new Set<string>();
      const until = performance.now() + 15_000;
      while (pairs.size < 4 && performance.now() < until) {
        const header = document.querySelector('main header [data-status=silent]:not([aria-hidden])')?.textContent;
        const item = document.querySelector('main [data-state] [class*=detail]')?.textContent;
        const of = (text: string | null | undefined) => /for (\d+ \w+)/.exec(text ?? '')?.[1];
        pairs.add(`${of(header)} = ${of(item)}`);
        await new Promise(requestAnimationFrame);
      }
      return [...pairs];
    });
    expect(told.length).toBeGreaterThan(1);
    for (const pair of told) expect(pair.split(' = ')[0]).toBe(pair.split(' = ')[1]);
  });
});
