import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { AlertServer } from '../support/alert-servers.ts';
import { type AlertsUnderTest, alertsUnderTest, RANGE_RULE } from '../support/alerts.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import { startNode, startProcess } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { THOROUGH } from '../support/thorough.ts';

/** Far more than a quiet machine needs. */
const WAIT = { timeout: 60_000, interval: 20 };

/** The body that a webhook was sent. */
interface Message {
  readonly type: string;
  readonly data: {
    readonly title: string;
    readonly text: string;
    readonly alert: { readonly id: string; readonly device: { readonly name: string } | null };
  };
}

let node: AlertsUnderTest;
let hook: AlertServer;
let device: SimulatedDevice;
let seq: number;
async function begin(startAs = startNode): Promise<void> {
  node = await alertsUnderTest(startAs);
  await call(node.process, 'setAlertOptions', { ...NO_OPTIONS, language: 'en' });
  await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
}
/** Gives the node a server of its own for each test, and a device. */
beforeEach(async () => {
  hook = await AlertServer.start();
  device = await registeredDevice(node.local(), { name: 'Tank 1' });
  seq = 0;
  for (const { channel } of (await call(node.process, 'alertChannels', {})).channels)
    await call(node.process, 'deleteAlertChannel', { id: channel.id });
  await call(node.process, 'writeAlertChannel', {
    channel: { id: null, name: '', isOn: true, withoutValues: false, target: { kind: 'webhook', url: hook.origin } },
    secrets: {},
  });
});
afterEach(() => hook.close());

/** Resolves when the reading is on disk. */
async function post(ph: number): Promise<void> {
  seq += 1;
  await postBlocks(node.local(), [device.block({ seq, timestamp: Date.now(), plain: { ph } })]);
}

const messages = () => hook.bodies as Message[];
const types = () => messages().map(({ type }) => type);
const ids = () => hook.requests.map(({ headers }) => headers['webhook-id']);
const waiting = async () => (await call(node.process, 'alertChannels', {})).channels[0]!.waiting;

