import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backupIdentity } from '../../src/shared/crypto/backup-key.ts';
import { standardSeed } from '../../src/shared/crypto/phrase/phrase.ts';
import type { BackupsView } from '../../src/shared/owner-api/backups.ts';
import { blockOf } from '../durability/load.ts';
import { NODE_PHRASE, OWNER_PHRASE, seqsIn } from '../support/care.ts';
import { accept, postBlocks, registeredDevice } from '../support/client.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call, EventSocket, failure } from '../support/owner-client.ts';

const identity = backupIdentity(standardSeed(OWNER_PHRASE));
const PLAN = { recipient: null, time: '03:30', keepDaily: 7, keepWeekly: 4, keepMonthly: 12 };

let root: string;
let node: RunningNode;
const folder = () => join(root, 'backups');
const dataDir = () => join(root, 'data');
beforeEach(async () => {
  root = temporaryFolder();
  mkdirSync(folder());
  node = await startNode({ dataDir: dataDir(), args: ['--ui'] });
});
afterEach(async () => {
  await node.dispose();
  removeFolder(root);
});

const plan = (change: object = {}) => call(node, 'planBackups', { folder: folder(), ...PLAN, ...change });
const view = () => call(node, 'backups', {});
/** The view when nothing is under way any more; also over a restart of the node. */
async function whenDone(isDone: (view: BackupsView) => boolean): Promise<BackupsView> {
  let last: BackupsView | null = null;
  await expect
    .poll(
      async () => {
        last = await view().catch(() => null);
        return last !== null && last.work === null && isDone(last);
      },
      { timeout: 60_000, interval: 300 },
    )
    .toBe(true);
  return last!;
}

describe('the owner', () => {
  test('chooses a folder, makes a backup and sees its result', async () => {
    expect(await view()).toMatchObject({ plan: { folder: null }, last: null, nextAt: null, files: [] });
    expect(await call(node, 'makeBackup', { passphrase: null })).toMatchObject({ problem: { fault: 'no_folder' } });
    expect(await plan({ folder: join(root, 'missing') })).toMatchObject({ problem: { fault: 'no_folder' } });
    expect(await plan({ folder: join(dataDir(), 'within') })).toMatchObject({ problem: { fault: 'no_folder' } });
    const recipient = await identityToRecipient(identity);
    expect(await plan({ recipient })).toEqual({ problem: null });
    const events = new EventSocket(node);
    await events.ready;
    expect(await call(node, 'makeBackup', { passphrase: null })).toEqual({ problem: null });
    await events.next('backups');
    events.close();
    const after = await whenDone(({ last }) => last !== null);
    expect(after.files).toMatchObject([{ encryption: 'recipient', isBefore: false, path: after.last!.path }]);
    expect(after.nextAt).toBeGreaterThan(Date.now());
    expect(JSON.parse(readFileSync(join(dataDir(), 'settings.json'), 'utf8'))).toMatchObject({
      backupFolder: folder(),
      backupRecipient: recipient,
    });

    // A drill, with the key of the phrase and with none.
    const { path } = after.last!;
    expect(await call(node, 'backupFile', { path })).toEqual({ encryption: 'recipient', problem: null });
    await call(node, 'checkBackup', { path, key: { kind: 'identity', identity } });
    const checked = await whenDone(({ opened }) => opened !== null);
    expect(checked.opened).toMatchObject({
      kind: 'check',
      problem: null,
      contents: { publicKey: node.started.publicKey },
    });
    // A wrong key is reported at once, and nothing begins.
    const wrong = { kind: 'identity', identity: backupIdentity(standardSeed(NODE_PHRASE)) } as const;
    for (const answer of [
      await call(node, 'checkBackup', { path, key: wrong }),
      await call(node, 'restoreBackup', { path, key: wrong, confirm: path }),
    ]) {
      expect(answer).toMatchObject({ problem: { fault: 'wrong_key' } });
    }
    expect(await view()).toMatchObject({ work: null, opened: { problem: null } });
    expect((await call(node, 'listBackups', { folder: null })).folders).toMatchObject([
      { path: folder(), isPlanned: true, files: [{ path, isVerified: true }] },
    ]);
    expect((await call(node, 'listBackups', { folder: dataDir() })).folders).toMatchObject([{ files: [] }]);
    await call(node, 'checkBackup', { path, key: null });
    await whenDone(({ opened }) => opened?.problem?.fault === 'needs_key');

    // The disk is gone.
    rmSync(folder(), { recursive: true });
    mkdirSync(folder());
    expect((await view()).folderProblem).toMatchObject({ fault: 'no_folder' });
    await call(node, 'makeBackup', { passphrase: null });
    await whenDone(({ failure: failed }) => failed?.fault === 'no_folder');
    expect(readdirSync(folder())).toEqual([]);
  });

  test('restores a backup without restarting the page or the node by hand', async () => {
    const url = node.url('local');
    const device = await registeredDevice(url);
    await postBlocks(
      url,
      Array.from({ length: 50 }, (_, index) => blockOf(device, index + 1)),
    );
    await plan();
    await call(node, 'makeBackup', { passphrase: null });
    const { last } = await whenDone((seen) => seen.last !== null);
    await accept(url, blockOf(device, 51));
    const { path } = last!;
    expect((await failure(node, 'restoreBackup', { path, key: null, confirm: '/another' }))[0]).toBe(400);
    expect(await call(node, 'restoreBackup', { path, key: null, confirm: path })).toEqual({ problem: null });

    // The node listens at another port then: the settings leave it to the system.
    await expect
      .poll(() => node.records.filter(({ msg }) => msg === 'node started').length, { timeout: 60_000 })
      .toBe(2);
    const again = node.records.filter(({ msg }) => msg === 'node started')[1] as {
      localUrl: string;
      publicKey: string;
    };
    expect(again.publicKey).toBe(node.started.publicKey);
    const moved = { ...node, dataDir: dataDir(), url: () => again.localUrl } as unknown as RunningNode;
    const after = await call(moved, 'backups', {});
    expect(after.opened).toMatchObject({ kind: 'restore', problem: null, contents: { private: { readings: 50 } } });
    expect(after.restored).toMatchObject({ dataDir: dataDir() });
    expect(seqsIn(join(dataDir(), 'private.db'))).toHaveLength(50);
    expect(seqsIn(join(after.opened!.aside!, 'private.db'))).toHaveLength(51);
    await accept(again.localUrl, blockOf(device, 51));
    await accept(again.localUrl, blockOf(device, 50));
    expect(seqsIn(join(dataDir(), 'private.db'))).toHaveLength(51);
    await call(moved, 'dismissRestored', {});
    expect((await call(moved, 'backups', {})).restored).toBeNull();
  });

  test('sees why a backup can’t be restored, without any change', async () => {
    writeFileSync(join(root, 'no-backup'), 'something');
    await call(node, 'restoreBackup', { path: join(root, 'no-backup'), key: null, confirm: join(root, 'no-backup') });
    await whenDone(({ opened }) => opened?.problem?.fault === 'not_a_backup');
    expect(node.records.filter(({ msg }) => msg === 'node started')).toHaveLength(1);
  });
});
