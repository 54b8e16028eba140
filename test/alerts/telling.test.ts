import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { parseOptions } from '../../src/simulator/options.ts';
import { runSimulator } from '../../src/simulator/run.ts';
import { type AlertsUnderTest, alertsUnderTest, RANGE_RULE } from '../support/alerts.ts';
import { postBlocks, registeredDevice } from '../support/client.ts';
import { startProcess, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { slowness } from '../support/pace.ts';

interface Told {
  /** The time of the message. */
  readonly id: string;
  readonly type: string;
  readonly alert: string | null;
  /** The time when the alert fired. */
  readonly firedAt: number;
  readonly at: number;
}

let node: AlertsUnderTest;
let server: Server;
let told: Told[];
beforeEach(async () => {
  told = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const { type, data } = JSON.parse(body);
      const id = String(request.headers['webhook-id']);
      const alert = data.alert?.id ?? null;
      told.push({ id, type, alert, firedAt: Date.parse(data.alert?.firedAt ?? ''), at: Date.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  node = await alertsUnderTest(startProcess);
  await call(node.process, 'writeAlertChannel', {
    channel: {
      ...{ id: null, name: 'Hook', isOn: true, withoutValues: false, maxPerHour: 100 },
      target: { kind: 'webhook', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
    },
    secrets: {},
  });
});
afterEach(async () => {
  await node.dispose();
  server.closeAllConnections();
  server.close();
});

it('a drifting pH is reported within a second of the reading after the set time', async () => {
  await call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, low: 5.5, high: null } });
  const stop = new AbortController();
  const flags = ['--url', node.local(), '--devices', '1', '--backfill', '3', '--interval', '1', '--speed', '1'];
  const state = ['--state', `${temporaryFolder()}/simulator.json`, '--publish-to', '0', '--drift', 'ph=low'];
  const running = runSimulator(parseOptions([...flags, ...state])!, { print: () => {}, signal: stop.signal });
  await expect.poll(() => told.map(({ type }) => type), { timeout: 120_000 }).toEqual(['alert.fired']);
  stop.abort();
  await running;
  const [{ at, firedAt, alert }] = told as [Told];
  expect(at - firedAt).toBeLessThan(1000 * slowness());
  expect((await call(node.process, 'alerts', {})).alerts).toEqual([expect.objectContaining({ id: alert })]);
});

it('a node that is killed at any moment reports every alert once', async () => {
  await call(node.process, 'writeAlertRule', { rule: RANGE_RULE });
  const device: SimulatedDevice = await registeredDevice(node.local());
  const post = (seq: number, ph: number) =>
    postBlocks(node.local(), [device.block({ seq, timestamp: Date.now(), plain: { ph } })]);
  for (let seq = 1; seq <= 8; seq += 1) {
    const ph = seq % 2 === 1 ? 5 : 6;
    const posting = post(seq, ph).catch(() => {});
    if (seq % 4 !== 0) await posting;
    await delay((seq * 7) % 20);
    await node.restart();
    await posting;
    await post(seq, ph);
  }
  const history = async () =>
    (await call(node.process, 'alertHistory', { device: null, rule: null, before: null, limit: 100 })).alerts;
  await expect.poll(async () => (await history()).length, { timeout: 60_000 }).toBe(4);
  const expected = (await history()).flatMap(({ id }) => [`alert.fired ${id}`, `alert.ended ${id}`]).sort();
  /** Each message once, however often it was sent. */
  const messages = () => [...new Map(told.map((each) => [each.id, `${each.type} ${each.alert}`])).values()].sort();
  await expect.poll(messages, { timeout: 60_000 }).toEqual(expected);
});
