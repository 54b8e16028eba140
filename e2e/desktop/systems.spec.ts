import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import { type DesktopApp, expect, isReal, type System, test } from '../support/desktop-app.ts';

// What differs from system to system, each played by the stand-in: it has the calls and events that Electron's typings
// give to that system, and no other.

test.skip(isReal, 'a real Electron runs on its own system alone');

const SYSTEMS: readonly System[] = ['linux', 'darwin', 'win32'];

interface LoginItem {
  readonly openAtLogin: boolean;
  readonly path?: string;
  readonly args?: readonly string[];
}
interface SeenApp {
  readonly loginItems: readonly LoginItem[];
  readonly userModelId: string | null;
}
interface SeenWindow {
  readonly isShown: boolean;
  readonly isFullScreen: boolean;
  readonly isHiddenInFullScreen: boolean;
}

const seen = (app: DesktopApp) => app.operate<SeenWindow>('window');
const loginItems = async (app: DesktopApp) => (await app.operate<SeenApp>('app')).loginItems;

async function opened(app: DesktopApp) {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

async function setSettings(app: DesktopApp, change: object): Promise<unknown> {
  const page = await app.page();
  const json = await page.evaluate(
    async (input) => {
      const { owner } = window as unknown as {
        owner: { call(method: string, input: unknown): Promise<{ json: string }> };
      };
      return (await owner.call('setSettings', input)).json;
    },
    { change },
  );
  return JSON.parse(json);
}

for (const system of SYSTEMS) {
  for (const isPackaged of [false, true]) {
    const what = `${system}, ${isPackaged ? 'installed' : 'from a clone'}`;
    test(`the app starts, takes a reading and quits, with all that it keeps in its own folder (${what})`, async ({
      launch,
    }) => {
      const app = await launch({ system, isPackaged });
      const page = await opened(app);
      const device = new SimulatedDevice({ name: 'Cistern' });
      const url = await app.url('local');
      await post(`${url}/v1/devices`, device.registration({ publishTo: 0 }));
      const block = device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } });
      expect((await post(`${url}/v1/telemetry`, { blocks: [block] })).status).toBe(200);
      await expect(page.getByRole('row', { name: 'Cistern' })).toContainText('6.5');
      await expect.poll(() => app.operate('tray')).not.toBeNull();
      await app.operate('quit');
      expect(await app.exited).toBe(0);
      expect(existsSync(join(app.folder, 'data', 'private.db'))).toBe(true);
      // Chromium's own folders are there too.
      const folders = readdirSync(app.home).filter((name) => ['Library', 'Wellhouse', 'AppData'].includes(name));
      expect(folders).toEqual([system === 'darwin' ? 'Library' : 'Wellhouse']);
    });
  }
}

test('Windows knows the app by the id of its shortcut, or by its program', async ({ launch }) => {
  const id = async (isPackaged: boolean) => {
    const app = await launch({ system: 'win32', isPackaged });
    await opened(app);
    return (await app.operate<SeenApp>('app')).userModelId;
  };
  expect(await id(true)).toBe('app.wellhouse.desktop');
  expect(await id(false)).toBe(process.execPath);
});

test('on Windows a start at login is registered with the app’s folder, once', async ({ launch }) => {
  const app = await launch({ system: 'win32' });
  await opened(app);
  expect(await setSettings(app, { startAtLogin: true })).toMatchObject({ saved: true });
  const args = [`"${process.cwd()}"`, '--hidden'];
  expect(await loginItems(app)).toEqual([{ openAtLogin: true, path: process.execPath, args }]);
  await app.operate('quit');
  await app.exited;
  // Registering it again would turn on what was turned off in the Task Manager.
  const again = await launch({ system: 'win32', home: app.home });
  await opened(again);
  expect(await loginItems(again)).toEqual([]);
});

