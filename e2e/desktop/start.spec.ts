import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import { type DesktopApp, expect, isReal, test } from '../support/desktop-app.ts';

async function opened(app: DesktopApp) {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

test('the app starts, shows new readings, opens pages from menu and tray, and quits', async ({ launch }) => {
  const app = await launch();
  const page = await opened(app);
  const device = new SimulatedDevice({ name: 'Cistern' });
  const url = await app.url('local');
  await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }));
  const row = page.getByRole('article', { name: 'Cistern' });
  await expect(row).toBeVisible();
  for (const [index, ph] of [6.25, 6.75].entries()) {
    const block = device.block({ seq: index + 1, timestamp: Date.now(), plain: { ph } });
    expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
    await expect(row).toContainText(String(ph));
  }
  await app.operate('pressMenu', 'keys');
  await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible();
  await expect.poll(async () => JSON.stringify(await app.operate('tray'))).toContain('Last reading: ');
  await app.operate('pressTray', 'public');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  // The second start is made by the stand-in.
  if (!isReal) {
    await test.step('a second start ends at once and shows the window of the first', async () => {
      await app.operate('minimizeWindow');
      expect(await app.startOver()).toBe(0);
      await expect.poll(async () => (await app.operate<{ isFront: boolean }>('window')).isFront).toBe(true);
      expect(await app.operate('window')).toMatchObject({ count: 1 });
    });
  }
  await app.operate('pressTray', 'quit');
  expect(await app.exited).toBe(0);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
});
