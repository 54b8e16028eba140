import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from '../support/owner-test.ts';

let server: ChildProcess;
let link: string;

// Vite's first start after an install bundles the dependencies.
test.setTimeout(120_000);
test.beforeAll(async () => {
  server = spawn(process.execPath, ['scripts/dev-ui.ts', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  link = await new Promise<string>((resolve, reject) => {
    createInterface(server.stdout!).on('line', (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(line)?.[0];
      if (found !== undefined) resolve(found);
    });
    server.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
  });
});
test.afterAll(() => {
  server.kill();
});

test('npm run dev:ui shows the view with hot reload over a fake node', async ({ page }) => {
  const updates = page.waitForEvent('websocket', (socket) => /\/\?token=/.test(socket.url()));
  await page.goto(link, { timeout: 60_000 });
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 60_000 });
  await updates;
  const row = page.getByRole('article', { name: 'Greenhouse' });
  await expect(row).toContainText('Online');
  await expect(page.getByRole('article', { name: 'Nursery' })).toContainText('Locked: pH, EC');
  await row.getByRole('link', { name: 'Greenhouse' }).click();
  await expect(page.getByRole('grid', { name: 'Readings' })).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.uplot canvas').first()).toBeVisible();
});
