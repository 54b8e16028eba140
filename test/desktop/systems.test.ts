import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DesktopApp, eventually } from '../support/desktop-app.ts';
import type { System } from '../support/played-system.ts';

// What differs from system to system, each played by the stand-in: it has the calls and events that Electron's typings
// give to that system, and no other.

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

const loginItems = async (app: DesktopApp) => (await app.operate<SeenApp>('app')).loginItems;
const setStart = (app: DesktopApp, startAtLogin: boolean) => app.call('setSettings', { change: { startAtLogin } });

const KINDS = SYSTEMS.flatMap((system) => [false, true].map((isPackaged) => ({ system, isPackaged })));

describe.each(KINDS)('%o', ({ system, isPackaged }) => {
  const shared = DesktopApp.shared({ system, isPackaged });

  test('the app starts and accepts a reading', async () => {
    const app = shared();
    await app.withTray();
    const device = await app.register('Cistern');
    expect(await app.sendReading(device, 1)).toBe(200);
    const { devices } = await app.call('overview', { dayStart: 0 });
    expect(devices).toMatchObject([{ id: device.id, lastReceivedAt: expect.any(Number) }]);
  });

  if (system === 'win32') {
    test('Windows identifies the app by the id of its shortcut, or by its program', async () => {
      const { userModelId } = await shared().operate<SeenApp>('app');
      expect(userModelId).toBe(isPackaged ? 'app.wellhouse.desktop' : process.execPath);
    });
  }

  if (system === 'darwin' && !isPackaged) {
    test('a start at login is not offered to a clone', async () => {
      const app = shared();
      await app.opened();
      const { ownerView, settings } = await app.call('getSettings', {});
      expect(ownerView).toBe('desktop');
      expect([settings.closeBehaviour.applies, settings.startAtLogin.applies]).toEqual([true, false]);
      expect(await setStart(app, true)).toMatchObject({ problem: { kind: 'not_applicable' } });
      expect(await loginItems(app)).toEqual([]);
    });
  }

  if (system === 'darwin' && isPackaged) {
    test('a start at login is set for the installed app', async () => {
      const app = shared();
      await app.opened();
      expect(await setStart(app, true)).toMatchObject({ saved: true });
      expect(await loginItems(app)).toEqual([{ openAtLogin: true }]);
    });
  }

  test('the app quits, with all its files in its own folder', async () => {
    const app = shared();
    await app.opened();
    expect(await app.quit()).toBe(0);
    expect(existsSync(join(app.folder, 'data', 'private.db'))).toBe(true);
    expect(readdirSync(app.home)).toEqual([system === 'darwin' ? 'Library' : 'Wellhouse']);
  });
});

test('on Windows a start at login is registered with the app’s folder, once', async () => {
  const app = await DesktopApp.launch({ system: 'win32' });
  await app.opened();
  expect(await setStart(app, true)).toMatchObject({ saved: true });
  const args = [`"${process.cwd()}"`, '--hidden'];
  expect(await loginItems(app)).toEqual([{ openAtLogin: true, path: process.execPath, args }]);
  await app.dispose();
  // Registering it again would turn on what was turned off in the Task Manager.
  const again = await DesktopApp.launch({ system: 'win32', home: app.home });
  await again.opened();
  expect(await loginItems(again)).toEqual([]);
});

test('on macOS the refusal of a start at login is reported', async () => {
  const env = { STAND_IN_NO_LOGIN_ITEMS: '1' };
  const unsigned = await DesktopApp.launch({ system: 'darwin', isPackaged: true, env });
  await unsigned.opened();
  expect(await setStart(unsigned, true)).toMatchObject({ problem: { kind: 'failed' } });
});

test('on Linux the entry of a start at login runs this program, and is not created again', async () => {
  const app = await DesktopApp.launch({ system: 'linux' });
  await app.opened();
  await setStart(app, true);
  const path = join(app.home, 'autostart', 'wellhouse.desktop');
  const entry = readFileSync(path, 'utf8');
  expect(entry).toMatch(/^Exec=".+" ".+" "--hidden"$/m);
  await app.dispose();
  // The program lay elsewhere, and the owner turned the entry off in the desktop's settings.
  writeFileSync(path, `${entry.replace(/^Exec=.*$/m, 'Exec="/old/place" "--hidden"')}Hidden=true\n`);
  const moved = await DesktopApp.launch({ system: 'linux', home: app.home });
  await moved.opened();
  await eventually(() => readFileSync(path, 'utf8')).toBe(`${entry}Hidden=true\n`);
  await moved.dispose();
  rmSync(path);
  const removed = await DesktopApp.launch({ system: 'linux', home: app.home });
  await removed.withTray();
  expect(existsSync(path)).toBe(false);
  await setStart(removed, true);
  expect(existsSync(path)).toBe(true);
  await setStart(removed, false);
  expect(existsSync(path)).toBe(false);
});
