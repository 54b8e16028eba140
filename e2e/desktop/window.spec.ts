import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { desktopFolderIn, isolatedHome } from '../../test/support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../../test/support/node-process.ts';
import { type DesktopApp, expect, isReal, SYSTEM, test } from '../support/desktop-app.ts';

const ALWAYS_A_TRAY = 'macOS and Windows always have a tray';

interface SeenWindow {
  readonly bounds: { x: number; y: number; width: number; height: number };
  readonly isShown: boolean;
  readonly isFront: boolean;
  readonly isOpen: boolean;
  readonly count: number;
}

const seen = (app: DesktopApp) => app.operate<SeenWindow>('window');
const isShown = async (app: DesktopApp) => (await seen(app)).isShown;

async function opened(app: DesktopApp): Promise<void> {
  await expect((await app.page()).getByText('Live', { exact: true })).toBeVisible();
  await expect.poll(() => isShown(app)).toBe(true);
}

async function withTray(app: DesktopApp): Promise<void> {
  await opened(app);
  await expect.poll(() => app.operate('tray')).not.toBeNull();
}

function settingsOf(app: DesktopApp): Record<string, unknown> {
  return JSON.parse(readFileSync(join(app.folder, 'settings.json'), 'utf8')) as Record<string, unknown>;
}

function withSettings(app: { folder: string }, settings: object): void {
  mkdirSync(app.folder, { recursive: true });
  writeFileSync(join(app.folder, 'settings.json'), JSON.stringify(settings));
}

test('a second start ends at once and brings the first one’s window forward', async ({ launch }) => {
  test.skip(isReal, 'the second start is made by the stand-in');
  const app = await launch();
  await opened(app);
  await app.operate('minimizeWindow');
  expect(await app.startOver()).toBe(0);
  await expect.poll(async () => (await seen(app)).isFront).toBe(true);
  expect((await seen(app)).count).toBe(1);
});

