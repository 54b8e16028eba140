import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addReadings, makeDataFolder, OWNER_PHRASE, seqsIn } from '../../../../test/support/care.ts';
import { recordDiskCalls } from '../../../../test/support/disk-calls.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import type { CareProgress } from '../../../shared/care/progress.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import type { Bytes } from '../archive/bytes.ts';
import type { Lock } from '../archive/encryption.ts';
import type { Manifest } from '../archive/manifest.ts';
import { readArchive } from '../archive/read-archive.ts';
import { archiveBytes } from '../archive/write-archive.ts';
import { readBackupState, writeBackupState } from '../backup/backup-state.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { CareError } from '../care-error.ts';
import type { NodePaths } from '../node-files.ts';
import { finishRestore, isRestoreCutOff, STAGING } from '../swap.ts';
import { checkBackup, keptData, restoreBackup, restoreNote, undoRestore } from './restore.ts';

let folder: string;
let paths: NodePaths;
let backup: string;
beforeEach(async () => {
  folder = temporaryFolder();
  paths = makeDataFolder(join(folder, 'data'));
  mkdirSync(join(folder, 'backups'));
  backup = (await makeBackup({ ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null })).path;
});
afterEach(() => removeFolder(folder));

const restore = (dataDir: string, replace = false) =>
  restoreBackup({ backup, opener: null, dataDir, settingsFile: join(dataDir, 'settings.json'), replace });
const faultOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof CareError) return error.fault;
    throw error;
  }
  return 'none';
};
async function chunksOf(bytes: Bytes): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return chunks;
}
/** Writes a backup with another manifest or other members; resolves with its path. */
async function changedBackup(
  change: (manifest: Manifest) => Manifest,
  contentOf: (name: string, content: Buffer) => Buffer = (_name, content) => content,
): Promise<string> {
  const contents = new Map<string, Buffer>();
  const made = await readArchive(backup, null, {
    onMember: async ({ name }, bytes) => {
      contents.set(name, contentOf(name, Buffer.concat(await chunksOf(bytes))));
    },
  });
  const members = made.members.map(({ name }) => {
    const content = contents.get(name)!;
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { name, bytes: content.length, sha256, from: { content } };
  });
  const manifest = change({ ...made, members: members.map(({ from: _, ...member }) => member) });
  const written = manifest.members.map(
    ({ name, ...rest }) => members.find((each) => each.name === name) ?? { name, ...rest, from: { content: ODD } },
  );
  const path = join(folder, 'changed');
  const parts = { manifest, members: written, lock: null, onOpener() {}, onBytes() {} };
  writeFileSync(path, Buffer.concat(await chunksOf(archiveBytes(parts))));
  return path;
}
const ODD = Buffer.from('odd');
const privateSeqs = (dataDir: string) => seqsIn(join(dataDir, 'private.db')).length;
const textOf = (dataDir: string, name: string) => readFileSync(join(dataDir, name), 'utf8');

describe('a backup that can’t be restored', () => {
  it('has files too large for memory; no such backup is made either', async () => {
    const history = { name: 'alert-history.ndjson', bytes: 33 * 1024 ** 2 };
    const made = await readArchive(backup, null);
    const content = Buffer.alloc(history.bytes);
    const member = { ...history, sha256: '0'.repeat(64) };
    const manifest = { ...made, members: [member] };
    const parts = { manifest, members: [{ ...member, from: { content } }], lock: null, onOpener() {}, onBytes() {} };
    writeFileSync(join(folder, 'large'), Buffer.concat(await chunksOf(archiveBytes(parts))));
    await expect(checkBackup(join(folder, 'large'), null, null)).rejects.toThrow('too large for such a file');
    writeFileSync(join(paths.dataDir, history.name), content);
    const order = { ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null } as const;
    await expect(makeBackup(order)).rejects.toThrow('too large for such a file');
  });

  it('of an unencrypted backup keeps the present door certificate, which only encrypted ones have', async () => {
    const file = 'door-certificate.json';
    writeFileSync(join(paths.dataDir, file), '{"version":1}');
    const made = async (lock: Lock, to: string) => {
      mkdirSync(join(folder, to));
      const { manifest, path } = await makeBackup({ ...paths, folder: join(folder, to), reason: 'demand', lock });
      backup = path;
      return manifest.members.map(({ name }) => name);
    };
    expect(await made({ kind: 'passphrase', passphrase: 'a long passphrase' }, 'encrypted')).toContain(file);
    expect(await made(null, 'plain')).not.toContain(file);
    await restore(paths.dataDir, true);
    expect(textOf(paths.dataDir, file)).toBe('{"version":1}');
    await restore(join(folder, 'elsewhere'));
    expect(existsSync(join(folder, 'elsewhere', file))).toBe(false);
  });

  it('has a distinct fault: no file, a folder, an archive without an identity', async () => {
    expect(await faultOf(() => checkBackup(join(folder, 'nothing'), null, null))).toBe('no_file');
    expect(await faultOf(() => checkBackup(folder, null, null))).toBe('no_file');
    const made = await readArchive(backup, null);
    const members = made.members.filter(({ name }) => name !== 'identity.mnemonic');
    const contents = new Map<string, Buffer>();
    await readArchive(backup, null, {
      onMember: async ({ name }, bytes) => {
        contents.set(name, Buffer.concat(await chunksOf(bytes)));
      },
    });
    const sources = members.map((member) => ({ ...member, from: { content: contents.get(member.name)! } }));
    const parts = {
      manifest: { ...made, members },
      members: sources,
      lock: null,
      onOpener: () => {},
      onBytes: () => {},
    };
    writeFileSync(join(folder, 'without'), Buffer.concat(await chunksOf(archiveBytes(parts))));
    expect(await faultOf(() => checkBackup(join(folder, 'without'), null, null))).toBe('damaged');
  });
});

