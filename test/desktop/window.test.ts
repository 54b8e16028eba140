import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { DesktopApp, eventually, SYSTEM } from '../support/desktop-app.ts';
import { desktopFolderIn, isolatedHome } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const isShown = async (app: DesktopApp) => (await app.window()).isShown;

describe('on a running node', () => {
  const shared = DesktopApp.shared();

  test('the log has the page’s uncaught errors, and nothing else of the page', async () => {
    const app = shared();
    const page = await app.opened();
    page.say('error', 'a reading of 6.25');
    page.say('log', 'Uncaught but only reported');
    page.say('error', 'Uncaught RangeError: made by a test');
    await eventually(() => app.log().filter(({ msg }) => msg === 'renderer')).toEqual([
      expect.objectContaining({ message: 'Uncaught RangeError: made by a test', at: 'app://wellhouse/:1' }),
    ]);
  });

  test('a second start ends at once and shows the window of the first', async () => {
    const app = shared();
    await app.opened();
    await app.operate('minimizeWindow');
    expect((await app.window()).isFront).toBe(false);
    expect(await app.startOver()).toBe(0);
    await eventually(async () => (await app.window()).isFront).toBe(true);
    expect((await app.window()).count).toBe(1);
  });

  // The node alone knows which system it really runs on.
  test.skipIf(SYSTEM !== process.platform)(
    'npm start without a display says that the app runs on the same data',
    async () => {
      const app = shared();
      await app.opened();
      const child = spawn(process.execPath, ['out/main/headless.js', '--desktop'], {
        env: { PATH: process.env.PATH, ...isolatedHome(app.home) },
        timeout: 20_000,
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain('the Wellhouse desktop app (or a node without --ui) runs on');
      expect(stderr).toContain('use its window, or quit it first');
    },
  );

  test('a renderer that fails is reloaded once; the second failure is reported to the owner', async () => {
    const app = shared();
    const page = await app.opened();
    expect(page.loads).toBe(1);
    await app.operate('crashRenderer');
    await eventually(() => page.loads).toBe(2);
    expect(await app.state()).toMatchObject({ state: 'running' });
    expect(await app.operate('dialogs')).toEqual([]);
    await app.operate('crashRenderer');
    await eventually(() => app.operate('dialogs')).toHaveLength(1);
    expect(page.loads).toBe(2);
    expect(app.log().filter(({ msg }) => msg === 'the renderer failed')).toHaveLength(2);
    await app.operate('answer', 0);
    await eventually(() => page.loads).toBe(3);
    expect(await app.state()).toMatchObject({ state: 'running' });
  });

  test('closing asks until the owner decides, then hides to the tray or quits', async () => {
    const app = shared();
    await app.withTray();
    await app.operate('closeWindow');
    await eventually(() => app.operate('dialogs')).toHaveLength(1);
    expect(await isShown(app)).toBe(true);
    await app.operate('answer', 2);
    expect((await app.window()).isOpen).toBe(true);

    await app.operate('closeWindow');
    await eventually(() => app.operate('dialogs')).toHaveLength(1);
    await app.operate('answer', 0);
    await eventually(() => isShown(app)).toBe(false);
    expect(app.kept()).toMatchObject({ closeBehaviour: 'tray' });
    expect((await fetch(`${await app.url('local')}/health`)).status).toBe(200);

    await app.operate('pressTray', 'open');
    await eventually(() => isShown(app)).toBe(true);
    await app.operate('closeWindow');
    await eventually(() => isShown(app)).toBe(false);
    expect(await app.operate('dialogs')).toEqual([]);

    await app.call('setSettings', { change: { closeBehaviour: 'ask' } });
    await app.operate('pressTray', 'open');
    await app.operate('closeWindow');
    await eventually(() => app.operate('dialogs')).toHaveLength(1);
    await app.operate('answer', 1);
    expect(await app.exited).toBe(0);
    expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
  });
});

test('without a tray, closing quits without a question', async () => {
  const app = await DesktopApp.launch({ system: 'linux', hasTray: false });
  await app.opened();
  // The system would show no icon for the window.
  const { options } = await app.operate<{ options: { icon: string } }>('window');
  expect(existsSync(options.icon)).toBe(true);
  expect(await app.tray()).toBeNull();
  await app.operate('closeWindow');
  expect(await app.exited).toBe(0);
  expect(await app.operate('dialogs')).toEqual([]);
});

test('a start at login opens its window if there is no tray', async () => {
  const app = await DesktopApp.launch({ system: 'linux', args: ['--hidden'], hasTray: false });
  await app.opened();
  expect(await isShown(app)).toBe(true);
});

/** Without a window there is nothing else to see it by. */
const hasStarted = (app: DesktopApp) => app.log().some(({ msg }) => msg === 'node started');

test('a start at login waits for a late tray', async () => {
  const app = await DesktopApp.launch({ system: 'linux', args: ['--hidden'], hasTray: 'late' });
  await eventually(() => hasStarted(app)).toBe(true);
  expect(await app.tray()).toBeNull();
  await app.startTray();
  await app.withTray();
  expect(await isShown(app)).toBe(false);
  await app.operate('pressTray', 'open');
  expect(await isShown(app)).toBe(true);
});

test('a tray that appears after the window is still used', async () => {
  const app = await DesktopApp.launch({ system: 'linux', hasTray: 'late' });
  await app.opened();
  expect(await app.tray()).toBeNull();
  await app.startTray();
  await app.withTray();
  await app.operate('closeWindow');
  await eventually(() => app.operate('dialogs')).toHaveLength(1);
});

test('a second start while a start at login waits opens the only window', async () => {
  const app = await DesktopApp.launch({ system: 'linux', args: ['--hidden'], hasTray: 'late' });
  await eventually(() => hasStarted(app)).toBe(true);
  expect(await app.startOver()).toBe(0);
  await app.opened();
  await app.startTray();
  await app.withTray();
  expect(await app.window()).toMatchObject({ count: 1, isShown: true });
});

test('a folder that can’t be used is reported before there is a window', async () => {
  const home = temporaryFolder();
  const folder = desktopFolderIn(home, SYSTEM);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'logs'), 'a file where a folder is to be');
  const app = await DesktopApp.launch({ home });
  expect(await app.exited).toBe(1);
  expect(await app.operate('errorBoxes')).toMatchObject([
    { title: 'Wellhouse', content: expect.stringContaining('logs') },
  ]);
  await app.dispose();
  removeFolder(home);
});

