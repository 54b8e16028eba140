import { expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../support/alerts.ts';
import { DesktopApp, eventually } from '../support/desktop-app.ts';

/** Has the app's node watch the pH of a device in its range, and tell by notifications. Sends a pH. */
async function watching(app: DesktopApp): Promise<(ph: number) => Promise<void>> {
  await app.withTray();
  const device = await app.register('Tank one');
  await app.call('writeAlertRule', { rule: RANGE_RULE });
  await app.call('writeAlertChannel', {
    channel: { id: null, name: '', isOn: true, withoutValues: false, target: { kind: 'desktop' } },
    secrets: {},
  });
  let seq = 0;
  const send = async (ph: number): Promise<void> => {
    seq += 1;
    expect(await app.sendReading(device, seq, ph)).toBe(200);
  };
  await send(6);
  return send;
}

interface Told {
  readonly title: string;
  readonly body: string;
  readonly actions?: readonly { readonly text: string }[];
}
const told = (app: DesktopApp) => app.operate<Told[]>('notifications');
const alertItem = async (app: DesktopApp) => (await app.tray())!.items.find(({ id }) => id === 'alerts')?.label ?? null;
const stateOf = async (app: DesktopApp) => (await app.call('alerts', {})).alerts.map(({ state }) => state);

test.each([
  ['linux', 1],
  ['darwin', 1],
  ['win32', 0],
] as const)(
  'on %s the tray counts alerts until they end, the dock too, and a click on a notification opens its alert',
  async (system, onDock) => {
    const app = await DesktopApp.launch({ system });
    const send = await watching(app);
    const heard = await app.hears();
    const badge = async () => (await app.operate<{ badgeCount: number }>('app')).badgeCount;
    const icon = async () => (await app.tray())!.image.path;
    expect(await alertItem(app)).toBeNull();
    expect(await icon()).toMatch(/tray(Template)?\.png$/);
    await send(5.1);
    await eventually(() => told(app)).toHaveLength(1);
    expect((await told(app))[0]!.title).toContain('Tank one');
    await eventually(() => alertItem(app)).toBe('1 active alert');
    expect((await app.tray())!.toolTip).toContain('1 active alert');
    await eventually(icon).toMatch(/trayAlert(Template)?\.png$/);
    await eventually(badge).toBe(onDock);

    const [alert] = (await app.call('alerts', {})).alerts;
    await app.operate('minimizeWindow');
    await app.operate('clickNotification', 0);
    await eventually(heard).toContainEqual(['openAlert', { id: alert!.id }]);
    expect(await app.window()).toMatchObject({ isFront: true });
    await app.operate('pressTray', 'alerts');
    await eventually(heard).toContainEqual(['openAlert', { id: null }]);

    await send(6);
    await eventually(() => told(app)).toHaveLength(2);
    await eventually(() => alertItem(app)).toBeNull();
    await eventually(icon).toMatch(/tray(Template)?\.png$/);
    await eventually(badge).toBe(0);
  },
);

test('an alert is acknowledged or snoozed from its notification', async () => {
  const app = await DesktopApp.launch();
  const send = await watching(app);
  await send(5.1);
  await eventually(() => told(app)).toHaveLength(1);
  expect((await told(app))[0]!.actions?.map(({ text }) => text)).toEqual(['Acknowledge', 'Snooze for an hour']);
  expect(await app.operate('pressNotification', 0, 0)).toEqual({ isHeard: true });
  await eventually(() => stateOf(app)).toEqual(['acknowledged']);
  await send(6);
  await eventually(() => stateOf(app)).toEqual([]);
  await eventually(() => told(app)).toHaveLength(2);
  // What has ended can't be silenced.
  expect((await told(app))[1]!.actions).toBeUndefined();

  await send(5.1);
  await eventually(() => told(app)).toHaveLength(3);
  expect(await app.operate('pressNotification', 2, 1)).toEqual({ isHeard: true });
  await eventually(() => stateOf(app)).toEqual(['snoozed']);
  const { snoozedUntil } = (await app.call('alerts', {})).alerts[0]!;
  expect(Math.abs(snoozedUntil! - Date.now() - 3_600_000)).toBeLessThan(60_000);
});

test('with a channel for notifications, a rule’s alert is shown once', async () => {
  const app = await DesktopApp.launch();
  await watching(app);
  // What is there at the first look at the overview is no news.
  await eventually(async () => (await app.tray())!.toolTip).toContain('Last reading');
  const stranger = new SimulatedDevice({ name: 'Stranger' });
  // A registration and a block may cross: the third time is a fault.
  for (let times = 0; times < 3; times += 1) expect(await app.sendReading(stranger, 1, 6)).not.toBe(200);
  await eventually(async () => (await told(app)).map(({ title }) => title)).toEqual([
    'A device of yours is not registered',
  ]);
  // The app looks at the overview meanwhile, where the device stands too.
  await app.register('Tank two');
  await eventually(async () => (await app.tray())!.toolTip).toContain('2 devices');
  expect(await told(app)).toHaveLength(1);
});
