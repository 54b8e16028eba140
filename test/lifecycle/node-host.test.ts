import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopFiles } from '../../src/main/data-folder/own-files.ts';
import { type HostDependencies, NodeHost } from '../../src/main/node/node-host.ts';
import type { NodeState } from '../../src/shared/node-state.ts';
import type { Input, MethodName, Output } from '../../src/shared/owner-api/contract.ts';
import type { EventName } from '../../src/shared/owner-api/events.ts';
import type { SettingChange } from '../../src/shared/owner-api/settings.ts';
import { stringifyJson64 } from '../../src/shared/protocol/json64.ts';
import { accept, readingsOf, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

let folder: string;
const hosts: NodeHost[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  removeFolder(folder);
});

/** A host as the desktop app has it, with free ports; `kept` is what its settings file holds. */
function desktopHost(
  kept: object | null = { localPort: 0, publicPort: 0 },
  dependencies: Partial<HostDependencies> = {},
): NodeHost {
  if (kept !== null) writeFileSync(join(folder, 'settings.json'), JSON.stringify(kept));
  const log = pino({ level: 'silent' });
  const base = { env: {}, files: desktopFiles(folder), log, ownerView: 'desktop', recentLog: () => '' } as const;
  const host = new NodeHost({ ...base, ...dependencies });
  hosts.push(host);
  return host;
}

async function call<M extends MethodName>(host: NodeHost, method: M, input: Input<M>): Promise<Output<M>> {
  const answer = await host.call(method, input);
  if (!answer.ok) throw new Error(`${method}: ${answer.error} ${answer.details}`);
  return answer.value;
}

const set = (host: NodeHost, change: SettingChange) => call(host, 'setSettings', { change });
const kept = () => JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as Record<string, unknown>;

function runningAt({ state }: NodeHost): { localUrl: string; publicUrl: string | null } {
  if (state.state !== 'running') throw new Error(JSON.stringify(state));
  return state;
}

/** Resolves with the state once it is one of these. */
function until(host: NodeHost, ...names: NodeState['state'][]): Promise<NodeState> {
  return new Promise((resolve) => {
    const end = host.onState((state) => {
      if (!names.includes(state.state)) return;
      end();
      resolve(state);
    });
  });
}