test('on macOS a start at login shows no window, and one in full screen leaves it before it goes to the tray', async () => {
  const app = await DesktopApp.launch({
    system: 'darwin',
    isPackaged: true,
    env: { STAND_IN_OPENED_AT_LOGIN: '1' },
  });
  await app.withTray();
  expect(await isShown(app)).toBe(false);
  await app.operate('pressTray', 'open');
  expect(await isShown(app)).toBe(true);
  await app.call('setSettings', { change: { closeBehaviour: 'tray' } });
  await app.operate('fullScreen');
  await eventually(async () => (await app.window()).isFullScreen).toBe(true);
  await app.operate('closeWindow');
  await eventually(() => app.window()).toMatchObject({
    isShown: false,
    isFullScreen: false,
    isHiddenInFullScreen: false,
  });
});

test('a later start has the window’s place, within the screen, and the theme and language of the settings', async () => {
  const first = await DesktopApp.launch();
  await first.withTray();
  expect(await first.operate('theme')).toBe('system');
  const place = { x: 300, y: 120, width: 1000, height: 700 };
  await first.operate('moveWindow', place);
  await first.dispose();

  const settings = { localPort: 0, theme: 'dark', language: 'pt-BR' };
  const second = await DesktopApp.launch({ home: first.home, settings });
  await second.withTray();
  expect((await second.window()).bounds).toEqual(place);
  expect(await second.operate('theme')).toBe('dark');
  expect(JSON.stringify(await second.operate('menu'))).toContain('Sobre o Wellhouse');
  expect(JSON.stringify(await second.tray())).toContain('Abrir o Wellhouse');
  // As on a second screen that is not there any more.
  await second.operate('moveWindow', { x: 4000, y: 120, width: 1000, height: 700 });
  await second.dispose();

  const third = await DesktopApp.launch({ home: first.home });
  await third.opened();
  const { bounds } = await third.window();
  expect(bounds.x + bounds.width).toBeLessThanOrEqual(1920);
  expect(bounds).toMatchObject({ width: 1000, height: 700 });
});
