import type { SimulatedDevice } from '../src/simulator/device.ts';
import { MINUTE_MS, registered, send } from './support/devices.ts';
import { ownerNode } from './support/owner-node.ts';
import { expect, openDevice, openOwner, test, tile } from './support/owner-test.ts';

const DAY_MS = 1440 * MINUTE_MS;
const now = Date.now();
let field: SimulatedDevice;
let late: SimulatedDevice;
const node = ownerNode(async (started) => {
  field = await registered(started, ['local'], { name: 'Field device' }, { publishTo: 0 });
  late = await registered(started, ['local'], { name: 'Late device' }, { publishTo: 0 });
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
  await send(started, 'local', [late.block({ seq: 1, timestamp: now - 10 * DAY_MS, plain: { ec: 700 } })]);
});

test('a value is as old as its measurement: one that is only repeated says so', async ({ page }) => {
  await openDevice(page, node(), field.id);
  await expect(tile(page, 'pH')).toContainText(/6\.1/);
  await expect(tile(page, 'pH')).toContainText('entered by hand');
  await expect(tile(page, 'pH').getByLabel('Not up to date')).toHaveCount(0);
  await expect(tile(page, 'EC')).toContainText('779');
  await expect(tile(page, 'EC')).toContainText('21 min ago');
  await expect(tile(page, 'EC').getByLabel('Not up to date')).toBeVisible();
});

test('a reading of ten days back that has just arrived looks as old as it is, and late', async ({ page }) => {
  await openOwner(page, node());
  await page.getByRole('link', { name: 'Late device' }).first().click();
  await expect(tile(page, 'EC')).toContainText('10 days ago');
  await expect(tile(page, 'EC')).toContainText('arrived late');
  await expect(tile(page, 'EC').getByLabel('Not up to date')).toBeVisible();
  // The device itself was heard of just now.
  await expect(
    page
      .locator('header')
      .getByText(/Online/)
      .first(),
  ).toBeVisible();
});
