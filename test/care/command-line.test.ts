import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { blockOf } from '../durability/load.ts';
import { accept, postBlocks, registeredDevice } from '../support/client.ts';
import { DOOR_ENV } from '../support/door.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { hasProgram } from '../support/programs.ts';
import { answerOf, startCommand, wellhouse } from '../support/wellhouse.ts';

let root: string;
let node: RunningNode | null = null;
const dataDir = () => join(root, 'data');
beforeEach(() => {
  root = temporaryFolder();
});
afterEach(async () => {
  await node?.dispose();
  node = null;
  removeFolder(root);
});

interface Reading {
  readonly seq: string;
}
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reading);

/** A node with one device and thirty readings. */
async function grown(args: readonly string[]): Promise<string> {
  node = await startNode({ dataDir: dataDir(), args });
  const device = await registeredDevice(node.url('local'));
  await postBlocks(
    node.url('local'),
    Array.from({ length: 30 }, (_, index) => blockOf(device, index + 1)),
  );
  return device.id;
}

describe.each([
  ['asked by its owner API', ['--ui'], true],
  ['without an owner API', [], true],
  ['that has stopped', ['--ui'], false],
] as const)('of a node %s', (_name, args, isRunning) => {
  test('prints state, devices and readings, as JSON without a terminal', async () => {
    const id = await grown(args);
    const { publicKey } = node!.started;
    if (!isRunning) await node!.stop();
    expect(await answerOf(dataDir(), ['status'])).toMatchObject({
      running: isRunning,
      publicKey,
      devices: 1,
      restored: null,
    });
    expect(await answerOf(dataDir(), ['devices'])).toMatchObject([{ id }]);
    expect(await answerOf(dataDir(), ['identity'])).toEqual({ publicKey, dataDir: dataDir() });
    const newest = lines((await wellhouse(dataDir(), ['readings', id.slice(0, 12), '--limit', '5'])).stdout);
    expect(newest).toHaveLength(5);
    const all = lines((await wellhouse(dataDir(), ['readings', id, '--since', '1970-01-02'])).stdout);
    expect(new Set(all.map(({ seq }) => seq)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(15);
    const table = await wellhouse(dataDir(), ['--table', 'devices']);
    expect(table.stdout.split('\n')[0]).toMatch(/^name +id +stores +last heard$/);
    const { findings } = await answerOf<{ findings: { isSound: boolean }[] }>(dataDir(), ['verify']);
    expect(findings.map(({ isSound }) => isSound)).toEqual([true, true, true]);
    const link = await wellhouse(dataDir(), ['--table', 'link']);
    if (isRunning && args.length > 0) expect(link.stdout).toMatch(/\/ui\/#token=/);
    else expect(link.code).not.toBe(0);
  });
});

test('lists a hidden device only with --all, and still prints its readings', async () => {
  node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
  const device = await registeredDevice(node.url('local'));
  await call(node, 'setNotes', { id: device.id, notes: { ...NO_NOTES, isHidden: true } });
  await accept(node.url('local'), blockOf(device, 1));
  expect(await answerOf(dataDir(), ['devices'])).toEqual([]);
  expect(await answerOf(dataDir(), ['devices', '--all'])).toMatchObject([{ id: device.id }]);
  expect((await call(node, 'latestReadings', { id: device.id, limit: 10 })).readings).toHaveLength(1);
});

test('export and pair accept a device’s unique name', async () => {
  node = await startNode({ dataDir: dataDir(), args: ['--ui'], env: DOOR_ENV });
  const names = ['Herb bed', 'Twin', 'Twin'];
  const devices = await Promise.all(names.map((name) => registeredDevice(node!.url('local'), { name })));
  const [herbs, twin] = devices.map(({ id }) => id);
  for (const device of devices) await accept(node.url('local'), blockOf(device, 1));

  const exported = (name: string) => wellhouse(dataDir(), ['export', join(root, name), '--device', name]);
  expect(await exported('herb bed')).toMatchObject({ code: 0, stderr: '' });
  const ids = readFileSync(join(root, 'herb bed', 'devices.ndjson'), 'utf8');
  expect(devices.map(({ id }) => ids.includes(id))).toEqual([true, false, false]);
  const none = await exported('Twin');
  expect(none.code).toBe(2);
  for (const { id } of devices.slice(1)) expect(none.stderr).toContain(id);

  await answerOf(dataDir(), ['pair', 'Phone of Ana', '--device', 'Herb bed']);
  expect((await call(node, 'door', {})).open).toMatchObject({ name: 'Phone of Ana', devices: [herbs] });
  const refused = await wellhouse(dataDir(), ['pair', 'Phone of Bo', '--device', 'Twin']);
  expect([refused.code, refused.stderr.includes(twin!)]).toEqual([2, true]);
  expect((await call(node, 'door', {})).open).toMatchObject({ name: 'Phone of Ana' });
});

describe('a command', () => {
  test('follows readings as they arrive', async () => {
    const id = await grown(['--ui']);
    const { child, ended } = startCommand(dataDir(), ['readings', id, '--limit', '1', '--follow']);
    let seen = '';
    child.stdout.on('data', (text: string) => {
      seen += text;
    });
    await expect.poll(() => seen.trim().split('\n').length, { timeout: 60_000 }).toBe(1);
    const device = await registeredDevice(node!.url('local'));
    await accept(node!.url('local'), blockOf(device, 1));
    child.kill('SIGTERM');
    expect((await ended).signal).toBe('SIGTERM');
    const other = startCommand(dataDir(), ['readings', device.id, '--follow']);
    let followed = '';
    other.child.stdout.on('data', (text: string) => {
      followed += text;
    });
    await expect.poll(() => followed, { timeout: 60_000 }).toContain('"seq":"1"');
    await accept(node!.url('local'), blockOf(device, 2));
    await expect.poll(() => followed, { timeout: 60_000 }).toContain('"seq":"2"');
    other.child.kill('SIGTERM');
    await other.ended;
    expect(lines(followed).map(({ seq }) => seq)).toEqual(['1', '2']);
  });

  test('follows from --limit or --since on, in order, without repeats, over a restart of the node', async () => {
    node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
    const device = await registeredDevice(node.url('local'));
    const firstAt = Date.now() - 60_000;
    const block = (seq: number) => device.block({ seq, timestamp: firstAt + seq * 1000, plain: { ph: 6 } });
    await postBlocks(
      node.url('local'),
      Array.from({ length: 30 }, (_, index) => block(index + 1)),
    );
    const env = { LOCAL_PORT: new URL(node!.url('local')).port };
    const started = ['--limit', '--since'].map((option) => {
      const value = option === '--limit' ? '1' : '2100-01-01';
      const { child, ended } = startCommand(dataDir(), ['readings', device.id.slice(0, 12), option, value, '--follow']);
      const run = { child, ended, text: '' };
      child.stdout.on('data', (text: string) => {
        run.text += text;
      });
      return run;
    });
    const [limited, since] = started as [(typeof started)[0], (typeof started)[0]];
    const seqs = () => (limited.text === '' ? [] : lines(limited.text).map(({ seq }) => seq));
    await expect.poll(seqs, { timeout: 60_000 }).toEqual(['30']);
    await accept(node!.url('local'), block(31));
    await expect.poll(seqs, { timeout: 60_000 }).toEqual(['30', '31']);
    await node!.stop();
    node = await startNode({ dataDir: dataDir(), args: ['--ui'], env });
    await accept(node.url('local'), block(32));
    await accept(node.url('local'), block(33));
    await expect.poll(seqs, { timeout: 60_000 }).toEqual(['30', '31', '32', '33']);
    // More than one look of the command holds.
    const backlog = Array.from({ length: 620 }, (_, index) => block(index + 34));
    for (let from = 0; from < backlog.length; from += 100) {
      await postBlocks(node.url('local'), backlog.slice(from, from + 100));
    }
    await expect.poll(() => seqs().length, { timeout: 60_000 }).toBe(624);
    expect(seqs()).toEqual(Array.from({ length: 624 }, (_, index) => String(index + 30)));
    expect(since.text).toBe('');
    for (const { child, ended } of started) {
      child.kill('SIGTERM');
      expect((await ended).stderr).toBe('');
    }
  });

  test.each([
    [2, 'no such command', ['nothing']],
    [2, 'no such option', ['status', '--nothing']],
    [2, 'two ways to encrypt', ['backup', '--to', '/tmp', '--plain', '--passphrase']],
    [2, 'no way to encrypt', ['backup', '--to', '/tmp']],
    [2, 'neither a backup nor --undo', ['restore']],
    [6, 'no node', ['status']],
    [6, 'no folder for backups', ['backup', '--plain']],
    [6, 'a backup folder that is not there', ['backup', '--plain', '--to', '/no/such/folder']],
    [6, 'a backup that is not there', ['check', '/no/such/file']],
  ] as const)('ends with %i: %s', async (code, _what, args) => {
    const ended = await wellhouse(dataDir(), args);
    expect([ended.code, ended.stdout], ended.stderr).toEqual([code, '']);
    expect(ended.stderr.trim().split('\n').at(-1)).toMatch(/^wellhouse: /);
    expect(ended.stderr).not.toContain('at ');
  });

  test('finds a damaged store, and ends with 3', async () => {
    await grown([]);
    await node!.stop();
    const db = new Database(join(dataDir(), 'private.db'));
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    db.exec("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'readings_by_time'");
    db.close();
    const { code, stdout } = await wellhouse(dataDir(), ['verify']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      findings: [{ isSound: true }, { what: 'private store', isSound: false }, { isSound: true }],
    });
  });

  test('has completion for three shells (zsh and fish if they are installed)', async () => {
    const bash = await wellhouse(dataDir(), ['completion', 'bash']);
    expect(bash.code).toBe(0);
    execFileSync('bash', ['-n'], { input: bash.stdout });
    const complete = `${bash.stdout}\nCOMP_WORDS=(wellhouse res); COMP_CWORD=1; _wellhouse; echo "\${COMPREPLY[@]}"
      COMP_WORDS=(wellhouse restore --un); COMP_CWORD=2; _wellhouse; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', complete]).toString().trim().split('\n')).toEqual(['restore', '--undo']);
    const zsh = await wellhouse(dataDir(), ['completion', 'zsh']);
    expect(zsh.stdout).toContain("'--undo[");
    if (hasProgram('zsh')) execFileSync('zsh', ['-n'], { input: zsh.stdout });
    const fish = await wellhouse(dataDir(), ['completion', 'fish']);
    expect(fish.stdout).toContain('-l undo');
    if (!hasProgram('fish')) return;
    const offered = `${fish.stdout}\ncomplete -C 'wellhouse --data-dir /tmp res'\ncomplete -C 'wellhouse export --format n'`;
    expect(execFileSync('fish', ['-c', offered]).toString()).toMatch(/^restore\t.*\nndjson\b/);
  });

  test('has no completion for another shell', async () => {
    expect((await wellhouse(dataDir(), ['completion', 'tcsh'])).code).toBe(2);
  });
});