test('on macOS a start at login is offered to the installed app alone, and a refusal is told', async ({ launch }) => {
  const clone = await launch({ system: 'darwin' });
  const page = await opened(clone);
  await clone.operate('pressMenu', 'settings');
  await expect(page.getByRole('combobox', { name: 'Closing the window' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Start at login' })).toHaveCount(0);
  expect(await setSettings(clone, { startAtLogin: true })).toMatchObject({ problem: { kind: 'not_applicable' } });
  expect(await loginItems(clone)).toEqual([]);

  const installed = await launch({ system: 'darwin', isPackaged: true });
  await opened(installed);
  expect(await setSettings(installed, { startAtLogin: true })).toMatchObject({ saved: true });
  expect(await loginItems(installed)).toEqual([{ openAtLogin: true }]);

  const unsigned = await launch({ system: 'darwin', isPackaged: true, env: { STAND_IN_NO_LOGIN_ITEMS: '1' } });
  await opened(unsigned);
  expect(await setSettings(unsigned, { startAtLogin: true })).toMatchObject({ problem: { kind: 'failed' } });
});

test('on macOS a start at login shows no window', async ({ launch }) => {
  const app = await launch({ system: 'darwin', isPackaged: true, env: { STAND_IN_OPENED_AT_LOGIN: '1' } });
  await opened(app);
  expect((await seen(app)).isShown).toBe(false);
});

test('on Linux the entry of a start at login leads to this program, and is not made again', async ({ launch }) => {
  const app = await launch({ system: 'linux' });
  await opened(app);
  await setSettings(app, { startAtLogin: true });
  const path = join(app.home, 'autostart', 'wellhouse.desktop');
  const entry = readFileSync(path, 'utf8');
  expect(entry).toMatch(/^Exec=".+" ".+" "--hidden"$/m);
  await app.operate('quit');
  await app.exited;
  // The program lay elsewhere, and the owner turned the entry off in the desktop's settings.
  writeFileSync(path, `${entry.replace(/^Exec=.*$/m, 'Exec="/old/place" "--hidden"')}Hidden=true\n`);
  const moved = await launch({ system: 'linux', home: app.home });
  await opened(moved);
  await expect.poll(() => readFileSync(path, 'utf8')).toBe(`${entry}Hidden=true\n`);
  await moved.operate('quit');
  await moved.exited;
  rmSync(path);
  const removed = await launch({ system: 'linux', home: app.home });
  await opened(removed);
  await expect.poll(() => removed.operate('tray')).not.toBeNull();
  expect(existsSync(path)).toBe(false);
  await setSettings(removed, { startAtLogin: true });
  expect(existsSync(path)).toBe(true);
  await setSettings(removed, { startAtLogin: false });
  expect(existsSync(path)).toBe(false);
});

for (const system of SYSTEMS) {
  const opens = system !== 'darwin';
  test(`a click on the tray ${opens ? 'opens the window' : 'leaves the window to the menu'} on ${system}`, async ({
    launch,
  }) => {
    const app = await launch({ system, args: ['--hidden'] });
    await opened(app);
    await expect.poll(() => app.operate('tray')).not.toBeNull();
    await app.operate('clickTray');
    expect((await seen(app)).isShown).toBe(opens);
    await app.operate('pressTray', 'open');
    expect((await seen(app)).isShown).toBe(true);
  });
}

test('on macOS a window in full screen leaves it before it goes to the tray', async ({ launch }) => {
  const app = await launch({ system: 'darwin' });
  await opened(app);
  await setSettings(app, { closeBehaviour: 'tray' });
  await expect.poll(() => app.operate('tray')).not.toBeNull();
  await app.operate('fullScreen');
  await expect.poll(async () => (await seen(app)).isFullScreen).toBe(true);
  await app.operate('closeWindow');
  await expect
    .poll(() => seen(app))
    .toMatchObject({ isShown: false, isFullScreen: false, isHiddenInFullScreen: false });
});

for (const system of ['darwin', 'win32'] as const) {
  test(`a notification that ${system} does not show goes to the log and is forgotten`, async ({ launch }) => {
    const app = await launch({ system, env: { STAND_IN_NOTIFICATIONS_FAIL: '1' } });
    await opened(app);
    await expect.poll(async () => JSON.stringify(await app.operate('tray'))).toContain('0 devices');
    const block = new SimulatedDevice({ name: 'Stranger' }).block({
      seq: 1,
      timestamp: Date.now(),
      plain: { ph: 6.5 },
    });
    await post(`${await app.url('local')}/v1/telemetry`, { blocks: [block] });
    const failed = () => app.log().find(({ msg }) => msg === 'a notification was not shown');
    await expect.poll(failed, { timeout: 15_000 }).toMatchObject({ notice: 'knocking', reason: 'not allowed' });
    await app.operate('collectGarbage');
    expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: false });
  });
}

test('the menu of macOS has the app’s own menu first, with the settings and a way out', async ({ launch }) => {
  const app = await launch({ system: 'darwin' });
  await opened(app);
  const [first, ...others] = await app.operate<{ role: string | null; items: { id: string | null }[] }[]>('menu');
  expect(first!.role).toBe('appMenu');
  expect(first!.items.map(({ id }) => id)).toEqual(expect.arrayContaining(['about', 'settings', 'quit']));
  expect(others.map(({ role }) => role)).not.toContain('help');
});
