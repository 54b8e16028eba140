import { chart } from '../support/charts.ts';
import { registered, valuesAt } from '../support/devices.ts';
import { giveKeystore, phraseSecret } from '../support/keys.ts';
import { ownerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';
import { sendHistory, summary, truth, unlock } from '../support/sealed-history.ts';
import { PHRASE, PHRASE_NAME, SealingDevice } from '../support/sealing.ts';

/** Three days of a reading a minute: the page opens those before the last day in several requests. */
const COUNT = 4400;

const well = new SealingDevice('Well', 'firmware');
const node = ownerNode(async (started) => {
  const { seed, mac, name, ownerPubkey } = well.device;
  await registered(started, ['local'], { seed, mac, name, ownerPubkey });
  await giveKeystore(started, { secrets: [phraseSecret(PHRASE, PHRASE_NAME)] });
  await sendHistory(started, well, COUNT, Date.now());
});

test('the history of a device is opened with its page, and a long range page by page', async ({ page }) => {
  await openOwner(page, node());
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByText('Table', { exact: true }).click();
  await page.keyboard.press('Escape');
  await unlock(page);
  await expect(page.getByRole('row', { name: /Well/ }).getByText(String(valuesAt(COUNT).humidity))).toBeVisible();
  await test.step('a history that is loaded before its device waits for it', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/readingsPage')) asked.push((request.postDataJSON() as { id: string }).id);
    });
    const going = Promise.withResolvers<void>();
    await page.route('**/ui/api/device', async (route) => {
      await going.promise;
      await route.continue();
    });
    const history = page.waitForResponse('**/ui/api/history');
    await page.getByRole('row', { name: /Well/ }).getByRole('link').first().click();
    await (await history).finished();
    // Time to draw, and to act upon, the history.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    going.resolve();
    await expect.poll(async () => (await summary(chart(page, 'Humidity'))).count).toBeGreaterThan(1400);
    expect(asked.filter((id) => id !== well.id)).toEqual([]);
    await page.unroute('**/ui/api/device');
  });
  await test.step('opens a long range page by page, with progress and cancel', async () => {
    await expect.poll(async () => (await summary(chart(page, 'Humidity'))).count).toBeGreaterThan(1400);
    // All pages but a few wait, so that there is something to cancel.
    let passing = 3;
    const going = Promise.withResolvers<void>();
    await page.route('**/readingsPage', async (route) => {
      passing -= 1;
      if (passing < 0) await going.promise;
      await route.continue();
    });
    await page.getByText('7 d', { exact: true }).click();
    // Without the day, which is open.
    const progress = page.getByRole('status').filter({ hasText: 'Opening sealed values' });
    await expect(progress).toHaveText(/[1-9][\d,]* of 2,\d{3} readings/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const stopped = page.getByRole('status').filter({ hasText: 'were not opened' });
    await expect(stopped).toBeVisible();
    await expect(page.getByText(/sealed values are not drawn/).first()).toBeVisible();
    const part = (await summary(chart(page, 'Humidity'))).count;
    expect(part).toBeLessThan(COUNT);
    // In the order of the requests, of which two may be under way.
    const answers: Promise<{ value: { readings: { seq: string }[] } }>[] = [];
    page.on('request', (request) => {
      if (!request.url().endsWith('/readingsPage')) return;
      // The first page asks for its other devices too. The table's pages have a filter, and open nothing.
      const { id, filter } = request.postDataJSON();
      if (id !== well.id || filter !== undefined) return;
      answers.push(request.response().then((response) => response!.json()));
    });
    const seqsOfPages = async () =>
      (await Promise.all(answers)).map(({ value }) => value.readings.map(({ seq }) => Number(seq)));
    const all = () => expect.poll(async () => (await summary(chart(page, 'Humidity')).catch(() => null))?.count);
    await test.step('opens the rest newest first', async () => {
      going.resolve();
      await page.getByRole('button', { name: 'Open them' }).click();
      await all().toBe(COUNT);
      await expect(progress).toBeHidden();
      const { min, max } = await summary(chart(page, 'Humidity'));
      const values = truth('humidity', 1, COUNT);
      expect([min, max]).toEqual([Math.min(...values), Math.max(...values)]);
      expect((await summary(chart(page, 'Water temperature'))).count).toBe(COUNT - 1);
      // Without the last day, which the sparklines ask for too.
      const firsts = (await seqsOfPages()).filter((seqs) => seqs.length > 100).map(([first]) => first!);
      const older = firsts.filter((first) => first < COUNT - 1440);
      expect(older.length).toBeGreaterThan(2);
      expect(older).toEqual(older.toSorted((a, b) => b - a));
    });
    await test.step('opened values stay when the page is left, until the lock', async () => {
      await page.getByRole('link', { name: 'Wellhouse' }).click();
      await expect(page.getByRole('row', { name: /Well/ }).first()).toBeVisible();
      answers.length = 0;
      await page.goBack();
      await page.getByText('7 d', { exact: true }).click();
      await all().toBe(COUNT);
      // The last day alone and once, for the sparklines.
      const again = (await seqsOfPages()).flat();
      expect(again.filter((seq) => seq <= COUNT - 1440)).toEqual([]);
      expect(again).toEqual([...new Set(again)]);
      await page.keyboard.press('Control+Shift+L');
      await expect(page.getByText(/^All \d[\d,]* values here are sealed/).first()).toBeVisible();
    });
  });
});
