import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { NO_NOTES } from '../../src/shared/owner-api/devices.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { post } from '../../test/support/http.ts';
import { type DesktopApp, expect, isReal, SYSTEM, test } from '../support/desktop-app.ts';

interface SeenItem {
  readonly id: string | null;
  readonly role: string | null;
  readonly label: string | null;
  readonly accelerator: string | null;
  readonly enabled: boolean;
  readonly items: readonly SeenItem[];
}

async function opened(app: DesktopApp) {
  const page = await app.page();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  return page;
}

async function sendReading(app: DesktopApp, device: SimulatedDevice, seq: number) {
  const block = device.block({ seq, timestamp: Date.now(), plain: { ph: 6.5 } });
  return post(`${await app.url('local')}/v1/telemetry`, { blocks: [block] });
}

async function register(app: DesktopApp, name: string): Promise<SimulatedDevice> {
  const device = new SimulatedDevice({ name });
  await post(`${await app.url('local')}/v1/devices`, device.registration({ publishTo: 0 }));
  return device;
}

const trayText = async (app: DesktopApp) => JSON.stringify(await app.operate('tray'));
const flat = (items: readonly SeenItem[]): SeenItem[] => items.flatMap((item) => [item, ...flat(item.items)]);

test('the tray tells the state, the devices and the last reading', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await expect.poll(() => trayText(app)).toContain('Receiving readings');
  await expect.poll(() => trayText(app)).toContain('0 devices');
  expect(await trayText(app)).toContain('No reading yet');
  const device = await register(app, 'Tank one');
  await sendReading(app, device, 1);
  await expect.poll(() => trayText(app), { timeout: 15_000 }).toContain('1 device');
  await expect.poll(() => trayText(app), { timeout: 15_000 }).toContain('Last reading: ');
});

async function setPublic(app: DesktopApp, publicEnabled: boolean): Promise<void> {
  const page = await app.page();
  await page.evaluate(
    async (change) => {
      const { owner } = window as unknown as { owner: { call(method: string, input: unknown): Promise<unknown> } };
      return owner.call('setSettings', { change });
    },
    { publicEnabled },
  );
}

/** The tray's item for the public endpoint. */
async function publicItem(app: DesktopApp): Promise<{ label: string | null; enabled: boolean } | null> {
  const tray = await app.operate<{ items: readonly SeenItem[] } | null>('tray');
  const item = tray?.items.find(({ id }) => id === 'public');
  return item === undefined ? null : { label: item.label, enabled: item.enabled };
}

const PAUSE = { label: 'Pause the public endpoint', enabled: true };
const RESUME = { label: 'Turn the public endpoint on', enabled: true };
const FIRST = { label: 'Turn the public endpoint on…', enabled: true };

test('the tray pauses the public endpoint and turns it on again', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await expect.poll(() => publicItem(app)).toEqual(FIRST);
  await setPublic(app, true);
  await expect.poll(() => publicItem(app)).toEqual(PAUSE);
  const url = await app.url('public');
  expect((await fetch(`${url}/health`)).status).toBe(200);
  await app.operate('pressTray', 'public');
  await expect.poll(() => publicItem(app)).toEqual(RESUME);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect((await fetch(`${await app.url('local')}/health`)).status).toBe(200);
  await app.operate('pressTray', 'public');
  await expect.poll(() => app.url('public').catch(() => null)).not.toBeNull();
  await expect.poll(() => publicItem(app)).toEqual(PAUSE);
  // What the owner turned off in the settings is not merely paused.
  await setPublic(app, false);
  await expect.poll(() => publicItem(app)).toEqual(FIRST);
  expect(await app.operate('dialogs')).toEqual([]);
});

test('the tray leads to the settings for what becomes reachable', async ({ launch }) => {
  const app = await launch();
  const page = await opened(app);
  await expect.poll(() => publicItem(app)).toEqual(FIRST);
  await app.operate('pressTray', 'public');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await expect(app.url('public')).rejects.toThrow('does not listen');
});

