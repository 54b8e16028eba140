import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { chart, drawnColumns, hoverAt, rangeBar, readout } from '../support/charts.ts';
import { MINUTE_MS, minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openDevice, test } from '../support/owner-test.ts';

let device: SimulatedDevice;
const now = Date.now();
const node = ownerNode(async (started) => {
  device = await registered(started, ['local'], { name: 'Faster tank' }, { publishTo: 0 });
  // Six hours with a reading a minute, twenty minutes of nothing, then ten with one every five seconds.
  await send(started, 'local', minutes(device, { count: 330, endAt: now - 30 * MINUTE_MS }));
  await send(started, 'local', minutes(device, { count: 120, firstSeq: 1001, everyMs: 5000, endAt: now }));
});

/** The part of the columns between two parts of the width that show the line. */
const drawn = async (columns: Promise<boolean[]>, from: number, to: number) => {
  const all = await columns;
  const part = all.slice(Math.round(from * all.length), Math.round(to * all.length));
  return part.filter(Boolean).length / part.length;
};

test('an outage is a gap in the line, and a cursor in it shows no value', async ({ page }) => {
  await test.step('draws a line through steady data on both sides of a changed interval, and a gap for the outage', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    await rangeBar(page).getByText('1 h', { exact: true }).click();
    const ec = chart(page, 'EC');
    // Readings a minute apart would be dots where the five seconds of the end told what a gap is.
    await expect.poll(() => drawn(drawnColumns(ec), 0.03, 0.45)).toBeGreaterThan(0.93);
    expect(await drawn(drawnColumns(ec), 0.55, 0.78)).toBe(0);
    expect(await drawn(drawnColumns(ec), 0.86, 0.98)).toBeGreaterThan(0.93);
  });
  await test.step('says that a cursor in a gap or before the first reading has no value', async () => {
    await openDevice(page, node(), device.id);
    await expect(chart(page, 'EC')).toBeVisible();

    const ec = chart(page, 'EC');
    await rangeBar(page).getByText('1 h', { exact: true }).click();
    await expect.poll(() => drawn(drawnColumns(ec), 0.03, 0.45)).toBeGreaterThan(0.93);
    await hoverAt(page, ec, 0.3);
    await expect(readout(ec)).toContainText(/^1,\d\d\d ppm/);
    await hoverAt(page, ec, 0.66);
    await expect(readout(ec)).toContainText(/^No value · /);
    // The point that marks a value is nowhere near, and the other charts say the same.
    await expect(ec.locator('.u-cursor-pt').first()).not.toBeInViewport();
    await expect(readout(chart(page, 'Humidity'))).toContainText(/^No value · /);
    await rangeBar(page).getByText('24 h', { exact: true }).click();
    await expect.poll(() => drawn(drawnColumns(ec), 0.03, 0.6)).toBe(0);
    await hoverAt(page, ec, 0.2);
    await expect(readout(ec)).toContainText(/^No value · /);
  });
});