describe('a whole backup that does not fit together', () => {
  const problemOf = (path: string) =>
    checkBackup(path, null, null).then(
      () => 'none',
      (error: CareError) => `${error.fault}: ${error.message}`,
    );
  const storesOf = (manifest: Manifest, change: object) => ({
    ...manifest,
    stores: { ...manifest.stores, private: { ...manifest.stores.private, ...change } },
  });

  it('is restored only if its changed copy is as good as it', async () => {
    expect(await problemOf(await changedBackup((manifest) => manifest))).toBe('none');
  });

  it('has the identity of another node', async () => {
    const other = 'cd'.repeat(32);
    const path = await changedBackup((manifest) => ({ ...manifest, node: { ...manifest.node, publicKey: other } }));
    expect(await problemOf(path)).toMatch(/^damaged: .*the identity in it is not that of its manifest/);
  });

  it('has other rows than it says, of any table', async () => {
    for (const change of [{ readings: 19 }, { rows: {} }]) {
      const path = await changedBackup((manifest) => storesOf(manifest, change));
      expect(await problemOf(path), JSON.stringify(change)).toMatch(/^damaged: .*its rows differ from the manifest/);
    }
    const path = await changedBackup((manifest) => {
      const { rows } = manifest.stores.private;
      return storesOf(manifest, { rows: { ...rows, devices: rows.devices! + 1 } });
    });
    expect(await problemOf(path)).toMatch(/^damaged: .*its rows differ from the manifest/);
  });

  it('has a member that is not part of a node, or a photo that no node takes', async () => {
    for (const [name, bytes] of [
      ['ui-token', ODD.length],
      ['door.json', ODD.length],
      ['private.db-wal', ODD.length],
      ['photo-x.jpg', ODD.length],
    ] as const) {
      const sha256 = createHash('sha256').update(ODD).digest('hex');
      const path = await changedBackup((manifest) => {
        return { ...manifest, members: [...manifest.members, { name, bytes, sha256 }] };
      });
      expect(await problemOf(path), name).toBe(
        `damaged: the backup is damaged: it contains ${name}, which is not part of a node`,
      );
    }
  });

  it('has a store of a newer version, the private or the public one', async () => {
    for (const name of ['private', 'public'] as const) {
      const path = await changedBackup((manifest) => {
        return { ...manifest, stores: { ...manifest.stores, [name]: { ...manifest.stores[name], version: 99 } } };
      });
      expect(await problemOf(path), name).toMatch(/^newer: .*store version 99/);
    }
  });
});

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

  it('records the machine that the backup is from', async () => {
    backup = await changedBackup((manifest) => ({ ...manifest, node: { ...manifest.node, host: 'elsewhere' } }));
    const to = join(folder, 'to');
    await restore(to);
    expect(restoreNote(to)).toMatchObject({ host: 'elsewhere', dataDir: paths.dataDir });
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

describe('an interrupted restore', () => {
  /** Returns all files in a folder except the locks, by name. */
  const stateOf = (dataDir: string) =>
    readdirSync(dataDir)
      .filter((name) => !/lock$/.test(name))
      .sort();

  it('has no effect before its journal: the next work removes its files', async () => {
    mkdirSync(join(paths.dataDir, STAGING, 'new'), { recursive: true });
    writeFileSync(join(paths.dataDir, STAGING, 'new', 'private.db'), 'half');
    expect(finishRestore(paths.dataDir)).toBeNull();
    expect(privateSeqs(paths.dataDir)).toBe(20);
    await checkBackup(backup, null, paths.dataDir);
    expect(existsSync(join(paths.dataDir, STAGING))).toBe(false);
  });

  /** Returns a journal that is right except for a change, which leads out of the folder. */
  const leaving = (change: object) =>
    JSON.stringify({
      ...{ version: 1, from: `${STAGING}/new`, place: ['private.db'], aside: null, putAside: [], settingsFile: null },
      ...change,
    });
  it.each([
    ...['', '{"version":1}', '[1,', leaving({ from: '../other' }), leaving({ from: '/other' })],
    ...[leaving({ place: ['../private.db'] }), leaving({ aside: '..' }), leaving({ putAside: ['a/b'] })],
  ])('with a damaged journal (%j) is reported with a remedy', (text) => {
    writeFileSync(join(paths.dataDir, 'restore.json'), text);
    expect(() => finishRestore(paths.dataDir)).toThrow(
      /^restore\.json is damaged: move it away, then restore the backup again$/,
    );
    expect(privateSeqs(paths.dataDir)).toBe(20);
  });

  it('keeps the settings of before, however far the replacing of those outside of the folder came', () => {
    const settingsFile = join(folder, 'settings.json');
    const aside = 'before-restore-20260101T000000Z';
    for (const [present, kept, staged] of [
      ['old', null, 'new'],
      ['old', 'old', 'new'],
      ['new', 'old', 'new'],
      ['new', 'old', null],
    ] as const) {
      const dataDir = join(folder, `cut-${Math.random()}`);
      mkdirSync(join(dataDir, STAGING, 'new'), { recursive: true });
      mkdirSync(join(dataDir, aside));
      writeFileSync(settingsFile, present);
      if (kept !== null) writeFileSync(join(dataDir, aside, 'settings.json'), kept);
      if (staged !== null) writeFileSync(join(dataDir, STAGING, 'new', 'settings.json'), staged);
      const journal = { version: 1, from: `${STAGING}/new`, place: [], aside, putAside: [], settingsFile };
      writeFileSync(join(dataDir, 'restore.json'), JSON.stringify(journal));
      finishRestore(dataDir);
      expect([readFileSync(settingsFile, 'utf8'), textOf(join(dataDir, aside), 'settings.json')]).toEqual([
        'new',
        'old',
      ]);
      expect([isRestoreCutOff(dataDir), existsSync(join(dataDir, STAGING))]).toEqual([false, false]);
    }
  });

  it('is finished by the next start after any of its renames', async () => {
    const names = ['identity.mnemonic', 'private.db', 'private.db-wal', 'public.db', 'settings.json'];
    const placed = ['identity.mnemonic', 'private.db', 'restored.json'];
    await fc.assert(
      fc.asyncProperty(fc.nat(names.length + placed.length), fc.boolean(), async (renames, twice) => {
        const dataDir = join(folder, `cut-${Math.random()}`);
        mkdirSync(join(dataDir, STAGING, 'new'), { recursive: true });
        for (const name of names) writeFileSync(join(dataDir, name), `old ${name}`);
        for (const name of placed) writeFileSync(join(dataDir, STAGING, 'new', name), `new ${name}`);
        const aside = 'before-restore-20260101T000000Z';
        const journal = {
          version: 1,
          from: `${STAGING}/new`,
          place: placed,
          aside,
          putAside: names,
          settingsFile: null,
        };
        writeFileSync(join(dataDir, 'restore.json'), JSON.stringify(journal));
        if (renames > 0) mkdirSync(join(dataDir, aside));
        const steps = [
          ...names.map((name) => [join(dataDir, name), join(dataDir, aside, name)] as const),
          ...placed.map((name) => [join(dataDir, STAGING, 'new', name), join(dataDir, name)] as const),
        ];
        for (const [from, to] of steps.slice(0, renames)) renameSync(from, to);

        expect(isRestoreCutOff(dataDir)).toBe(true);
        expect(await faultOf(() => checkBackup(backup, null, dataDir))).toBe(
          existsSync(join(dataDir, 'private.db')) ||
            existsSync(join(dataDir, 'identity.mnemonic')) ||
            existsSync(join(dataDir, 'public.db'))
            ? 'busy'
            : 'none',
        );
        finishRestore(dataDir);
        if (twice) finishRestore(dataDir);
        expect(stateOf(dataDir)).toEqual([aside, ...placed].sort());
        for (const name of placed) expect(textOf(dataDir, name)).toBe(`new ${name}`);
        expect(readdirSync(join(dataDir, aside)).sort()).toEqual(['moved.json', ...names].sort());
        for (const name of names) expect(textOf(join(dataDir, aside), name)).toBe(`old ${name}`);
      }),
      { numRuns: 30 },
    );
  });
});
