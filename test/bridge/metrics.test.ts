import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accept, registeredDevice } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { send } from '../support/http.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { hasProgram } from '../support/programs.ts';

/** Far more than a quiet machine needs. */
const WAIT = { timeout: 60_000, interval: 50 };
const TOKEN = 'correct-horse-battery';
const hasPromtool = hasProgram('promtool');

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each();
});

async function begin(env: Record<string, string>): Promise<RunningNode> {
  const node = await startNode({ args: ['--ui'], env });
  undo.push(() => node.dispose());
  return node;
}

function folder(): string {
  const path = temporaryFolder();
  undo.push(() => removeFolder(path));
  return path;
}

const metricsOf = async (node: RunningNode) => (await call(node, 'connections', {})).metrics;
const promtool = (args: string[], input = '') => execFileSync('promtool', args, { input, encoding: 'utf8' });

describe('GET /metrics', () => {
  it('has the newest values and the outcomes of blocks, but nothing of a deleted device', async () => {
    const node = await begin({ METRICS_PORT: '0' });
    const { url } = await metricsOf(node);
    const device = await registeredDevice(node.url('local'), { name: 'Tank "1"\\ {x="y"} 🍅' });
    await accept(node.url('local'), device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.25, humidity: 50 } }));
    const read = async () => (await send(url!)).text;
    await expect.poll(read, WAIT).toContain(`{device="${device.id}",field="ph",unit="ph"} 6.25\n`);
    const text = await read();
    expect(text).toContain(`wellhouse_reading_value{device="${device.id}",field="humidity",unit="ratio"} 0.5\n`);
    expect(text).toContain('wellhouse_blocks_total{listener="local",outcome="accepted"} 1\n');
    expect(text).toMatch(/wellhouse_commit_duration_seconds_count\{store="private"\} 1\n/);
    expect(text).toMatch(/wellhouse_store_bytes\{store="private"\} [1-9]/);
    await call(node, 'forgetDevice', { id: device.id, store: 'private', confirm: device.id });
    await expect.poll(read, WAIT).not.toContain(device.id);
    expect(await read()).toContain('wellhouse_devices 0\n');
    for (const path of ['/', '/v1/devices', '/metrics/x', '/openapi.json']) {
      expect((await send(url!.replace('/metrics', path))).status).toBe(404);
    }
    expect((await send(`${node.url('public')}/metrics`)).status).toBe(404);
    expect((await send(url!, { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('has the format that the client accepts', async () => {
    const node = await begin({ METRICS_PORT: '0' });
    const { url } = await metricsOf(node);
    const plain = await send(url!);
    expect(plain.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const open = await send(url!, { headers: { accept: 'application/openmetrics-text; version=1.0.0' } });
    expect(open.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(open.text.endsWith('\n# EOF\n')).toBe(true);
  });

  it('requires its token, and listens beyond this machine only with one', async () => {
    const node = await begin({ METRICS_PORT: '0', METRICS_ADDRESS: '0.0.0.0' });
    expect(await metricsOf(node)).toMatchObject({ state: 'waiting', reason: 'token' });
    const { metrics } = await call(node, 'setConnectionSecrets', { metricsToken: TOKEN });
    expect(metrics.state).toBe('listening');
    const url = metrics.url!.replace('0.0.0.0', '127.0.0.1');
    expect((await send(url)).status).toBe(401);
    expect((await send(url, { headers: { authorization: 'Bearer wrong-wrong-wrong-wrong' } })).status).toBe(401);
    expect((await send(url, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
    await call(node, 'setConnectionSecrets', { metricsToken: null });
    expect(await metricsOf(node)).toMatchObject({ state: 'waiting', reason: 'token' });
    await expect(send(url)).rejects.toThrow();
    expect(node.stdout).not.toContain(TOKEN);
  });

  it('follows the settings while the node runs', async () => {
    const node = await begin({});
    const port = await freePort();
    expect((await metricsOf(node)).state).toBe('off');
    await call(node, 'setSettings', { change: { metricsPort: port } });
    expect((await send(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
    await call(node, 'setSettings', { change: { metricsPort: null } });
    await expect(send(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});

describe.skipIf(!hasPromtool)('Prometheus', () => {
  it('accepts the metrics of a node that has all of them', async () => {
    const node = await begin({ METRICS_PORT: '0' });
    const { url } = await metricsOf(node);
    const device = await registeredDevice(node.url('local'), { name: '+/#"\\🍅' });
    const plain = { ph: 6, ec: 900, waterLevel: 100, tempWater: 20, tempAmbient: 21, humidity: 50 };
    await accept(node.url('local'), device.block({ seq: 1, timestamp: Date.now(), plain }));
    await send(`${node.url('local')}/v1/telemetry`, { method: 'POST', body: JSON.stringify({ blocks: [{}] }) });
    await expect.poll(async () => (await send(url!)).text, WAIT).toContain('wellhouse_refused_blocks_total{');
    expect(promtool(['check', 'metrics'], (await send(url!)).text)).toBe('');
  });

  it('accepts the rules and every expression of the dashboard', () => {
    expect(promtool(['check', 'rules', 'docs/prometheus/alerts.yml'])).toContain('SUCCESS');
    const dashboard = JSON.parse(readFileSync('docs/prometheus/grafana-dashboard.json', 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const rules = dashboard.panels.flatMap(({ targets }, index) =>
      targets.map(({ expr }) => ({ record: `panel:${index}`, expr })),
    );
    const path = join(folder(), 'dashboard.json');
    // JSON is YAML, too.
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool(['check', 'rules', path])).toContain(`${rules.length} rules found`);
    const metrics = readFileSync('docs/prometheus.md', 'utf8');
    for (const { expr } of rules) {
      for (const [name] of expr.matchAll(/wellhouse_\w+/g)) expect(metrics).toContain(name.replace(/_bucket$/, ''));
    }
  });

  it.skipIf(!hasProgram('prometheus'))('reads a node with its token', async () => {
    const node = await begin({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN });
    const device = await registeredDevice(node.url('local'));
    await accept(node.url('local'), device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6.5 } }));
    const { host } = new URL((await metricsOf(node)).url!);
    const [path, port] = [folder(), await freePort()];
    const job = { job_name: 'wellhouse', authorization: { credentials: TOKEN }, static_configs: [{ targets: [host] }] };
    const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [job] };
    writeFileSync(join(path, 'prometheus.yml'), JSON.stringify(config));
    const args = [`--config.file=${join(path, 'prometheus.yml')}`, `--storage.tsdb.path=${join(path, 'data')}`];
    const child = spawn('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
    undo.push(async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    });
    const query = encodeURIComponent('wellhouse_reading_value{field="ph"}');
    const found = () => send(`http://127.0.0.1:${port}/api/v1/query?query=${query}`).then(({ text }) => text, String);
    await expect.poll(found, WAIT).toContain('"6.5"');
  });
});
