import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReadings, faultOf, makeBackedUpNode, OWNER_PHRASE, seqsIn } from '../../../../test/support/care.ts';
import { recordDiskCalls } from '../../../../test/support/disk-calls.ts';
import { removeFolder } from '../../../../test/support/node-process.ts';
import type { CareProgress } from '../../../shared/care/progress.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { readBackupState, writeBackupState } from '../backup/backup-state.ts';
import { makeBackup } from '../backup/make-backup.ts';
import type { NodePaths } from '../node-files.ts';
import { STAGING } from '../swap.ts';
import { checkBackup, keptData, restoreBackup, restoreNote, undoRestore } from './restore.ts';

let folder: string;
let paths: NodePaths;
let backup: string;
beforeEach(async () => {
  ({ folder, paths, backup } = await makeBackedUpNode());
});
afterEach(() => removeFolder(folder));

const restore = (dataDir: string, replace = false) =>
  restoreBackup({ backup, opener: null, dataDir, settingsFile: join(dataDir, 'settings.json'), replace });
const privateSeqs = (dataDir: string) => seqsIn(join(dataDir, 'private.db')).length;
const textOf = (dataDir: string, name: string) => readFileSync(join(dataDir, name), 'utf8');

describe('a restore', () => {
  it('into a missing folder restores everything, and records its origin', async () => {
    const to = join(folder, 'a/new/one');
    const { aside, manifest } = await restore(to);
    expect(aside).toBeNull();
    expect(readdirSync(to).sort()).toEqual([
      'alert-history.ndjson',
      'alert-secrets.json',
      'alerts.json',
      'backups.json',
      'care.lock',
      'identity.mnemonic',
      'keystore.wellhouse',
      'keystore.wellhouse.previous',
      'node.lock',
      'private.db',
      'public.db',
      'restored.json',
      'settings.json',
    ]);
    expect([privateSeqs(to), seqsIn(join(to, 'public.db')).length]).toEqual([20, 3]);
    for (const name of ['identity.mnemonic', 'keystore.wellhouse', 'alerts.json', 'alert-secrets.json']) {
      expect(textOf(to, name)).toBe(textOf(paths.dataDir, name));
    }
    expect(restoreNote(to)).toMatchObject({ madeAt: manifest.madeAt, dataDir: paths.dataDir });
    if (process.platform === 'win32') return;
    for (const name of readdirSync(to)) expect([name, statSync(join(to, name)).mode & 0o077]).toEqual([name, 0]);
  });

  it('restores settings except the folders of the other machine', async () => {
    const to = join(folder, 'to');
    await restore(to);
    expect(JSON.parse(textOf(to, 'settings.json'))).toEqual({ publicPort: 4000 });
  });

  it('replaces data only if asked to, and never of a running node', async () => {
    expect(await faultOf(() => restore(paths.dataDir))).toBe('not_empty');
    const unlock = lockDataDir(paths.dataDir);
    expect(await faultOf(() => restore(paths.dataDir, true))).toBe('busy');
    unlock();
    expect(privateSeqs(paths.dataDir)).toBe(20);
    expect(existsSync(join(paths.dataDir, STAGING))).toBe(false);
  });

  it('of a running node waits for its stop, and places nothing without it or after the owner’s', async () => {
    addReadings(join(paths.dataDir, 'private.db'), 5, 100);
    const unlock = lockDataDir(paths.dataDir);
    const order = { ...paths, backup, opener: null, replace: true };
    expect(await faultOf(() => restoreBackup({ ...order, stopNode: async () => {} }))).toBe('busy');
    let isOpened = false;
    const stopped: string[] = [];
    const stopNode = async () => {
      stopped.push('the node');
      unlock();
    };
    const steps = {
      onProgress: ({ phase, doneBytes, totalBytes }: CareProgress) => {
        isOpened = phase === 'opening' && doneBytes === totalBytes;
      },
      isCancelled: () => isOpened,
    };
    expect(await faultOf(() => restoreBackup({ ...order, stopNode }, steps))).toBe('cancelled');
    expect([stopped, privateSeqs(paths.dataDir), existsSync(join(paths.dataDir, STAGING))]).toEqual([[], 25, false]);
    await restoreBackup({ ...order, stopNode });
    expect([stopped, privateSeqs(paths.dataDir)]).toEqual([['the node'], 20]);
  });

  it('in place keeps the previous data with its logs, and prevents a start on it', async () => {
    addReadings(join(paths.dataDir, 'private.db'), 5, 100);
    for (const log of ['private.db-wal', 'private.db-shm', 'public.db-wal'])
      writeFileSync(join(paths.dataDir, log), 'stale');
    writeFileSync(join(paths.dataDir, 'mine.txt'), 'something else');
    const { aside } = await restore(paths.dataDir, true);
    expect(aside).toMatch(/before-restore-\d{8}T\d{6}Z$/);
    expect(readdirSync(paths.dataDir).filter((name) => /-wal|-shm/.test(name))).toEqual([]);
    expect(privateSeqs(paths.dataDir)).toBe(20);
    expect(readdirSync(aside!)).toEqual(
      expect.arrayContaining(['moved.json', 'private.db', 'private.db-wal', 'private.db-shm', 'public.db-wal']),
    );
    expect(textOf(paths.dataDir, 'mine.txt')).toBe('something else');
    expect(textOf(paths.dataDir, 'ui-token')).toBe('of this machine\n');
    expect(JSON.parse(textOf(paths.dataDir, 'settings.json'))).toMatchObject({ dataDir: '/of/that/machine' });
  });

  it('places each file only when all of them are on disk, and ends when their names are', async () => {
    mkdirSync(join(paths.dataDir, 'photos'));
    writeFileSync(join(paths.dataDir, 'photos', `${'ab'.repeat(32)}.jpg`), 'a photo');
    backup = (await makeBackup({ ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null })).path;
    const disk = recordDiskCalls();
    await restore(paths.dataDir, true).finally(disk.end);
    const staged = join(paths.dataDir, STAGING, 'new');
    const journal = join(paths.dataDir, 'restore.json');
    const begun = disk.calls.indexOf(`rename ${journal}.new ${journal}`);
    const ended = disk.calls.indexOf(`remove ${journal}`);
    const [before, during] = [disk.calls.slice(0, begun), disk.calls.slice(begun, ended)];
    const names = readdirSync(paths.dataDir).filter((name) => {
      return disk.calls.includes(`rename ${join(staged, name)} ${join(paths.dataDir, name)}`);
    });
    expect(names).toEqual(expect.arrayContaining(['identity.mnemonic', 'photos', 'private.db', 'public.db']));
    const renames = names.map((name) => `rename ${join(staged, name)} ${join(paths.dataDir, name)}`);
    expect(during).toEqual(expect.arrayContaining(renames));
    // Windows syncs no folders.
    const isWindows = process.platform === 'win32';
    const synced = names.filter((name) => !isWindows || name !== 'photos').map((name) => join(staged, name));
    expect(
      synced.filter((path) => !before.some((call) => call === `sync ${path}` || call === `sync ${path}.new`)),
    ).toEqual([]);
    // A store is synced as it was unpacked, and again as it was opened, which may migrate it.
    expect(before.filter((call) => call === `sync ${join(staged, 'private.db')}`)).toHaveLength(2);
    if (isWindows) return;
    expect(before).toContain(`sync ${staged}`);
    expect(during.slice(during.findLastIndex((call) => renames.includes(call)))).toContain(`sync ${paths.dataDir}`);
  });

  it('over another node takes over nothing of it: neither its certificate nor its place at a backup folder', async () => {
    writeFileSync(paths.settingsFile, '{"backupFolder":"/media/disk"}');
    backup = (await makeBackup({ ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null })).path;
    const before = writeBackupState(paths.dataDir, { program: '0.0.1' });
    writeFileSync(paths.settingsFile, '{}');
    writeFileSync(join(paths.dataDir, 'door-certificate.json'), '{"version":1}');
    const { heldBack } = await restore(paths.dataDir, true);
    expect(readBackupState(paths.dataDir)).toMatchObject({ node: before.node, isCopy: false, program: '0.0.1' });
    // The same node makes no backups to another folder than its present one without its owner's word.
    expect(heldBack.map(({ kind }) => kind)).toEqual(['backups']);
    expect(existsSync(join(paths.dataDir, 'door-certificate.json'))).toBe(true);

    writeFileSync(join(paths.dataDir, 'identity.mnemonic'), `${OWNER_PHRASE}\n`);
    const other = await restore(paths.dataDir, true);
    expect(readBackupState(paths.dataDir)).toMatchObject({ isCopy: true, folders: [], program: null });
    expect(readBackupState(paths.dataDir).node).not.toBe(before.node);
    expect(other.heldBack).toEqual([]);
    expect(existsSync(join(paths.dataDir, 'door-certificate.json'))).toBe(false);
  });

  it('can be undone, and the undo can be undone', async () => {
    addReadings(join(paths.dataDir, 'private.db'), 5, 100);
    await restore(paths.dataDir, true);
    expect(undoRestore(paths)).toMatch(/restored-/);
    expect(privateSeqs(paths.dataDir)).toBe(25);
    expect(readdirSync(paths.dataDir).some((name) => name.startsWith('before-restore'))).toBe(false);
    expect(existsSync(join(paths.dataDir, 'moved.json'))).toBe(false);
    expect(await faultOf(() => undoRestore(paths))).toBe('nothing_kept');
  });

  it('is undone to the data of the latest one, one after the other', async () => {
    for (const first of [100, 200]) {
      addReadings(join(paths.dataDir, 'private.db'), first / 100, first);
      await restore(paths.dataDir, true);
    }
    const [older, latest] = readdirSync(paths.dataDir).filter((name) => name.startsWith('before-restore'));
    expect(keptData(paths.dataDir)?.path).toBe(join(paths.dataDir, latest!));
    undoRestore(paths);
    expect(privateSeqs(paths.dataDir)).toBe(22);
    expect(keptData(paths.dataDir)?.path).toBe(join(paths.dataDir, older!));
    undoRestore(paths);
    expect(privateSeqs(paths.dataDir)).toBe(21);
    expect(keptData(paths.dataDir)).toBeNull();
  });

  it('of a damaged backup changes nothing', async () => {
    const bytes = readFileSync(backup);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(backup, bytes);
    expect(await faultOf(() => restore(paths.dataDir, true))).toBe('damaged');
    expect(privateSeqs(paths.dataDir)).toBe(20);
    expect(readdirSync(paths.dataDir)).not.toContain(STAGING);
    const to = join(folder, 'to');
    expect(await faultOf(() => restore(to))).toBe('damaged');
    expect(readdirSync(to).filter((name) => name !== 'care.lock' && name !== 'node.lock')).toEqual([]);
  });

  it('of a newer version is refused with a remedy', async () => {
    const db = new Database(join(paths.dataDir, 'private.db'));
    db.pragma('user_version = 99');
    db.close();
    const newer = await makeBackup({ ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null });
    const to = join(folder, 'to');
    const order = {
      backup: newer.path,
      opener: null,
      dataDir: to,
      settingsFile: join(to, 'settings.json'),
      replace: false,
    };
    await expect(restoreBackup(order)).rejects.toMatchObject({
      fault: 'newer',
      message: expect.stringContaining('update this one'),
    });
    expect(existsSync(join(to, 'private.db'))).toBe(false);
  });

  it('replaces settings outside of the data folder, and keeps the previous ones', async () => {
    const settingsFile = join(folder, 'settings.json');
    rmSync(join(paths.dataDir, 'settings.json'));
    writeFileSync(settingsFile, '{"publicPort":1,"dataDir":"here"}');
    const { aside } = await restoreBackup({
      backup,
      opener: null,
      dataDir: paths.dataDir,
      settingsFile,
      replace: true,
    });
    expect(JSON.parse(readFileSync(settingsFile, 'utf8'))).toEqual({ publicPort: 4000, dataDir: 'here' });
    expect(JSON.parse(readFileSync(join(aside!, 'settings.json'), 'utf8')).dataDir).toBe('here');
    undoRestore({ dataDir: paths.dataDir, settingsFile });
    expect(readFileSync(settingsFile, 'utf8')).toBe('{"publicPort":1,"dataDir":"here"}');
    // Nothing of it is left to be undone again.
    expect([keptData(paths.dataDir), existsSync(aside!)]).toEqual([null, false]);
  });
});

describe('a check', () => {
  it('returns the contents of a restore, without changes', async () => {
    const before = readdirSync(paths.dataDir).sort();
    const { manifest, isOlder } = await checkBackup(backup, null, paths.dataDir);
    expect(manifest.stores.private.readings).toBe(20);
    expect(isOlder).toBe(false);
    expect(readdirSync(paths.dataDir).sort()).toEqual(before);
    expect((await checkBackup(backup, null, null)).manifest).toEqual(manifest);
  });
});