test('a public port that was taken during a pause is reported, and the tray stays true', async ({ launch }) => {
  const holder = createServer((_request, response) => response.end());
  const listen = (at: number) => new Promise<void>((resolve) => void holder.listen(at, '0.0.0.0', resolve));
  const close = () => new Promise((resolve) => void holder.close(resolve));
  await listen(0);
  const { port } = holder.address() as AddressInfo;
  await close();
  const app = await launch({ env: { PUBLIC_PORT: String(port) } });
  await opened(app);
  await setPublic(app, true);
  await expect.poll(() => publicItem(app)).toEqual(PAUSE);
  await app.operate('pressTray', 'public');
  await expect.poll(() => publicItem(app)).toEqual(RESUME);
  await listen(port);
  try {
    await app.operate('pressTray', 'public');
    await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
    const [box] = await app.operate<{ message: string; detail: string }[]>('dialogs');
    expect(box!.message).toBe('The public endpoint is still off');
    if (SYSTEM === 'linux') expect(box!.detail).toContain(`Port ${port} is in use by node (${process.pid})`);
    await app.operate('answer', 1);
    expect(await publicItem(app)).toEqual(RESUME);
  } finally {
    await close();
  }
  await app.operate('pressTray', 'public');
  await expect.poll(() => publicItem(app)).toEqual(PAUSE);
  expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
});

for (const [value, label] of [
  ['true', 'Public endpoint: on, set by PUBLIC_ENABLED'],
  ['false', 'Public endpoint: off, set by PUBLIC_ENABLED'],
] as const) {
  test(`the tray says that PUBLIC_ENABLED=${value} wins`, async ({ launch }) => {
    const app = await launch({ env: { PUBLIC_ENABLED: value } });
    await opened(app);
    await expect.poll(() => publicItem(app)).toEqual({ label, enabled: false });
  });
}

test('the tray quits the app, and the node with it', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await expect.poll(() => app.operate('tray')).not.toBeNull();
  const url = await app.url('local');
  await app.operate('pressTray', 'quit');
  expect(await app.exited).toBe(0);
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect(app.log().at(-1)).toMatchObject({ msg: 'node stopped' });
});

test('the menu has the platform’s roles, our pages and their shortcuts', async ({ launch }) => {
  const app = await launch();
  const page = await opened(app);
  const items = flat(await app.operate<SeenItem[]>('menu'));
  const roles = items.map(({ role }) => role);
  for (const role of [
    'undo',
    'copy',
    'paste',
    'selectAll',
    'zoomIn',
    'zoomOut',
    'resetZoom',
    'togglefullscreen',
    'minimize',
  ]) {
    expect(roles).toContain(role);
  }
  expect(items.find(({ id }) => id === 'settings')?.accelerator).toBe('CommandOrControl+,');
  expect(items.find(({ id }) => id === 'quit')?.accelerator).toBe('CommandOrControl+Q');
  await page.evaluate(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    const { owner } = window as unknown as { owner: { listenDesktop(on: (...values: unknown[]) => void): void } };
    owner.listenDesktop((...values) => heard.push(values));
  });
  await app.operate('pressMenu', 'settings');
  await app.operate('pressMenu', 'lock-keys');
  const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
  await expect.poll(heard).toEqual([
    ['goTo', { page: 'settings' }],
    ['lockKeys', { reason: 'command' }],
  ]);
});

test('the about box names the versions and the node’s public key', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await app.operate('pressMenu', 'about');
  interface Box {
    readonly message: string;
    readonly detail: string;
  }
  await expect.poll(() => app.operate('dialogs')).toHaveLength(1);
  const [box] = await app.operate<Box[]>('dialogs');
  const { publicKey } = app.log().find(({ msg }) => msg === 'node started') as { publicKey: string };
  expect(box!.message).toMatch(/^Wellhouse \d/);
  expect(box!.detail).toContain(`Node ${process.versions.node.split('.')[0]}`);
  expect(box!.detail).toContain(publicKey);
  await app.operate('answer', 1);
  await expect.poll(() => app.operate('copied')).toContain(publicKey);
});

test('sleep locks the keys at once and is reported after waking', async ({ launch }) => {
  test.skip(isReal, 'nobody sends a real machine to sleep for a test');
  const app = await launch();
  const page = await opened(app);
  await page.evaluate(() => {
    const heard: unknown[] = [];
    Object.assign(window, { heard });
    const { owner } = window as unknown as { owner: { listenDesktop(on: (...values: unknown[]) => void): void } };
    owner.listenDesktop((...values) => heard.push(values));
  });
  const heard = () => page.evaluate(() => (window as unknown as { heard: [string, unknown][] }).heard);
  await app.lockScreen();
  await expect.poll(heard).toEqual([['lockKeys', { reason: 'suspend' }]]);
  await app.operate('sleep', 3 * 3_600_000);
  await expect.poll(async () => (await heard()).map(([event]) => event)).toEqual(['lockKeys', 'lockKeys', 'wake']);
  const [, , [, wake]] = (await heard()) as [unknown, unknown, [string, { from: number; to: number }]];
  expect(wake.to - wake.from).toBeGreaterThanOrEqual(3 * 3_600_000);
});

