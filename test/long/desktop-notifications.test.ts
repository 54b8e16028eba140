import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { DesktopApp, eventually } from '../support/desktop-app.ts';

const told = (app: DesktopApp) => app.operate<{ title: string; body: string }[]>('notifications');

/** Resolves once the app has looked at its devices: what is so at the first look is no news. */
async function looked(app: DesktopApp): Promise<void> {
  await app.withTray();
  await eventually(async () => JSON.stringify(await app.tray())).toContain('0 devices');
}

test('a device that is not registered is reported once', async () => {
  const app = await DesktopApp.launch();
  await looked(app);
  const stranger = new SimulatedDevice({ name: 'Stranger' });
  expect(await app.sendReading(stranger, 1)).not.toBe(200);
  await eventually(() => told(app)).toHaveLength(1);
  expect((await told(app))[0]!.title).toBe('An unregistered device is posting');
  expect((await told(app))[0]!.body).toContain(stranger.id.slice(0, 8));
  await app.sendReading(stranger, 2);
  await app.register('Tank one');
  await eventually(async () => JSON.stringify(await app.tray())).toContain('1 device');
  expect(await told(app)).toHaveLength(1);
});

test('a notification can be clicked long after it was shown', async () => {
  const app = await DesktopApp.launch();
  await looked(app);
  expect(await app.sendReading(new SimulatedDevice({ name: 'Stranger' }), 1)).not.toBe(200);
  await eventually(() => told(app)).toHaveLength(1);
  await app.operate('minimizeWindow');
  // For a second the app waits for a fault. Only this keeps the notification alive.
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await app.operate('collectGarbage');
  expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: true });
  expect(await app.window()).toMatchObject({ isFront: true });
  await app.operate('collectGarbage');
  expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: false });
});

test('a device that falls silent is reported', async () => {
  const app = await DesktopApp.launch();
  await app.opened();
  const device = await app.register('Tank one');
  await app.sendReading(device, 1);
  const notes = { ...NO_NOTES, displayName: 'Greenhouse', silentAfterMs: 8000 };
  await app.call('setNotes', { id: device.id, notes });
  await eventually(() => told(app)).toMatchObject([{ title: 'Greenhouse is silent' }]);
});

test('a store that refuses to write is reported', async () => {
  const app = await DesktopApp.launch();
  await app.opened();
  const device = await app.register('Tank one');
  // Held as by another program, for longer than the node waits.
  const other = new Database(join(app.folder, 'data', 'private.db'));
  try {
    other.exec('BEGIN IMMEDIATE');
    expect(await app.sendReading(device, 1)).toBe(503);
  } finally {
    other.close();
  }
  await eventually(() => told(app)).toMatchObject([{ title: 'Readings can’t be stored' }]);
  expect(await app.sendReading(device, 1)).toBe(200);
});

test.each(['darwin', 'win32'] as const)(
  'a notification that %s does not show goes to the log and is forgotten',
  async (system) => {
    const app = await DesktopApp.launch({ system, env: { STAND_IN_NOTIFICATIONS_FAIL: '1' } });
    await looked(app);
    await app.sendReading(new SimulatedDevice({ name: 'Stranger' }), 1);
    const failed = () => app.log().find(({ msg }) => msg === 'a notification was not shown');
    await eventually(failed).toMatchObject({ notice: 'knocking', reason: 'not allowed' });
    await app.operate('collectGarbage');
    expect(await app.operate('clickNotification', 0)).toEqual({ isHeard: false });
  },
);
