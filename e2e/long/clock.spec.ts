import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { handWritten, postBlocks, registeredDevice } from '../../test/support/client.ts';
import { startProcess, temporaryFolder } from '../../test/support/node-process.ts';
import { storePath } from '../../test/support/store-file.ts';
import { complaints } from '../support/axe.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openAbout, openOwner, test } from '../support/owner-test.ts';

const HOUR = 3_600_000;

interface ClockFile {
  boot: string | null;
  state: { offset: number; from: number; mark: number };
}

let dataDir: string;
test.beforeEach(() => {
  dataDir = temporaryFolder();
});
test.afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Changes what a node left of its clock. */
function editClock(edit: (left: ClockFile) => void): void {
  const path = join(dataDir, 'clock.json');
  const left = JSON.parse(readFileSync(path, 'utf8')) as ClockFile;
  edit(left);
  writeFileSync(path, JSON.stringify(left));
}

test('a device’s page says when times were corrected, and the node’s when its clock was set', async ({
  page,
  watch,
}) => {
  const first = await startProcess({ dataDir });
  const device = await registeredDevice(first.url('local'), { name: 'Greenhouse' });
  const now = Date.now();
  await postBlocks(
    first.url('local'),
    [1, 2, 3].map((seq) => handWritten(device, { seq, timestamp: now + seq, json: { ph: { plain: 6 } } })),
  );
  await first.stop();
  // As if the machine's clock had been six hours behind until now: this machine's own can't be set.
  const db = new Database(storePath(dataDir, 'local'));
  db.exec(`UPDATE readings SET received_at = received_at - ${6 * HOUR}`);
  db.close();
  editClock(({ state }) => {
    state.offset -= 6 * HOUR;
    state.from -= 6 * HOUR;
  });

  const node = await OwnerNode.start({ dataDir });
  await openOwner(page, node, `#/device/${device.id}`);
  await openAbout(page);
  const card = page.getByRole('region', { name: 'Corrected times' });
  await expect(card).toContainText('3 readings moved 6 hr later');
  expect(await complaints(page)).toEqual([]);
  await page.goto(`${node.url('local')}/ui/#/node`);
  const clock = page.getByRole('term').filter({ hasText: 'Clock' }).locator('..');
  await expect(clock).toContainText('not confirmed yet');
  await expect(clock).toContainText('Set 6 hr forward');
  watch.end();
  await node.dispose();
});

test('every page says that the machine’s clock is not set', async ({ page, watch }) => {
  const first = await startProcess({ dataDir });
  await first.stop();
  // It knew a later time before the machine was started again.
  editClock((left) => {
    left.boot = 'another';
    left.state.mark = Date.now() + 48 * HOUR;
  });
  const node = await OwnerNode.start({ dataDir });
  await openOwner(page, node, '#/settings');
  await expect(page.getByText('The clock of this node’s machine is not set.')).toBeVisible();
  // The banner is there before the page.
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(await complaints(page)).toEqual([]);
  await page.getByRole('link', { name: 'Show the clock' }).click();
  await expect(page.getByText(/^not set: (?:2 days|1 day 23 hr) behind/)).toBeVisible();
  watch.end();
  await node.dispose();
});
