import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { undoRestore } from '../../src/main/care/restore/restore.ts';
import { healthOf } from '../../src/main/care/restore-health.ts';
import { makeDataFolder, seqsIn } from '../support/care.ts';
import {
  type NodeOptions,
  type RunningNode,
  removeFolder,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { call, failure } from '../support/owner-client.ts';
import { answerOf, backUp, wellhouse } from '../support/wellhouse.ts';

let root: string;
let node: RunningNode | null = null;
const dataDir = () => join(root, 'data');
const readings = () => seqsIn(join(dataDir(), 'private.db')).length;
beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(join(root, 'backups'));
});
afterEach(async () => {
  await node?.dispose();
  node = null;
  removeFolder(root);
});

/** A node with 20 readings. */
async function start<N extends RunningNode>(startAs: (options: NodeOptions) => Promise<N>): Promise<N> {
  makeDataFolder(dataDir(), 20);
  // One of these is no token, the other no list of alerts.
  for (const name of ['ui-token', 'alerts.json']) rmSync(join(dataDir(), name));
  return await startAs({ dataDir: dataDir(), args: ['--ui'] });
}

/** A backup of a node with 30 readings, of which every page is whole; without a table that it reads, or one that it writes. */
async function backupOf(missing: 'owner_choices' | 'withheld' | null): Promise<string> {
  const from = join(root, 'from');
  makeDataFolder(from, 30);
  if (missing !== null) new Database(join(from, 'private.db')).exec(`DROP TABLE ${missing}`).close();
  return await backUp(from, ['--to', join(root, 'backups'), '--plain']);
}

test('a restored folder is opened as by a node, and is as healthy as before', async () => {
  const backup = await backupOf(null);
  expect(await answerOf(dataDir(), ['restore', backup])).toMatchObject({
    health: { state: 'healthy', message: null },
    aside: null,
  });
  expect(readings()).toBe(30);
  expect(await healthOf(dataDir(), 0)).toMatchObject({ state: 'slow' });
  // What was too slow holds nothing.
  expect(await healthOf(dataDir())).toMatchObject({ state: 'healthy' });
});

test('a node that does not start is reported, and stays until its owner undoes the restore', async () => {
  const backup = await backupOf('owner_choices');
  makeDataFolder(dataDir(), 20);
  const { code, stdout, stderr } = await wellhouse(dataDir(), ['restore', backup, '--replace']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).health).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('owner_choices'),
  });
  expect(stderr).toContain('The restored data stays. "restore --undo" puts back what was here before');
  expect(readings()).toBe(30);
  await answerOf(dataDir(), ['restore', '--undo']);
  expect(readings()).toBe(20);
});

test('a restore of a running node is undone on the owner’s request', async () => {
  const backup = await backupOf(null);
  node = await start(startNode);
  expect((await call(node, 'backups', {})).kept).toBeNull();
  expect((await failure(node, 'undoRestore', { confirm: '/another' }))[0]).toBe(400);
  await call(node, 'restoreBackup', { path: backup, key: null, confirm: backup });
  const restored = await startedAgain(2);
  const view = await call(restored, 'backups', {});
  expect(view.opened).toMatchObject({ kind: 'restore', health: { state: 'healthy' } });
  expect(view.kept?.path).toBe(view.opened?.aside);
  expect(readings()).toBe(30);

  await call(restored, 'undoRestore', { confirm: view.kept!.path });
  const former = await startedAgain(3);
  const after = await call(former, 'backups', {});
  expect(after.opened).toMatchObject({ kind: 'undo', problem: null, health: { state: 'healthy' } });
  expect(after).toMatchObject({ kept: null, restored: null });
  expect(readings()).toBe(20);
  expect(seqsIn(join(after.opened!.path, 'private.db'))).toHaveLength(30);
});

test('a node that starts on restored data and can’t read it reports that', async () => {
  const backup = await backupOf('owner_choices');
  node = await start(startNode);
  await call(node, 'restoreBackup', { path: backup, key: null, confirm: backup });
  const { opened, kept } = await call(await startedAgain(2), 'backups', {});
  expect(opened?.health).toMatchObject({ state: 'failed', message: expect.stringContaining('can’t read its stores') });
  expect(kept?.path).toBe(opened?.aside);
  expect(readings()).toBe(30);
});

test('a node that can’t start on restored data ends, and prints how to undo the restore', async () => {
  const backup = await backupOf('withheld');
  const ending = await start(startProcess);
  node = ending;
  await call(node, 'restoreBackup', { path: backup, key: null, confirm: backup });
  const { code } = await ending.exited;
  expect(code).toBe(1);
  expect(node.stderr).toContain('"wellhouse restore --undo" puts back the earlier data');
  expect(readings()).toBe(30);
  undoRestore({ dataDir: dataDir(), settingsFile: join(dataDir(), 'settings.json') });
  node = await startNode({ dataDir: dataDir() });
  expect(readings()).toBe(20);
});

/** The node after so many starts, which listens at another port each time. */
async function startedAgain(starts: number): Promise<RunningNode> {
  const started = () => node!.records.filter(({ msg }) => msg === 'node started');
  await expect.poll(() => started().length, { timeout: 60_000 }).toBe(starts);
  const { localUrl } = started().at(-1) as unknown as { localUrl: string };
  const moved = { ...node, dataDir: dataDir(), url: () => localUrl } as unknown as RunningNode;
  const health = async () => (await call(moved, 'backups', {})).opened?.health ?? null;
  await expect.poll(health, { timeout: 60_000 }).not.toBeNull();
  return moved;
}
