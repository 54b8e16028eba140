import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { DesktopApp, eventually, SYSTEM } from '../support/desktop-app.ts';
import { freePort } from '../support/free-port.ts';
import { desktopFolderIn } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

// More of settings and data folders: test/lifecycle/node-host.test.ts.

test('settings apply at once, in the app and in the system', async () => {
  const app = await DesktopApp.launch({ settings: { localPort: 0, publicPort: 0 } });
  await app.withTray();
  const set = async (change: Parameters<typeof app.call<'setSettings'>>[1]['change']) =>
    expect(await app.call('setSettings', { change })).toMatchObject({ saved: true });
  await set({ publicEnabled: true });
  expect((await fetch(`${await app.url('public')}/health`)).status).toBe(200);
  const free = await freePort();
  await set({ localPort: free });
  expect(await app.url('local')).toBe(`http://127.0.0.1:${free}`);
  expect((await fetch(`${await app.url('local')}/health`)).status).toBe(200);
  await set({ closeBehaviour: 'tray' });
  await app.operate('closeWindow');
  expect(await app.window()).toMatchObject({ isShown: false, isOpen: true });
  await set({ theme: 'dark' });
  await eventually(() => app.operate('theme')).toBe('dark');
  await set({ language: 'es' });
  await eventually(async () => JSON.stringify(await app.operate('menu'))).toContain('Ajustes');
  await eventually(async () => JSON.stringify(await app.tray())).toContain('Abrir Wellhouse');
  expect(app.kept()).toMatchObject({
    publicEnabled: true,
    localPort: free,
    closeBehaviour: 'tray',
    theme: 'dark',
    language: 'es',
  });
});

/** Folders that were given up long ago, and what a library may have logged. */
const PRIVATE = ['/media/carla', 'My Disk', 'old-well', 'carla@example.org', 'carla', 'hunter2', 'D:\\Well', 'orchard'];
const LINES = [
  { msg: 'a move of the data folder failed', to: '/media/carla/My Disk/old-well' },
  { msg: "EACCES: permission denied, open '/media/carla/My Disk/old-well/private.db'" },
  { msg: 'no update through http://carla:hunter2@127.0.0.1:8080/', contact: 'carla@example.org' },
  { msg: 'D:\\Well\\orchard is gone' },
];

const unzipped = (zip: string) => Object.values(unzipSync(Buffer.from(zip, 'base64'))).map((bytes) => strFromU8(bytes));

test('diagnostics redact old log lines, and a refused store is reported and can be tried again', async () => {
  const home = temporaryFolder();
  onTestFinished(() => removeFolder(home));
  const logs = join(desktopFolderIn(home, SYSTEM), 'logs');
  mkdirSync(logs, { recursive: true });
  const lines = LINES.map((line) => JSON.stringify({ level: 40, time: 1_795_000_000_000, ...line }));
  writeFileSync(join(logs, 'wellhouse.log'), `${lines.join('\n')}\n`);
  const first = await DesktopApp.launch({ home });
  await first.opened();
  const { zip, files } = await first.call('diagnostics', {});
  const zipped = unzipped(zip);
  expect(zipped).toEqual(files.map(({ text }) => text));
  const log = files.find(({ name }) => name === 'log.jsonl')!.text;
  expect(log).toContain('a move of the data folder failed');
  expect(log).toMatch(/"EACCES: permission denied, open '<path-\d+>'"/);
  expect(PRIVATE.filter((each) => zipped.join().includes(each))).toEqual([]);

  await first.dispose();
  const store = join(first.folder, 'data', 'private.db');
  const good = readFileSync(store);
  writeFileSync(store, 'no store at all');
  const app = await DesktopApp.launch({ home });
  await eventually(() => app.state()).toMatchObject({
    state: 'failed',
    problem: { kind: 'other', message: expect.stringContaining('it is not an SQLite file') },
  });
  const texts = unzipped((await app.call('diagnostics', {})).zip);
  expect(texts.join()).toContain('"state": "failed"');
  expect(texts.join()).not.toContain(app.home);
  writeFileSync(store, good);
  await app.startNode();
  await eventually(() => app.state()).toMatchObject({ state: 'running' });
});

test('an unusable folder can be replaced, and no new node begins by itself in place of a missing disk', async () => {
  const first = await DesktopApp.launch({ settings: { localPort: 0, dataDir: '/proc/wellhouse' } });
  await eventually(() => first.state()).toMatchObject({ problem: { kind: 'folder', reason: 'missing' } });
  const [disk, unplugged, fresh, other] = ['disk', 'unplugged', 'fresh', 'other'].map((name) =>
    join(first.home, name),
  ) as [string, string, string, string];
  expect(await first.call('useDataDir', { path: fresh, startOver: true })).toEqual({ problem: null });
  await eventually(() => first.state()).toMatchObject({ state: 'running' });
  expect(first.kept()).toMatchObject({ dataDir: fresh });
  expect(readdirSync(fresh)).toContain('identity.mnemonic');
  await first.dispose();

  renameSync(fresh, unplugged);
  const app = await DesktopApp.launch({ home: first.home, settings: { localPort: 0, dataDir: disk } });
  await eventually(() => app.state()).toMatchObject({ problem: { kind: 'folder', reason: 'missing', path: disk } });
  expect(await app.call('useDataDir', { path: 'somewhere', startOver: false })).toEqual({ problem: 'not_absolute' });
  expect(await app.call('useDataDir', { path: other, startOver: false })).toEqual({ problem: 'no_data' });
  expect([existsSync(disk), existsSync(other)]).toEqual([false, false]);
  renameSync(unplugged, disk);
  await app.startNode();
  await eventually(() => app.state()).toMatchObject({ state: 'running' });
});

test('a folder of the environment that can’t be made is reported with its variable', async () => {
  const app = await DesktopApp.launch({ settings: { localPort: 0 }, env: { DATA_DIR: '/proc/wellhouse' } });
  await eventually(() => app.state()).toMatchObject({
    problem: { kind: 'folder', reason: 'unusable', path: '/proc/wellhouse' },
  });
  expect((await app.call('getSettings', {})).settings.dataDir).toMatchObject({
    source: 'environment',
    variable: 'DATA_DIR',
  });
});