describe('a reading out of range', () => {
  beforeAll(() => begin());
  afterAll(() => node.dispose());

  it('is reported once, and again when it ends', async () => {
    await post(6);
    await post(5.2);
    const storedAt = performance.now();
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    // A second is what it may take; a busy machine gets more.
    expect(performance.now() - storedAt).toBeLessThan(5000);
    expect(messages()[0]!.data.title).toBe('Tank 1: pH below its range');
    await post(5.0);
    await post(6.1);
    await expect.poll(types, WAIT).toEqual(['alert.fired', 'alert.ended']);
    expect(messages()[1]!.data).toMatchObject({
      title: 'Tank 1: pH back in its range',
      text: expect.stringMatching(/at worst 5\.00\.\nRule: pH$/),
      alert: { id: messages()[0]!.data.alert.id },
    });
    expect(new Set(ids()).size).toBe(2);
  });

  it('has the owner’s present name and units', async () => {
    const units = { ph: { label: 'units' } };
    await call(node.process, 'setNotes', { id: device.id, notes: { ...NO_NOTES, displayName: 'Lettuce', units } });
    await post(5.2);
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    expect(messages()[0]!.data.title).toBe('Lettuce: pH below its range');
    expect(messages()[0]!.data.text).toMatch(/^5\.2\d* units now; at least 5\.5\d* units is right/);
  });

  it('of a deleted device is reported to end, by the device’s name', async () => {
    await post(5.2);
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    await call(node.process, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
    await expect.poll(types, WAIT).toEqual(['alert.fired', 'alert.ended']);
    expect(messages()[1]!.data.text).toContain('The device was forgotten.');
    expect(messages()[1]!.data.title).toMatch(/^Tank 1: /);
  });
});

describe('a node that is killed', () => {
  beforeAll(() => begin(startProcess));
  afterAll(() => node.dispose());

  it('while a channel has not answered sends only the same message again', async () => {
    hook.answer = () => undefined;
    await post(5.2);
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    hook.answer = () => ({ status: 200, json: null });
    await node.restart();
    await expect.poll(types, WAIT).toEqual(['alert.fired', 'alert.fired']);
    expect(new Set(ids()).size).toBe(1);
    expect(messages()[1]).toEqual(messages()[0]);
    await expect.poll(waiting, WAIT).toBe(0);
    await post(6.1);
    await expect.poll(types, WAIT).toEqual(['alert.fired', 'alert.fired', 'alert.ended']);
  });

  it('with a message to a failed server sends it when the server is back', async () => {
    const { origin } = hook;
    hook.answer = () => ({ status: 503, json: null });
    await post(5.2);
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    await expect
      .poll(async () => (await call(node.process, 'alertChannels', {})).channels[0]?.lastFailure, WAIT)
      .not.toBeNull();
    await node.restart();
    hook.answer = () => ({ status: 200, json: null });
    await expect.poll(waiting, WAIT).toBe(0);
    expect(hook.origin).toBe(origin);
    expect(new Set(ids()).size).toBe(1);
  });

  it('before its state was written finds the same alert, and reports it with the same id', async () => {
    const path = join(node.process.dataDir, 'alerts.json');
    await post(6);
    await call(node.process, 'setAlertOptions', { ...NO_OPTIONS, language: 'en' });
    const before = readFileSync(path);
    await post(5.2);
    await expect.poll(types, WAIT).toEqual(['alert.fired']);
    await node.end();
    // As a disk has it that took nothing since.
    writeFileSync(path, before);
    await node.start();
    await expect.poll(types, WAIT).toEqual(['alert.fired', 'alert.fired']);
    expect(new Set(ids()).size).toBe(1);
    expect(messages()[1]).toMatchObject({ data: { alert: { id: messages()[0]!.data.alert.id } } });
  });

  it('at any moment loses and repeats no alert and no message, and sends none with two ids', async () => {
    // From before it is evaluated to after it is reported.
    const moments = THOROUGH > 1 ? [0, 2, 5, 10, 20, 40, 80, 160] : [5, 20];
    hook.answer = (_request, response) => {
      setTimeout(() => response.writeHead(200).end(), 10);
      return undefined;
    };
    const seen = new Set<string>();
    for (const [index, moment] of moments.entries()) {
      const ph = index % 2 === 0 ? 5.0 : 6.1;
      const posting = post(ph).catch(() => {});
      // Up to two of them, one of each kind, may not have been confirmed.
      if (index !== 1 && index !== 2) await posting;
      await delay(moment);
      await node.restart();
      await posting;
      // Sent again, as a device does with what was not confirmed.
      seq -= 1;
      await post(ph);
      const live = (await call(node.process, 'alerts', {})).alerts.filter((alert) => alert.device === device.id);
      expect(live).toHaveLength(index % 2 === 0 ? 1 : 0);
      for (const { id } of live) seen.add(id);
    }
    await expect.poll(() => new Set(ids()).size, WAIT).toBeGreaterThanOrEqual(moments.length);
    await expect.poll(waiting, WAIT).toBe(0);
    const { alerts } = await call(node.process, 'alertHistory', {
      device: device.id,
      rule: null,
      before: null,
      limit: 100,
    });
    const ended = alerts.filter(({ kind }) => kind === 'range').map(({ id }) => id);
    expect(ended).toHaveLength(moments.length / 2);
    expect(new Set(ended)).toEqual(seen);
    for (const id of ended) {
      const told = hook.requests.filter((_request, index) => messages()[index]!.data.alert.id === id);
      const pairs = told.map(({ headers, body }) => `${(JSON.parse(body) as Message).type} ${headers['webhook-id']}`);
      // One id for each report, the beginning before the end.
      const once = pairs.filter((pair, index) => pairs.indexOf(pair) === index).map((pair) => pair.split(' ')[0]);
      expect(once).toEqual(['alert.fired', 'alert.ended']);
    }
    expect(new Set(ids()).size).toBe(moments.length);
  });
});