test('a device that is not registered is reported once', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  await expect.poll(() => trayText(app)).toContain('0 devices');
  const stranger = new SimulatedDevice({ name: 'Stranger' });
  expect((await sendReading(app, stranger, 1)).status).not.toBe(200);
  const told = () => app.operate<{ title: string; body: string }[]>('notifications');
  await expect.poll(told, { timeout: 15_000 }).toHaveLength(1);
  expect((await told())[0]!.title).toBe('An unregistered device is posting');
  expect((await told())[0]!.body).toContain(stranger.id.slice(0, 8));
  await sendReading(app, stranger, 2);
  await register(app, 'Tank one');
  await expect.poll(() => trayText(app), { timeout: 15_000 }).toContain('1 device');
  expect(await told()).toHaveLength(1);
});

test('a notification can be clicked long after it was shown', async ({ launch }) => {
  test.skip(isReal, 'the garbage of a real Electron is not collected on demand');
  const app = await launch();
  await opened(app);
  await expect.poll(() => trayText(app)).toContain('0 devices');
  expect((await sendReading(app, new SimulatedDevice({ name: 'Stranger' }), 1)).status).not.toBe(200);
  await expect.poll(() => app.operate('notifications'), { timeout: 15_000 }).toHaveLength(1);
  await app.operate('minimizeWindow');
  await app.operate('collectGarbage');
  expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: true });
  expect(await app.operate('window')).toMatchObject({ isFront: true });
  await app.operate('collectGarbage');
  expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: false });
});

test('a device that falls silent is reported', async ({ launch }) => {
  const app = await launch();
  const page = await opened(app);
  const device = await register(app, 'Tank one');
  await sendReading(app, device, 1);
  const notes = { ...NO_NOTES, displayName: 'Greenhouse', silentAfterMs: 8000 };
  await page.evaluate(
    async (input) => {
      const { owner } = window as unknown as { owner: { call(method: string, input: unknown): Promise<unknown> } };
      return owner.call('setNotes', input);
    },
    { id: device.id, notes },
  );
  const told = () => app.operate<{ title: string }[]>('notifications');
  await expect.poll(told, { timeout: 25_000 }).toMatchObject([{ title: 'Greenhouse is silent' }]);
});

test('a store that refuses to write is reported', async ({ launch }) => {
  const app = await launch();
  await opened(app);
  const device = await register(app, 'Tank one');
  // Held as by another program, for longer than the node waits.
  const other = new Database(join(app.folder, 'data', 'private.db'));
  try {
    other.exec('BEGIN IMMEDIATE');
    expect((await sendReading(app, device, 1)).status).toBe(503);
  } finally {
    other.close();
  }
  const told = () => app.operate<{ title: string }[]>('notifications');
  await expect.poll(told).toMatchObject([{ title: 'Readings can’t be stored' }]);
  expect((await sendReading(app, device, 1)).status).toBe(200);
});

test('a port that is taken opens the window all the same', async ({ launch }) => {
  const holder = createServer((_request, response) => response.end());
  await new Promise<void>((resolve) => {
    holder.listen(0, '127.0.0.1', resolve);
  });
  const { port } = holder.address() as AddressInfo;
  const app = await launch({ env: { LOCAL_PORT: String(port) } });
  const page = await app.page();
  const state = () =>
    page.evaluate(async () => {
      type Answer = { ok: boolean; json: string };
      const { owner } = window as unknown as {
        owner: { callDesktop(method: string, input: unknown): Promise<Answer> };
      };
      return JSON.parse((await owner.callDesktop('nodeState', {})).json) as { state: string };
    });
  // Only Linux tells who listens.
  const who = SYSTEM === 'linux' ? { name: 'node', pid: process.pid } : null;
  await expect.poll(state).toMatchObject({
    state: 'failed',
    problem: { kind: 'port', listener: 'local', port, reason: 'taken', holder: who },
  });
  await expect.poll(() => trayText(app)).toContain('Not running');
  await new Promise((resolve) => holder.close(resolve));
  await page.evaluate(() => {
    const { owner } = window as unknown as { owner: { callDesktop(method: string, input: unknown): Promise<unknown> } };
    return owner.callDesktop('startNode', {});
  });
  await expect.poll(state).toMatchObject({ state: 'running' });
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});
