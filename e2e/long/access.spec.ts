import { ownerNode } from '../support/owner-node.ts';
import { expect, test } from '../support/owner-test.ts';

const node = ownerNode();
const REFUSED = /status of 40[13]/;

test('the page says if the node does not know a link, and keeps one that was opened while the node was away', async ({
  page,
  watch,
}) => {
  await test.step('the page says if the node does not know a link, and a good one opens it afterwards', async () => {
    watch.tolerate(REFUSED);
    await page.goto(`${node().url('local')}/ui/#token=${'A'.repeat(43)}`);
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await page.goto(node().link);
    await expect(page.getByText('Live', { exact: true })).toBeVisible();
  });
  await test.step('a reload keeps a link that was opened while the node did not answer', async () => {
    watch.tolerate(/ERR_|status of 401/);
    const calls = '**/ui/api/**';
    let isCutOff = false;
    await page.routeWebSocket(calls, (socket) => {
      if (isCutOff) void socket.close();
      else socket.connectToServer();
    });
    for (const kept of [null, 'A'.repeat(43)]) {
      await page.goto(`${node().url('local')}/ui/`);
      // An earlier version kept the token itself.
      await page.evaluate((token) => {
        indexedDB.deleteDatabase('wellhouse');
        if (token !== null) localStorage.setItem('wellhouse.token', token);
      }, kept);
      await page.goto('about:blank');
      isCutOff = true;
      await page.route(calls, (route) => route.abort());
      await page.goto(node().link);
      await expect(page.getByRole('alert').filter({ hasText: 'The node does not answer' })).toBeVisible();
      isCutOff = false;
      await page.unroute(calls);
      await page.reload();
      await expect(page.getByText('Live', { exact: true })).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem('wellhouse.token'))).toBeNull();
    }
  });
});