async function occupied(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

const ended = (server: Server) => new Promise((resolve) => server.close(resolve));

async function freePort(): Promise<number> {
  const { server, port } = await occupied();
  await ended(server);
  return port;
}

describe('a start that fails', () => {
  it('for a taken port names its holder, and continues with another one', async () => {
    const { server, port } = await occupied();
    try {
      const host = desktopHost({ localPort: port, publicPort: 0 });
      expect(await host.start()).toMatchObject({
        state: 'failed',
        problem: { kind: 'port', listener: 'local', port, reason: 'taken', holder: { pid: process.pid } },
      });
      expect(await host.call('overview', { dayStart: 0 })).toMatchObject({ ok: false, error: 'storage_unavailable' });
      expect(await host.call('noSuch' as 'overview', {})).toMatchObject({ error: 'unknown_method' });
      expect(await host.call('setSettings', { change: { localPort: 'x' } })).toMatchObject({ error: 'invalid_input' });
      expect((await call(host, 'getSettings', {})).localUrl).toBeNull();
      expect(await host.retry()).toMatchObject({ state: 'failed' });
      const states: NodeState[] = [];
      const end = host.onState((state) => states.push(state));
      expect(await set(host, { theme: 'dark' })).toMatchObject({ saved: true });
      expect(states).toEqual([]);
      end();
      const free = await freePort();
      expect(await set(host, { localPort: free })).toMatchObject({ saved: true });
      expect(host.state).toEqual({ state: 'running', localUrl: `http://127.0.0.1:${free}`, publicUrl: null });
      expect(kept()).toEqual({ localPort: free, publicPort: 0, theme: 'dark' });
    } finally {
      await ended(server);
    }
  });

  it('for a taken port continues once that is free', async () => {
    const { server, port } = await occupied();
    const host = desktopHost({ localPort: 0, publicPort: port, publicEnabled: true });
    expect(await host.start()).toMatchObject({ problem: { listener: 'public', reason: 'taken' } });
    await ended(server);
    expect(await host.retry()).toMatchObject({ state: 'running', publicUrl: `http://0.0.0.0:${port}` });
  });

  it('for a duplicate port, edited by hand, can be fixed', async () => {
    const port = await freePort();
    const host = desktopHost({ localPort: port, publicPort: port, publicEnabled: true });
    expect(await host.start()).toMatchObject({ problem: { kind: 'port', reason: 'equal', port } });
    expect(await set(host, { publicPort: 0 })).toMatchObject({ saved: true });
    expect(host.state).toMatchObject({ state: 'running' });
  });

  it('for a store has the headless node’s message, and continues once that is fixed', async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const host = desktopHost();
    await host.start();
    await host.stop();
    const good = readFileSync(join(dataDir, 'private.db'));
    writeFileSync(join(dataDir, 'private.db'), 'no store');
    const failed = await host.start();
    expect(failed).toMatchObject({ state: 'failed', problem: { kind: 'other' } });
    expect(JSON.stringify(failed)).toContain('it is not an SQLite file');
    expect((await call(host, 'diagnostics', {})).files[0]?.text).toContain('it is not an SQLite file');
    writeFileSync(join(dataDir, 'private.db'), good);
    expect(await host.retry()).toMatchObject({ state: 'running' });
  });

  it('for an unreadable settings file says so, without its content', async () => {
    const host = desktopHost(null);
    mkdirSync(join(folder, 'settings.json'));
    const message = expect.stringMatching(/settings.json is a folder, not a regular file/);
    expect(await host.start()).toMatchObject({ problem: { kind: 'other', message } });
    const [report] = (await call(host, 'diagnostics', {})).files;
    expect(report!.text).toContain('not a regular file');
    expect(report!.text).not.toContain(folder);
    removeFolder(join(folder, 'settings.json'));
    expect(await set(host, { localPort: 0 })).toMatchObject({ saved: true });
    expect(host.state.state).toBe('running');
  });

  it('for a variable is reported, with settings that can still be shown', async () => {
    const host = desktopHost({}, { env: { LOCAL_PORT: 'high' } });
    expect(await host.start()).toMatchObject({
      problem: { kind: 'other', message: expect.stringMatching(/LOCAL_PORT/) },
    });
    expect(host.settings.now).toMatchObject({ publicEnabled: false, theme: 'auto' });
  });
});

describe('a data folder that the settings name', () => {
  const disk = () => join(folder, 'disk', 'data');
  const missing = (path: string) => ({ state: 'failed', problem: { kind: 'folder', reason: 'missing', path } });
  const use = async (host: NodeHost, path: string, startOver = false) =>
    (await call(host, 'useDataDir', { path, startOver })).problem;

  it('is never replaced unasked: its disk may be missing', async () => {
    const first = desktopHost({ localPort: 0 });
    await first.start();
    const { publicKey } = await call(first, 'nodeInfo', {});
    await first.stop();
    mkdirSync(join(folder, 'disk'));
    renameSync(join(folder, 'data'), disk());
    const host = desktopHost({ localPort: 0, dataDir: disk() });
    expect(await host.start()).toMatchObject({ state: 'running' });
    await host.stop();

    // Not mounted: the folder is gone, or an empty mount point.
    renameSync(join(folder, 'disk'), join(folder, 'unmounted'));
    expect(await host.start()).toMatchObject(missing(disk()));
    expect(existsSync(join(folder, 'disk'))).toBe(false);
    mkdirSync(disk(), { recursive: true });
    expect(await host.retry()).toMatchObject(missing(disk()));
    expect(readdirSync(disk())).toEqual([]);
    removeFolder(join(folder, 'disk'));
    renameSync(join(folder, 'unmounted'), join(folder, 'disk'));
    expect(await host.retry()).toMatchObject({ state: 'running' });
    expect(await call(host, 'nodeInfo', {})).toMatchObject({ publicKey, dataDir: disk() });
  });

  it('is also missed if only the mark of a move names it', async () => {
    mkdirSync(join(folder, 'data'));
    const mark = { to: disk(), at: new Date().toISOString(), files: [] };
    writeFileSync(join(folder, 'data', 'moved.json'), JSON.stringify(mark));
    const host = desktopHost({ localPort: 0 }, { files: desktopFiles(folder) });
    expect(await host.start()).toMatchObject(missing(disk()));
  });

  it('is replaced by another one that the owner chooses, and by a new node after a confirmation', async () => {
    const host = desktopHost({ localPort: 0, dataDir: disk() });
    expect(await host.start()).toMatchObject(missing(disk()));
    const other = join(folder, 'other');
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'letter.txt'), 'mine');
    expect(await use(host, 'other')).toBe('not_absolute');
    expect(await use(host, other)).toBe('no_data');
    expect(await use(host, join(folder, 'full'), true)).toBe('not_empty');
    expect(kept()).toEqual({ localPort: 0, dataDir: disk() });
    expect(await use(host, other, true)).toBeNull();
    expect(host.state).toMatchObject({ state: 'running' });
    expect(await call(host, 'nodeInfo', {})).toMatchObject({ dataDir: other });
    expect(await use(host, disk(), true)).toBe('busy');
    await host.stop();

    const again = desktopHost({ localPort: 0, dataDir: disk() });
    await again.start();
    expect(await use(again, other)).toBeNull();
    expect(again.state).toMatchObject({ state: 'running' });
    expect(kept()).toEqual({ localPort: 0, dataDir: other });
  });

  it('is created if the environment names it', async () => {
    const host = desktopHost({ localPort: 0 }, { env: { DATA_DIR: disk() } });
    expect(await host.start()).toMatchObject({ state: 'running' });
    expect(await use(host, disk())).toBe('busy');
  });
});

