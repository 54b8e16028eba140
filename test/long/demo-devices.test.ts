import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accept, registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

describe('demo devices', () => {
  const dataDir = temporaryFolder();
  let own: RunningNode;
  const overview = () => call(own, 'overview', { dayStart: 0 });
  beforeEach(async () => {
    own = await startNode({ dataDir, args: ['--ui'] });
  });
  afterEach(() => own.dispose());
  afterAll(() => removeFolder(dataDir));

  it('start with a day of readings that are sent through the wire, and end without a trace of them', async () => {
    const mine = await registeredDevice(own.url('local'), { publishTo: 0, name: 'Demo: not at all' });
    await accept(own.url('local'), mine.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } }));
    expect(await call(own, 'startDemo', {})).toEqual({});
    expect(await call(own, 'startDemo', {})).toEqual({});
    await expect.poll(async () => (await overview()).totals.readingsToday, { timeout: 60_000 }).toBeGreaterThan(4300);
    const { devices, demo, demoDevices } = await overview();
    expect([demo, devices.length]).toEqual([true, 4]);
    expect(devices.every(({ name, mine }) => mine && name.startsWith('Demo: '))).toBe(true);
    expect(devices.some(({ newest }) => typeof newest.ph?.value === 'object')).toBe(true);
    expect(devices.map(({ notes }) => notes.units).filter(({ waterLevel }) => waterLevel !== undefined)).toHaveLength(
      1,
    );
    expect(new Set([...demoDevices, mine.id])).toEqual(new Set(devices.map(({ id }) => id)));

    expect(await call(own, 'stopDemo', {})).toEqual({});
    const after = await overview();
    expect(after).toMatchObject({ demo: false, demoDevices: [], unregistered: [] });
    expect(after.devices.map(({ id }) => id)).toEqual([mine.id]);
    expect((await call(own, 'device', { id: mine.id })).readings).toEqual([{ store: 'private', count: 1 }]);
    // Nothing of them is still on its way, which the node would take for devices that knock.
    await call(own, 'startDemo', {});
    expect(await call(own, 'stopDemo', {})).toEqual({});
    expect(await call(own, 'stopDemo', {})).toEqual({});
    expect(await overview()).toMatchObject({ demoDevices: [], unregistered: [], totals: { rejectedToday: [] } });
    await call(own, 'startDemo', {});
    // A node stops although its demo devices run.
    expect((await own.stop()).code).toBe(0);
  });

  it('that remain from an earlier start of the node are known as such, and can be removed', async () => {
    const { demo, demoDevices, devices } = await overview();
    expect([demo, demoDevices.length, devices.length]).toEqual([false, 3, 4]);
    expect(await call(own, 'stopDemo', {})).toEqual({});
    expect(await overview()).toMatchObject({ demoDevices: [], devices: [{ name: 'Demo: not at all' }] });
  });
});
