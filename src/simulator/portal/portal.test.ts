import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseOptions } from '../options.ts';
import { StubNode } from '../stub-node.ts';
import { runPortals } from './run-portal.ts';

let folder: string;
let node: StubNode;
let server: string;
let stop: AbortController;
let running: Promise<void> | null = null;
let lines: string[];
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-'));
  node = new StubNode();
  server = (await node.listen()).replace('http://', '');
});
afterEach(async () => {
  stop.abort();
  await running;
  await node.close();
  fs.rmSync(folder, { recursive: true });
});

async function start(...more: string[]): Promise<string> {
  const flags = ['--portal', '--portal-address', '127.0.0.1:0', '--interval', '0.05', '--speed', '1'];
  const options = parseOptions([...flags, '--state', path.join(folder, 'state.json'), ...more])!;
  stop = new AbortController();
  lines = [];
  running = runPortals(
    { ...options, portal: options.portal! },
    { print: (line) => lines.push(line), signal: stop.signal },
  );
  await expect.poll(() => lines.join()).toContain('its page: ');
  return lines.join().split('its page: ')[1]!.split(',')[0]!;
}

const status = async (page: string) => (await (await fetch(`${page}api/status`)).json()) as Record<string, unknown>;
const save = (page: string, form: Record<string, string>) =>
  fetch(`${page}config/save`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

test('describes itself as the firmware does', async () => {
  const page = await start('--battery', '9', '--failed-sensors', 'tds');
  expect(await status(page)).toEqual({
    device_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    mac: expect.stringMatching(/^[0-9a-f]{12}$/),
    device_name: 'Greenhouse',
    ip: '127.0.0.1',
    fail_streak: expect.any(Number),
    buffer_pending: 0,
    uptime_s: expect.any(Number),
    sensors: { dht: true, tds: false, laser: true, battery: true },
    readings: expect.objectContaining({ bat_volts: 3.38, bat_percent: 9 }),
    servers_external: [],
    servers_local: [],
  });
});

test('posts to each entered server, and keeps them over a restart', async () => {
  const page = await start();
  const external = { ext_count: '1', ext_name_0: 'shared', ext_url_0: `http://${server}/ext/v1/telemetry` };
  const local = { loc_count: '2', loc_name_0: 'home', loc_url_0: server, loc_name_1: 'off', loc_url_1: '127.0.0.1:9' };
  expect((await save(page, { device_name: 'Tank & <pump>', ...external, ...local })).status).toBe(303);
  expect(await (await fetch(page)).text()).toContain('Tank &#38; &#60;pump&#62;');
  await node.until(() => node.accepted.length > 0);
  await expect
    .poll(() => status(page))
    .toMatchObject({
      device_name: 'Tank & <pump>',
      servers_external: [{ name: 'shared', url: `http://${server}/ext/v1/telemetry`, online: false }],
      servers_local: [
        { name: 'home', url: server, online: true },
        { name: 'off', url: '127.0.0.1:9', online: false },
      ],
    });
  await expect.poll(async () => Number((await status(page)).buffer_pending)).toBeGreaterThan(0);
  await expect.poll(async () => Number((await status(page)).fail_streak)).toBeGreaterThan(0);
  stop.abort();
  await running;
  expect(await status(await start())).toMatchObject({
    device_name: 'Tank & <pump>',
    servers_local: [{ name: 'home' }, { name: 'off' }],
  });
});

test('a save replaces everything', async () => {
  const page = await start();
  await save(page, { device_name: 'one', loc_count: '1', loc_name_0: 'home', loc_url_0: server });
  await save(page, { device_name: 'two', ext_count: '0' });
  expect(await status(page)).toMatchObject({ device_name: 'two', servers_local: [], servers_external: [] });
});

test('an address with http:// does not work, as with the firmware', async () => {
  const page = await start();
  await save(page, { device_name: 'x', loc_count: '1', loc_name_0: 'home', loc_url_0: `http://${server}` });
  await expect.poll(async () => Number((await status(page)).buffer_pending)).toBeGreaterThan(1);
  expect(node.accepted).toEqual([]);
});
