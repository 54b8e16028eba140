import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { layOutPacked, packApp } from '../../test/support/packed-app.ts';
import { expect, isReal, SYSTEM, test } from '../support/desktop-app.ts';

test.skip(
  isReal || SYSTEM !== 'linux' || process.platform !== 'linux',
  'what is packed here is packed for the stand-in, on Linux',
);

const PACK_WITHIN_MS = 180_000;

test('the packed app runs outside the repository, with its worker threads and native modules', async ({ launch }) => {
  test.setTimeout(PACK_WITHIN_MS);
  const root = temporaryFolder();
  const folder = join(root, 'installed');
  mkdirSync(folder);
  const resources = join(packApp(root), 'resources');
  const main = layOutPacked(resources, folder);
  cpSync(join(resources, 'app.asar.unpacked'), join(folder, 'app.asar.unpacked'), { recursive: true });

  const app = await launch({ packed: { folder, main } });
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const { pid, isPackaged } = await app.operate<{ pid: number; isPackaged: boolean }>('app');
  expect(isPackaged).toBe(true);

  const device = new SimulatedDevice({ name: 'Cistern' });
  const url = await app.url('local');
  expect((await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }))).status).toBe(201);
  const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } });
  expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
  await expect(page.getByRole('article', { name: 'Cistern' })).toContainText('6.5');

  // What the system itself says that this process, with its threads, has loaded.
  const loaded = new Set(readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S+\.node$/gm));
  const unpacked = join(folder, 'app.asar.unpacked', 'node_modules');
  expect([...loaded].sort()).toEqual([
    join(unpacked, 'better-sqlite3', 'prebuilds', `linux-${process.arch}.node`),
    join(unpacked, 'sodium-native', 'prebuilds', `linux-${process.arch}`, 'sodium-native.node'),
  ]);

  await app.operate('quit');
  expect(await app.exited).toBe(0);
  expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
  removeFolder(root);
});