test('npm start without a display says that the app runs on the same data', async ({ launch }) => {
  test.skip(SYSTEM !== process.platform, 'the node alone knows which system it really runs on');
  const app = await launch();
  await opened(app);
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['out/main/headless.js', '--desktop'], {
    encoding: 'utf8',
    env: { PATH, ...isolatedHome(app.home) },
    timeout: 20_000,
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('the desktop app of Wellhouse (or a node without --ui) runs on');
  expect(stderr).toContain('use its window, or quit it first');
});

test('closing asks once, then hides to the tray, and the node goes on', async ({ launch }) => {
  const app = await launch();
  await withTray(app);
  await app.operate('closeWindow');
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
  expect(await isShown(app)).toBe(true);
  await app.operate('answer', 0);
  await expect.poll(() => isShown(app)).toBe(false);
  expect(settingsOf(app)).toMatchObject({ closeBehaviour: 'tray' });
  expect((await fetch(`${await app.url('local')}/health`)).status).toBe(200);

  await app.operate('pressTray', 'open');
  await expect.poll(() => isShown(app)).toBe(true);
  await app.operate('closeWindow');
  await expect.poll(() => isShown(app)).toBe(false);
  expect(await app.operate('dialogs')).toEqual([]);
});

test('closing may be called off, and may quit', async ({ launch }) => {
  const app = await launch();
  await withTray(app);
  await app.operate('closeWindow');
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
  await app.operate('answer', 2);
  expect((await seen(app)).isOpen).toBe(true);
  await app.operate('closeWindow');
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
  await app.operate('answer', 1);
  expect(await app.exited).toBe(0);
  expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
});

test('a quit waits for the node, but never holds up a shutdown of the machine', async ({ launch }) => {
  test.skip(isReal, 'nobody shuts a real machine down for a test');
  const app = await launch();
  await withTray(app);
  expect(await app.operate('shutDown')).toEqual({ isHeldUp: false });
  expect(await app.exited).toBe(0);
  const again = await launch({ home: app.home });
  await withTray(again);
  await again.operate('quit');
  expect(await again.exited).toBe(0);
  expect(again.log().at(-1)).toMatchObject({ msg: 'node stopped' });
});

test('where there is no tray closing quits, without a question', async ({ launch }) => {
  test.skip(SYSTEM !== 'linux', ALWAYS_A_TRAY);
  const app = await launch({ hasTray: false });
  await opened(app);
  expect(await app.operate('tray')).toBeNull();
  await app.operate('closeWindow');
  expect(await app.exited).toBe(0);
});

test('a start at login stays in the tray, or opens where there is none', async ({ launch }) => {
  const hidden = await launch({ args: ['--hidden'] });
  await expect.poll(() => hidden.operate('tray')).not.toBeNull();
  await expect((await hidden.page()).getByText('Live', { exact: true })).toBeVisible();
  expect(await isShown(hidden)).toBe(false);
  await hidden.operate('pressTray', 'open');
  expect(await isShown(hidden)).toBe(true);

  test.skip(SYSTEM !== 'linux', ALWAYS_A_TRAY);
  const shown = await launch({ args: ['--hidden'], hasTray: false });
  await expect((await shown.page()).getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  expect(await isShown(shown)).toBe(true);
});

/** Without a window there is nothing else to see it by. */
function hasStarted(app: DesktopApp): boolean {
  const log = join(app.folder, 'logs', 'wellhouse.log');
  return existsSync(log) && readFileSync(log, 'utf8').includes('"node started"');
}

test('a tray that comes after a start at login is waited for', async ({ launch }) => {
  test.skip(SYSTEM !== 'linux', ALWAYS_A_TRAY);
  const app = await launch({ args: ['--hidden'], hasTray: 'late' });
  await expect.poll(() => hasStarted(app)).toBe(true);
  expect(await app.operate('tray')).toBeNull();
  await app.startTray();
  await expect.poll(() => app.operate('tray')).not.toBeNull();
  await expect((await app.page()).getByText('Live', { exact: true })).toBeVisible();
  expect(await isShown(app)).toBe(false);
  await app.operate('pressTray', 'open');
  expect(await isShown(app)).toBe(true);
});

test('a tray that comes after the window was opened is used all the same', async ({ launch }) => {
  test.skip(SYSTEM !== 'linux', ALWAYS_A_TRAY);
  const app = await launch({ hasTray: 'late' });
  await opened(app);
  expect(await app.operate('tray')).toBeNull();
  await app.startTray();
  await withTray(app);
  await app.operate('closeWindow');
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
});

test('a second start while a start at login waits opens the one window', async ({ launch }) => {
  test.skip(isReal, 'the second start is made by the stand-in');
  test.skip(SYSTEM !== 'linux', ALWAYS_A_TRAY);
  const app = await launch({ args: ['--hidden'], hasTray: 'late' });
  await expect.poll(() => hasStarted(app)).toBe(true);
  expect(await app.startOver()).toBe(0);
  await opened(app);
  await app.startTray();
  await withTray(app);
  expect(await seen(app)).toMatchObject({ count: 1, isShown: true });
});

test('the window has the app’s icon where the system would show none', async ({ launch }) => {
  test.skip(isReal || SYSTEM !== 'linux', 'a real window does not tell its icon');
  const app = await launch();
  await opened(app);
  const { options } = await app.operate<{ options: { icon: string } }>('window');
  expect(existsSync(options.icon)).toBe(true);
});

test('the window comes back where it was, and onto the screen', async ({ launch }) => {
  test.skip(isReal, 'the bounds are set by the stand-in');
  const first = await launch();
  await opened(first);
  const place = { x: 300, y: 120, width: 1000, height: 700 };
  await first.operate('moveWindow', place);
  await first.operate('quit');
  await first.exited;
  const second = await launch({ home: first.home });
  await opened(second);
  expect((await seen(second)).bounds).toEqual(place);
  // As on a second screen that is not there any more.
  await second.operate('moveWindow', { x: 4000, y: 120, width: 1000, height: 700 });
  await second.operate('quit');
  await second.exited;
  const third = await launch({ home: first.home });
  await opened(third);
  const { bounds } = await seen(third);
  expect(bounds.x + bounds.width).toBeLessThanOrEqual(1920);
  expect(bounds).toMatchObject({ width: 1000, height: 700 });
});

test('a renderer that fails is loaded again once; the second time the owner is told', async ({ launch }) => {
  test.skip(isReal, 'the failure is made by the stand-in');
  const app = await launch();
  const page = await app.page();
  await opened(app);
  await page.evaluate(() => Object.assign(window, { isStillThis: true }));
  await app.operate('crashRenderer');
  // While it is loaded again there is nothing to ask.
  const isStillThis = () => page.evaluate(() => 'isStillThis' in window).catch(() => true);
  await expect.poll(isStillThis).toBe(false);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  expect(await app.operate('dialogs')).toEqual([]);
  await app.operate('crashRenderer');
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
  expect(app.log().filter(({ msg }) => msg === 'the renderer failed')).toHaveLength(2);
  await app.operate('answer', 0);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('an error that nothing catches goes to the log', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await (await app.page()).evaluate(() => {
    window.setTimeout(() => {
      throw new RangeError('made by a test');
    });
  });
  await expect
    .poll(() => app.log().find(({ message }) => /Uncaught.*made by a test/.test(String(message))))
    .toBeDefined();
});

test('a folder that can’t be used is reported before there is a window', async ({ launch }) => {
  test.skip(isReal, 'a real Electron refuses the folder itself');
  const home = temporaryFolder();
  mkdirSync(desktopFolderIn(home, SYSTEM), { recursive: true });
  writeFileSync(join(desktopFolderIn(home, SYSTEM), 'logs'), 'a file where a folder is to be');
  const app = await launch({ home });
  expect(await app.exited).toBe(1);
  removeFolder(home);
});

test('theme and language of the settings are those of the page, whatever it kept before', async ({ launch }) => {
  const home = temporaryFolder();
  withSettings({ folder: desktopFolderIn(home, SYSTEM) }, { theme: 'dark', language: 'es' });
  const app = await launch({ home });
  const page = await app.page();
  const inSpanish = async () => {
    await expect(page.getByRole('link', { name: 'Ajustes' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  };
  await inSpanish();
  await page.evaluate(() => {
    localStorage.setItem('wellhouse.language', 'pt-BR');
    localStorage.setItem('wellhouse.color-scheme', 'light');
  });
  await page.reload();
  await inSpanish();
  await app.dispose();
  removeFolder(home);
});

test('theme and language of the settings are those of the shell', async ({ launch }) => {
  const first = await launch();
  await withTray(first);
  expect(await first.operate('theme')).toBe('system');
  withSettings(first, { theme: 'dark', language: 'pt-BR', closeBehaviour: 'tray' });
  await first.operate('quit');
  await first.exited;
  const app = await launch({ home: first.home });
  await expect.poll(() => app.operate('tray')).not.toBeNull();
  expect(await app.operate('theme')).toBe('dark');
  expect(JSON.stringify(await app.operate('menu'))).toContain('Sobre o Wellhouse');
  expect(JSON.stringify(await app.operate('tray'))).toContain('Abrir o Wellhouse');
});
