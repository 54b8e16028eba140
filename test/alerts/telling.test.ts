import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseOptions } from '../../src/simulator/options.ts';
import { runSimulator } from '../../src/simulator/run.ts';
import { type AlertsUnderTest, alertsUnderTest, RANGE_RULE } from '../support/alerts.ts';
import { temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { slowness } from '../support/pace.ts';

interface Told {
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
      const alert = data.alert?.id ?? null;
      told.push({ type, alert, firedAt: Date.parse(data.alert?.firedAt ?? ''), at: Date.now() });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  node = await alertsUnderTest();
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
