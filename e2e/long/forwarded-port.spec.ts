import { minutes, registered, send } from '../support/devices.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';
import { forwardTo } from '../support/tcp-forwarder.ts';

const node = ownerNode();

for (const host of ['127.0.0.1', 'localhost']) {
  test(`works through a forwarded port, opened as ${host}`, async ({ page, context }) => {
    const forwarder = await forwardTo(Number(new URL(node().url('local')).port));
    try {
      const device = await registered(node(), ['local'], { name: `Far tank at ${host}` }, { publishTo: 0 });
      await page.goto(`http://${host}:${forwarder.port}/ui/#token=${node().token}`);
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      await send(node(), 'local', minutes(device, { count: 5 }));
      await page
        .getByRole('list', { name: 'Your devices' })
        .getByRole('link', { name: device.name, exact: true })
        .click();
      await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible();
      await send(node(), 'local', minutes(device, { count: 1, firstSeq: 6 }));
      await expect(page.getByRole('gridcell', { name: '6', exact: true })).toBeVisible();
      expect(await context.cookies()).toEqual([]);
      await page.close();
    } finally {
      await forwarder.close();
    }
  });
}
