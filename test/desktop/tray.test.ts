import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { DesktopApp, eventually } from '../support/desktop-app.ts';

const trayText = async (app: DesktopApp) => JSON.stringify(await app.tray());

/** The tray's item for the public endpoint. */
async function publicItem(app: DesktopApp): Promise<{ label: string | null; enabled: boolean } | null> {
  const item = (await app.tray())?.items.find(({ id }) => id === 'public');
  return item === undefined ? null : { label: item.label, enabled: item.enabled };
}

const setPublic = (app: DesktopApp, publicEnabled: boolean) => app.call('setSettings', { change: { publicEnabled } });
const PAUSE = { label: 'Pause the public endpoint', enabled: true };
const RESUME = { label: 'Turn the public endpoint on', enabled: true };
const FIRST = { label: 'Turn the public endpoint on…', enabled: true };

describe('on a running node', () => {
  const shared = DesktopApp.shared({ settings: { localPort: 0, publicPort: 0 } });

  test('the tray shows the state, the devices and the last reading', async () => {
    const app = shared();
    await app.withTray();
    await eventually(() => trayText(app)).toContain('Receiving readings');
    await eventually(() => trayText(app)).toContain('0 devices');
    expect(await trayText(app)).toContain('No reading yet');
    const device = await app.register('Tank one');
    expect(await app.sendReading(device, 1)).toBe(200);
    await eventually(() => trayText(app)).toContain('1 device');
    await eventually(() => trayText(app)).toContain('Last reading: ');
  });

  test('the tray opens the settings to make the node reachable', async () => {
    const app = shared();
    await app.withTray();
    const heard = await app.hears();
    await eventually(() => publicItem(app)).toEqual(FIRST);
    await app.operate('pressTray', 'public');
    await eventually(heard).toContainEqual(['goTo', { page: 'settings' }]);
    await expect(app.url('public')).rejects.toThrow('does not listen');
  });

  test('the tray pauses the public endpoint and turns it on again', async () => {
    const app = shared();
    await app.withTray();
    await eventually(() => publicItem(app)).toEqual(FIRST);
    await setPublic(app, true);
    await eventually(() => publicItem(app)).toEqual(PAUSE);
    const url = await app.url('public');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await app.operate('pressTray', 'public');
    await eventually(() => publicItem(app)).toEqual(RESUME);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect((await fetch(`${await app.url('local')}/health`)).status).toBe(200);
    await app.operate('pressTray', 'public');
    await eventually(() => app.url('public').catch(() => null)).not.toBeNull();
    await eventually(() => publicItem(app)).toEqual(PAUSE);
    // What the owner turned off in the settings is not merely paused, even where it was paused and turned on there.
    await app.operate('pressTray', 'public');
    await eventually(() => publicItem(app)).toEqual(RESUME);
    await setPublic(app, true);
    await eventually(() => publicItem(app)).toEqual(PAUSE);
    await setPublic(app, false);
    await eventually(() => publicItem(app)).toEqual(FIRST);
    expect(await app.operate('dialogs')).toEqual([]);
  });

  test('a public port that was taken during a pause is reported, and the tray stays true', async () => {
    const holder = createServer((_request, response) => response.end());
    const listen = (at: number) => new Promise<void>((resolve) => void holder.listen(at, '0.0.0.0', resolve));
    const close = () => new Promise((resolve) => void holder.close(resolve));
    await listen(0);
    const { port } = holder.address() as AddressInfo;
    await close();
    const app = shared();
    await app.withTray();
    await app.call('setSettings', { change: { publicEnabled: true, publicPort: port } });
    await eventually(() => publicItem(app)).toEqual(PAUSE);
    await app.operate('pressTray', 'public');
    await eventually(() => publicItem(app)).toEqual(RESUME);
    await listen(port);
    try {
      await app.operate('pressTray', 'public');
      await eventually(() => app.operate('dialogs')).toHaveLength(1);
      const [box] = await app.operate<{ message: string; detail: string }[]>('dialogs');
      expect(box!.message).toBe('The public endpoint is still off');
      if (process.platform === 'linux')
        expect(box!.detail).toMatch(new RegExp(`Port ${port} is in use by .*\\(${process.pid}\\)`));
      await app.operate('answer', 1);
      expect(await publicItem(app)).toEqual(RESUME);
    } finally {
      await close();
    }
    await app.operate('pressTray', 'public');
    await eventually(() => publicItem(app)).toEqual(PAUSE);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  test('the tray quits the app, and the node with it', async () => {
    const app = shared();
    await app.withTray();
    const url = await app.url('local');
    await app.operate('pressTray', 'quit');
    expect(await app.exited).toBe(0);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
  });
});

test.each([
  ['true', 'Public endpoint: on, set by PUBLIC_ENABLED'],
  ['false', 'Public endpoint: off, set by PUBLIC_ENABLED'],
])('the tray names PUBLIC_ENABLED=%s as the cause', async (value, label) => {
  const app = await DesktopApp.launch({ env: { PUBLIC_ENABLED: value } });
  await app.withTray();
  await eventually(() => publicItem(app)).toEqual({ label, enabled: false });
});

test.each([
  ['linux', true],
  ['darwin', false],
  ['win32', true],
] as const)('a start at login on %s stays in the tray; a click opens the window: %s', async (system, opens) => {
  const app = await DesktopApp.launch({ system, args: ['--hidden'] });
  await app.withTray();
  expect((await app.window()).isShown).toBe(false);
  await app.operate('clickTray');
  expect((await app.window()).isShown).toBe(opens);
  await app.operate('pressTray', 'open');
  expect((await app.window()).isShown).toBe(true);
});
