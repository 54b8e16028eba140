import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { AlertServer } from '../support/alert-servers.ts';
import { registeredDevice } from '../support/client.ts';
import { post } from '../support/http.ts';
import { type NodeProcess, removeFolder, startProcess } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const WAIT = { timeout: 60_000, interval: 50 };

interface Message {
  readonly type: string;
  readonly data: {
    readonly severity: string;
    readonly alert: { readonly id: string; readonly rule: { readonly kind: string } };
  };
}

const disk = mountSmallDisk(24);
afterAll(() => disk?.remove());

describe.skipIf(disk === null)('a full disk (skipped where this user may not mount a small one)', () => {
  const dataDir = () => join(disk!.folder, 'data');
  let node: NodeProcess;
  let hook: AlertServer;
  let device: SimulatedDevice;
  let seq: number;
  const start = async () => {
    node = await startProcess({ dataDir: dataDir(), args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
  };
  beforeEach(async () => {
    [, hook] = await Promise.all([start(), AlertServer.start()]);
    device = await registeredDevice(node.url('local'), { name: 'Tank 1' });
    seq = 0;
    await call(node, 'setAlertOptions', { ...NO_OPTIONS, language: 'en' });
    await call(node, 'writeAlertChannel', {
      channel: { id: null, name: '', isOn: true, withoutValues: false, target: { kind: 'webhook', url: hook.origin } },
      secrets: {},
    });
  });
  afterEach(async () => {
    await node.dispose();
    await hook.close();
    disk!.free();
    removeFolder(dataDir());
  });

  const send = async () => {
    seq += 1;
    const blocks = Array.from({ length: 100 }, (_, index) =>
      device.block({ seq: seq * 100 + index, timestamp: Date.now(), plain: { ph: 6 } }),
    );
    return (await post(`${node.url('local')}/v1/telemetry`, { blocks })).status;
  };
  const refusing = async () => (await call(node, 'alerts', {})).alerts.filter(({ kind }) => kind === 'storeRefuses');
  const told = () =>
    (hook.bodies as Message[])
      .filter(({ data }) => data.alert.rule.kind === 'storeRefuses')
      .map(({ type, data }) => [type, data.severity, data.alert.id]);
  /** Leaves no room for alerts.json either: replacing the copy of it that is kept would give some back. */
  const fillForAlerts = () => {
    const copy = join(dataDir(), 'alerts.json.previous');
    do {
      rmSync(copy, { force: true });
      disk!.fill();
    } while (existsSync(copy));
  };
  const onDisk = (file: string) => readFileSync(join(dataDir(), file), 'utf8');

  it('is reported once at once, and when the store accepts readings again', async () => {
    expect(await send()).toBe(200);
    disk!.fill();
    await expect.poll(send, WAIT).toBe(503);
    const [alert] = await refusing();
    expect(alert).toMatchObject({ store: 'private', severity: 'critical', state: 'firing' });
    const fired = ['alert.fired', 'critical', alert!.id];
    await expect.poll(told, WAIT).toEqual([fired]);
    for (let times = 0; times < 3; times += 1) expect(await send()).toBe(503);
    // What the owner does is taken too, though nothing of it can be written.
    expect(await call(node, 'acknowledgeAlert', { id: alert!.id })).toMatchObject({ state: 'acknowledged' });
    expect(await refusing()).toEqual([{ ...alert, state: 'acknowledged' }]);

    disk!.free();
    await expect.poll(send, WAIT).toBe(200);
    await expect.poll(told, WAIT).toEqual([fired, ['alert.ended', 'critical', alert!.id]]);
    expect(await refusing()).toEqual([]);
    expect(onDisk('alert-history.ndjson')).toContain(alert!.id);
    const { live } = JSON.parse(onDisk('alerts.json')) as { live: { alert: { kind: string } }[] };
    expect(live.map((each) => each.alert.kind)).not.toContain('storeRefuses');
  });

  it('with room again the alert is written, and goes on after a kill under the same id', async () => {
    fillForAlerts();
    await expect.poll(send, WAIT).toBe(503);
    const [alert] = await refusing();
    await expect.poll(() => told().length, WAIT).toBe(1);
    expect(onDisk('alerts.json')).not.toContain(alert!.id);
    disk!.free();
    await expect.poll(() => onDisk('alerts.json'), WAIT).toContain(alert!.id);
    await node.kill();
    await start();
    expect(await refusing()).toEqual([alert]);
    expect(await send()).toBe(200);
    await expect
      .poll(() => told().map(([type, , id]) => `${type} ${id}`), WAIT)
      .toEqual([`alert.fired ${alert!.id}`, `alert.ended ${alert!.id}`]);
  });

  it('a killed node finds the store refusing again, and reports its end', async () => {
    expect(await send()).toBe(200);
    fillForAlerts();
    await expect.poll(send, WAIT).toBe(503);
    await expect.poll(() => told().length, WAIT).toBe(1);
    await node.kill();
    // It may refuse to start there: then with room.
    const hasStarted = await start().then(
      () => true,
      () => false,
    );
    if (hasStarted) {
      expect(await send()).toBe(503);
      expect((await refusing()).length).toBe(1);
      await expect.poll(() => told().length, WAIT).toBe(2);
    }
    disk!.free();
    if (!hasStarted) await start();
    await expect.poll(send, WAIT).toBe(200);
    expect(await refusing()).toEqual([]);
    if (hasStarted) await expect.poll(() => told().at(-1)?.[0], WAIT).toBe('alert.ended');
  });
});
