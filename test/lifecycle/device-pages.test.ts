import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_SERVERS } from '../../src/shared/device-page.ts';
import { parseOptions } from '../../src/simulator/options.ts';
import { runPortals } from '../../src/simulator/portal/run-portal.ts';
import { readingsOf } from '../support/client.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const node = runningNode({ args: ['--ui'], env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0' } });

let folder: string;
let stop: AbortController;
let running: Promise<void>;
/** Where the device's page is, and its id. */
let address: string;
let id: string;
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-'));
  stop = new AbortController();
  const flags =
    '--portal --portal-address 127.0.0.1:0 --interval 0.1 --speed 1 --battery 11 --failed-sensors tds --state';
  const options = parseOptions([...flags.split(' '), path.join(folder, 'state.json')])!;
  let text = '';
  const print = (line: string) => {
    text += `${line}\n`;
  };
  running = runPortals({ ...options, portal: options.portal! }, { print, signal: stop.signal });
  await expect.poll(() => text).toContain('its page: ');
  [, id = '', address = ''] = /device ([0-9a-f]{64}), its page: http:\/\/(.*)\//.exec(text)!;
});
afterEach(async () => {
  stop.abort();
  await running;
  fs.rmSync(folder, { recursive: true });
});

const gateServer = async () => {
  const { gate } = await call(node.process, 'gate', {});
  if (gate.state !== 'listening') throw new Error(JSON.stringify(gate));
  return `${gate.address}:${gate.port}`;
};

test('a device that is pointed to this node keeps its servers, joins and sends', async () => {
  const shared = { name: 'shared', url: 'http://127.0.0.1:9/v1/telemetry' };
  const form = new URLSearchParams({
    device_name: 'Tank',
    ext_count: '1',
    ext_name_0: shared.name,
    ext_url_0: shared.url,
  });
  await fetch(`http://${address}/config/save`, { method: 'POST', body: form, redirect: 'manual' });

  const asked = await call(node.process, 'askDevice', { id: null, address });
  if (asked.state !== 'answered') throw new Error(JSON.stringify(asked));
  expect(asked).toMatchObject({ address, says: { id, name: 'Tank', local: [], external: [shared] } });
  await call(node.process, 'openJoining', { closesAfterOne: true });
  const before = { external: [shared], local: [] };
  const after = { external: [shared], local: [{ name: 'Wellhouse', url: await gateServer() }] };
  // What the owner saw is not what would be written.
  expect(await call(node.process, 'pointDevice', { id, address, before, after: before })).toEqual({ state: 'changed' });
  expect(await call(node.process, 'pointDevice', { id, address, before, after })).toEqual({ state: 'told' });
  await expect.poll(() => readingsOf(node.url('local'), id), { timeout: 60_000 }).not.toEqual([]);

  // From now on it is found by its id alone, and its status is reported.
  await expect
    .poll(() => call(node.process, 'askDevice', { id, address: null }), { timeout: 60_000 })
    .toMatchObject({
      says: {
        external: [{ ...shared, online: false }],
        local: [{ name: 'Wellhouse', url: await gateServer(), online: true }],
        battery: { percent: 11 },
        sensors: { tds: false },
      },
    });
  const kinds = async () =>
    (await call(node.process, 'alerts', {})).alerts.map(({ kind, device }) => `${kind} ${device}`);
  await expect
    .poll(kinds, { timeout: 60_000 })
    .toEqual(expect.arrayContaining([`batteryLow ${id}`, `sensorFailed ${id}`]));

  // What the owner saw is no longer so: nothing is replaced.
  expect(await call(node.process, 'pointDevice', { id, address, before, after })).toEqual({ state: 'changed' });
});

test('a device with a full list is not reported as pointed here', async () => {
  const local = Array.from({ length: MAX_SERVERS }, (_, index) => ({ name: 'other', url: `127.0.0.1:${index + 1}` }));
  const form = new URLSearchParams({ device_name: 'Tank', loc_count: String(local.length) });
  for (const [index, { name, url }] of local.entries()) {
    form.set(`loc_name_${index}`, name);
    form.set(`loc_url_${index}`, url);
  }
  await fetch(`http://${address}/config/save`, { method: 'POST', body: form, redirect: 'manual' });
  const before = { external: [], local };
  const after = { external: [], local: [...local, { name: 'Wellhouse', url: await gateServer() }] };
  expect(await call(node.process, 'pointDevice', { id, address, before, after })).toEqual({ state: 'not_taken' });
}, 60_000);

describe('nothing is reported for', () => {
  test('another device, something that is not a device, and an address without an answer', async () => {
    const other = 'ee'.repeat(32);
    expect(await call(node.process, 'askDevice', { id: other, address })).toMatchObject({ state: 'other_device' });
    const before = { external: [], local: [] };
    const after = { external: [], local: [{ name: 'Wellhouse', url: await gateServer() }] };
    expect(await call(node.process, 'pointDevice', { id: other, address, before, after })).toEqual({
      state: 'other_device',
    });
    const local = node.url('local').replace('http://', '');
    expect(await call(node.process, 'askDevice', { id: null, address: local })).toMatchObject({
      state: 'not_a_device',
    });
    expect(await call(node.process, 'askDevice', { id: null, address: '127.0.0.1:9' })).toMatchObject({
      state: 'no_answer',
    });
    expect(await call(node.process, 'askDevice', { id: other, address: null })).toEqual({
      state: 'not_found',
      address: null,
    });
  });

  test('an address beyond the private networks', async () => {
    for (const beyond of ['8.8.8.8', 'example.org', 'safrasense-aqua-0000.local', '169.254.169.254@8.8.8.8']) {
      expect(await call(node.process, 'askDevice', { id: null, address: beyond })).toEqual({
        state: 'not_private',
        address: beyond,
      });
    }
  });
});

test('a device that tried to join is found by its address only if its page is there', async () => {
  const server = await gateServer();
  const form = new URLSearchParams({ device_name: 'Tank', loc_count: '1', loc_name_0: 'home', loc_url_0: server });
  await fetch(`http://${address}/config/save`, { method: 'POST', body: form, redirect: 'manual' });
  const tried = async () => (await call(node.process, 'gate', {})).attempts.map((attempt) => attempt.id);
  await expect.poll(tried, { timeout: 60_000 }).toContain(id);
  const { found, asked } = await call(node.process, 'findDevices', {});
  expect(asked).toBeGreaterThan(0);
  expect(found.every(({ says }) => says.id !== id)).toBe(true);
});