describe('settings of a running node', () => {
  it('finish requests in flight, and lose nothing', async () => {
    const host = desktopHost();
    await host.start();
    const { localUrl } = runningAt(host);
    const device = await registeredDevice(localUrl);
    const body = stringifyJson64({ blocks: [device.block({ seq: 1, timestamp: Date.now(), plain: { ph: 6 } })] });
    // Half of a request is on its way when the port changes.
    const slow = request(`${localUrl}/v1/telemetry`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    const answered = new Promise<number>((resolve, reject) => {
      slow.on('response', (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      slow.on('error', reject);
    });
    await new Promise<void>((resolve) => slow.write(body.slice(0, 20), () => resolve()));
    await send(`${localUrl}/health`);
    const port = await freePort();
    expect(await set(host, { localPort: port })).toMatchObject({ saved: true });
    slow.end(body.slice(20));
    expect(await answered).toBe(200);
    const after = runningAt(host).localUrl;
    expect(after).toBe(`http://127.0.0.1:${port}`);
    await accept(after, device.block({ seq: 2, timestamp: Date.now(), plain: { ph: 6 } }));
    expect(await readingsOf(after, device.id)).toHaveLength(2);
  });

  it('stay as they were if one of several ports is taken', async () => {
    const { server, port } = await occupied();
    try {
      const host = desktopHost({ localPort: 0, publicPort: 0, publicEnabled: true });
      await host.start();
      const before = runningAt(host);
      const free = await freePort();
      const change = { localPort: free, publicPort: port, publicRateLimit: 3 };
      expect(await set(host, change)).toEqual({
        saved: false,
        problem: { setting: 'publicPort', kind: 'taken', holder: expect.objectContaining({ pid: process.pid }) },
      });
      expect(runningAt(host)).toEqual(before);
      expect((await send(`${before.localUrl}/health`)).status).toBe(200);
      await expect(send(`http://127.0.0.1:${free}/health`)).rejects.toThrow();
      expect(kept()).toEqual({ localPort: 0, publicPort: 0, publicEnabled: true });
      // Also where the endpoint is off for now.
      await set(host, { publicEnabled: false });
      expect(await set(host, { publicPort: port })).toMatchObject({ saved: false, problem: { kind: 'taken' } });
    } finally {
      await ended(server);
    }
  });

  it('stay as they were if they can’t be saved', async () => {
    const host = desktopHost(null);
    mkdirSync(join(folder, 'settings.json.d'));
    const blocked = new NodeHost({
      env: { LOCAL_PORT: '0' },
      files: { ...desktopFiles(folder), settingsFile: join(folder, 'settings.json.d', 'file', 'settings.json') },
      log: pino({ level: 'silent' }),
      ownerView: 'desktop',
      recentLog: () => '',
    });
    hosts.push(blocked);
    await blocked.start();
    writeFileSync(join(folder, 'settings.json.d', 'file'), 'in the way of the folder');
    expect(await blocked.call('setSettings', { change: { publicEnabled: true } })).toMatchObject({
      ok: false,
      error: 'storage_unavailable',
    });
    expect(blocked.state).toMatchObject({ state: 'running', publicUrl: null });
    expect(host.settings.now.publicEnabled).toBe(false);
  });

  it('apply to the system first, which may refuse', async () => {
    const asked: boolean[] = [];
    const host = desktopHost(undefined, {
      applyOutside: async ({ startAtLogin }) => {
        if (startAtLogin === undefined) return;
        asked.push(startAtLogin);
        if (startAtLogin) throw new Error('no autostart here');
      },
    });
    await host.start();
    expect(await set(host, { startAtLogin: true })).toEqual({
      saved: false,
      problem: { setting: 'startAtLogin', kind: 'failed', holder: null },
    });
    expect(await set(host, { theme: 'dark', startAtLogin: true })).toMatchObject({
      saved: false,
      problem: { setting: 'startAtLogin' },
    });
    expect(kept()).not.toHaveProperty('startAtLogin');
    expect(kept()).not.toHaveProperty('theme');
    asked.pop();
    expect(await set(host, { startAtLogin: false, closeBehaviour: 'tray' })).toMatchObject({ saved: true });
    expect(asked).toEqual([true, false]);
    expect(host.settings.now).toMatchObject({ startAtLogin: false, closeBehaviour: 'tray' });
  });

  it('accept no duplicate port, also while the public endpoint is off', async () => {
    const [one, other] = [await freePort(), await freePort()];
    const host = desktopHost({ localPort: one, publicPort: other });
    await host.start();
    expect(await set(host, { localPort: other })).toMatchObject({ problem: { setting: 'localPort', kind: 'equal' } });
    expect(await set(host, { publicPort: one })).toMatchObject({ problem: { setting: 'publicPort', kind: 'equal' } });
    expect(kept()).toEqual({ localPort: one, publicPort: other });
    expect(await set(host, { localPort: 0, publicPort: 0 })).toMatchObject({ saved: true });
  });

  it('are reported when they change, also after the node restarted', async () => {
    const host = desktopHost();
    const events: EventName[] = [];
    const themes: string[] = [];
    host.listen((event) => events.push(event));
    host.settings.onChange(({ theme }) => themes.push(theme));
    await host.start();
    await host.start();
    await set(host, { theme: 'dark' });
    expect(themes).toEqual(['dark']);
    await expect.poll(() => events).toContain('settings');
  });
});

describe('moving the data folder', () => {
  const to = () => join(folder, 'elsewhere', 'data');
  const move = async (host: NodeHost, target = to()): Promise<void> => {
    const done = until(host, 'running', 'failed');
    expect(await call(host, 'moveData', { to: target })).toEqual({ problem: null });
    await done;
  };

  it('copies readings, identity and all else, keeps the old folder, and deletes it on request', async () => {
    const host = desktopHost();
    await host.start();
    const device = await registeredDevice(runningAt(host).localUrl);
    const block = (seq: number) => device.block({ seq, timestamp: Date.now(), plain: { ph: 6 } });
    await accept(runningAt(host).localUrl, block(1));
    const { publicKey } = await call(host, 'nodeInfo', {});
    const phases: string[] = [];
    host.onState(({ state }) => phases.push(state));
    await move(host);
    expect([phases[0], phases.at(-1)]).toEqual(['moving', 'running']);
    expect(await call(host, 'nodeInfo', {})).toMatchObject({ publicKey, dataDir: to() });
    await accept(runningAt(host).localUrl, block(2));
    expect(await readingsOf(runningAt(host).localUrl, device.id)).toHaveLength(2);
    const from = join(folder, 'data');
    expect(kept()).toMatchObject({ dataDir: to(), oldDataDirs: [from] });
    await expect.poll(async () => (await call(host, 'getMoves', {})).move).toEqual({ to: to(), phase: 'done' });
    const { oldData } = await call(host, 'getMoves', {});
    expect(oldData).toEqual([{ path: from, bytes: expect.any(Number) }]);
    expect(readdirSync(from)).toContain('private.db');

    // Nothing starts on what stayed behind.
    const stray = desktopHost(null, { env: { DATA_DIR: from, LOCAL_PORT: '0' } });
    expect(JSON.stringify(await stray.start())).toMatch(/was moved to/);
    // Where the settings are lost, the mark leads to the data.
    expect(desktopFiles(folder).defaults.dataDir).toBe(to());

    const wrong = await host.call('deleteOldData', { path: from, confirm: to() });
    expect(wrong).toMatchObject({ ok: false, error: 'invalid_input' });
    expect(await host.call('deleteOldData', { path: to(), confirm: to() })).toMatchObject({ error: 'not_found' });
    expect(await call(host, 'deleteOldData', { path: from, confirm: from })).toEqual({ deleted: true });
    expect(readdirSync(from)).toEqual(['moved.json']);
    expect((await call(host, 'getMoves', {})).oldData).toEqual([]);
    expect(await readingsOf(runningAt(host).localUrl, device.id)).toHaveLength(2);
    // And back, where nothing but the mark is.
    await move(host, from);
    expect(await readingsOf(runningAt(host).localUrl, device.id)).toHaveLength(2);
    expect(existsSync(join(from, 'moved.json'))).toBe(false);
  });

  it('is refused if it is impossible, and changes nothing', async () => {
    const host = desktopHost();
    await host.start();
    const problem = async (target: string) => (await call(host, 'moveData', { to: target })).problem;
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'letter.txt'), 'mine');
    expect(await problem('somewhere')).toBe('not_absolute');
    expect(await problem(join(folder, 'full'))).toBe('not_empty');
    expect(await problem(join(folder, 'data', 'inside'))).toBe('nested');
    expect(host.state.state).toBe('running');
    const pinned = desktopHost(null, { env: { DATA_DIR: join(folder, 'other'), LOCAL_PORT: '0' } });
    await pinned.start();
    expect((await call(pinned, 'moveData', { to: to() })).problem).toBe('pinned');
    expect((await call(pinned, 'getSettings', {})).settings.dataDir).toMatchObject({ source: 'environment' });
  });

  it('leaves nothing behind if the node does not start on the copy', async () => {
    const host = desktopHost();
    await host.start();
    // What the node refuses is seen only when it starts: there is no such phrase.
    writeFileSync(join(folder, 'data', 'identity.mnemonic'), 'no phrase at all\n');
    const failed = until(host, 'failed');
    await call(host, 'moveData', { to: to() });
    await failed;
    await expect.poll(() => host.move).toMatchObject({ phase: 'failed', problem: 'start_failed' });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
    expect(kept()).not.toHaveProperty('dataDir');
  });

  it.skipIf(process.platform !== 'linux')('goes nowhere below /proc, and the node runs on', async () => {
    const host = desktopHost();
    await host.start();
    await move(host, '/proc/wellhouse/data');
    await expect.poll(() => host.move).toMatchObject({ phase: 'failed', problem: 'not_writable' });
    expect(host.state.state).toBe('running');
  });

  it('that is cancelled leaves the node in its folder', async () => {
    const host = desktopHost();
    await host.start();
    // Enough that a cancel comes before the end.
    writeFileSync(join(folder, 'data', 'keystore.wellhouse'), Buffer.alloc(96 * 1024 ** 2, 7));
    const copying = until(host, 'moving');
    const running = until(host, 'running');
    await call(host, 'moveData', { to: to() });
    await copying;
    expect(await host.call('setSettings', { change: { theme: 'dark' } })).toMatchObject({ error: 'conflict' });
    expect((await call(host, 'moveData', { to: join(folder, 'third') })).problem).toBe('busy');
    await call(host, 'cancelMove', {});
    await running;
    await expect
      .poll(async () => (await call(host, 'getMoves', {})).move)
      .toMatchObject({ phase: 'failed', problem: 'cancelled' });
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
    expect(kept()).not.toHaveProperty('dataDir');
    expect((await call(host, 'nodeInfo', {})).dataDir).toBe(join(folder, 'data'));
  });
});
