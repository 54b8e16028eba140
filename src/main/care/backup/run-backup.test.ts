import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf, makeDataFolder, NODE_PHRASE } from '../../../../test/support/care.ts';
import { recordDiskCalls } from '../../../../test/support/disk-calls.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { publicKeyOfPhrase } from '../../data-folder/node-key.ts';
import { tryCareLock } from '../../data-folder/node-lock.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';
import { encryptionOfFile, readArchive } from '../archive/read-archive.ts';
import type { NodePaths } from '../node-files.ts';
import { FOLDER_MARK } from './backup-folder.ts';
import { backupName, readBackupName } from './backup-names.ts';
import { latestIn, readBackupState, writeBackupState } from './backup-state.ts';
import { runBackup } from './run-backup.ts';

const KEEP = { daily: 7, weekly: 4, monthly: 12 };

let root: string;
let folder: string;
let paths: NodePaths;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'backups');
  mkdirSync(folder);
  paths = makeDataFolder(join(root, 'data'));
});
afterEach(() => removeFolder(root));

const run = (change: Partial<Parameters<typeof runBackup>[0]> = {}) =>
  runBackup({ ...paths, folder, reason: 'demand', lock: null, keep: KEEP, ...change });
const faultWith = (change: Parameters<typeof run>[0] = {}) => faultOf(() => run(change));
describe('a backup', () => {
  it('is recorded with its folder, and leaves no other files', async () => {
    const { path, bytes, manifest } = await run();
    const state = readBackupState(paths.dataDir);
    expect(state).toMatchObject({ folders: [{ path: folder }], failure: null });
    expect(latestIn(state, folder)).toMatchObject({ path, bytes, encryption: 'none', at: Date.parse(manifest.madeAt) });
    expect(readdirSync(folder).sort()).toEqual([path.slice(folder.length + 1), FOLDER_MARK].sort());
    expect(readdirSync(paths.dataDir)).not.toContain('.wellhouse-care');
  });

  it('with a passphrase does not replace one with the phrase, nor the reverse', async () => {
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    const passphrase = { kind: 'passphrase', passphrase: 'kettle orbit mango' } as const;
    await run({ keep });
    await run({ keep, lock: passphrase });
    await run({ keep });
    const names = readdirSync(folder).filter((name) => readBackupName(name) !== null);
    const found = await Promise.all(names.map((name) => encryptionOfFile(join(folder, name))));
    expect([...new Set(found)].sort()).toEqual(['none', 'passphrase']);
  });

  it('never creates its folder, and uses no other one instead', async () => {
    expect(await faultWith({ folder: join(root, 'missing') })).toBe('no_folder');
    expect(await faultWith({ folder: 'relative' })).toBe('no_folder');
    expect(await faultWith({ folder: paths.dataDir })).toBe('no_folder');
    mkdirSync(join(paths.dataDir, 'inside'));
    symlinkSync(paths.dataDir, join(root, 'link'));
    expect(await faultWith({ folder: join(root, 'link', 'inside') })).toBe('no_folder');
    expect(readdirSync(join(paths.dataDir, 'inside'))).toEqual([]);
    expect(await faultWith()).toBe('none');
    rmSync(folder, { recursive: true });
    expect(await faultWith()).toBe('no_folder');
    // The empty mount point of a missing disk.
    mkdirSync(folder);
    expect(await faultWith()).toBe('no_folder');
    expect(readdirSync(folder)).toEqual([]);
    expect(readBackupState(paths.dataDir).failure).toMatchObject({ fault: 'no_folder' });
    writeFileSync(join(folder, FOLDER_MARK), JSON.stringify({ id: '00000000-0000-4000-8000-000000000000' }));
    expect(await faultWith()).toBe('no_folder');
  });

  it('of damaged data is refused with a reason', async () => {
    const store = join(paths.dataDir, 'private.db');
    const bytes = readFileSync(store);
    // All pages except those that name the tables.
    bytes.fill(0xff, 8192);
    writeFileSync(store, bytes);
    expect(await faultWith()).toBe('bad_data');
    expect(readdirSync(folder)).toEqual([FOLDER_MARK]);
    rmSync(join(paths.dataDir, 'identity.mnemonic'));
    expect(await faultWith()).toBe('bad_data');
  });

  it('has the data written so far while writes continue', async () => {
    const db = new Database(join(paths.dataDir, 'private.db'));
    db.pragma('journal_mode = WAL');
    db.prepare("UPDATE devices SET name = 'in the log'").run();
    const { path } = await run();
    db.close();
    const { stores } = await readArchive(path, null);
    expect(stores.private.readings).toBe(20);
  });

  it('deletes backups beyond the retention, but only those of this node', async () => {
    const key = publicKeyOfPhrase(NODE_PHRASE);
    const copied = backupName(key, new Date(2020, 1, 1), 'schedule', 'none');
    const others = backupName('cd'.repeat(32), new Date(2020, 1, 1), 'schedule', 'none');
    for (const name of [copied, others, 'mine.txt']) writeFileSync(join(folder, name), 'x');
    const first = await run();
    const { deleted, path } = await run();
    expect(deleted).toEqual([basename(first.path)]);
    expect(readdirSync(folder).sort()).toEqual([basename(path), copied, others, 'mine.txt', FOLDER_MARK].sort());
  });

  it('names its node in the folder only when the node knows its own name', async () => {
    const disk = recordDiskCalls();
    await run().finally(disk.end);
    const named = (path: string) => disk.calls.findIndex((call) => call.startsWith('rename') && call.endsWith(path));
    const [known, marked] = [join(paths.dataDir, 'backups.json'), join(folder, FOLDER_MARK)].map(named);
    expect([known! >= 0, known! < marked!]).toEqual([true, true]);
  });

  it('leaves the list of its folder when its file is gone', async () => {
    await run();
    const [known] = readBackupState(paths.dataDir).folders;
    const gone = backupName(publicKeyOfPhrase(NODE_PHRASE), new Date(2020, 1, 1), 'demand', 'none');
    writeBackupState(paths.dataDir, { folders: [{ ...known!, made: [{ ...known!.made[0]!, name: gone }] }] });
    const { path } = await run();
    expect(readBackupState(paths.dataDir).folders[0]!.made.map(({ name }) => name)).toEqual([basename(path)]);
  });

  it('that failed by plan stays recorded until one is made by plan', async () => {
    rmSync(folder, { recursive: true });
    expect(await faultWith()).toBe('no_folder');
    const failure = () => readBackupState(paths.dataDir).failure?.fault ?? null;
    mkdirSync(folder);
    mkdirSync(join(root, 'other'));
    await run({ folder: join(root, 'other'), keep: null });
    expect(failure()).toBe('no_folder');
    await run();
    expect(failure()).toBeNull();
  });

  it('that gives way to other work is no failure', async () => {
    const release = tryCareLock(paths.dataDir)!;
    expect(await faultWith()).toBe('busy');
    release();
    expect(readBackupState(paths.dataDir).failure).toBeNull();
  });

  it('never deletes the new one, even if another has a later time', async () => {
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    const first = await run({ keep });
    const [known] = readBackupState(paths.dataDir).folders;
    const later = backupName(publicKeyOfPhrase(NODE_PHRASE), new Date(2099, 1, 1), 'demand', 'none');
    renameSync(first.path, join(folder, later));
    writeBackupState(paths.dataDir, { folders: [{ ...known!, made: [{ ...known!.made[0]!, name: later }] }] });
    const { path, deleted } = await run({ keep });
    expect(deleted).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([basename(path), later, FOLDER_MARK].sort());
  });

  it('deletes none while a store is missing, since they may be its only copy', async () => {
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    await run({ keep });
    const log = pino({ enabled: false });
    const damaged = new DamagedFiles({ path: paths.dataDir, log, now: () => 0 });
    damaged.add({ file: 'private.db', at: 0, copy: null, whole: 'missing', lost: [] });
    expect((await run({ keep })).deleted).toEqual([]);
    for (const { id } of damaged.list()) damaged.dismiss(id);
    expect((await run({ keep })).deleted).toHaveLength(2);
  });

  it('can be stopped half-way, and the next one starts from the beginning', async () => {
    let calls = 0;
    const isCancelled = () => {
      calls += 1;
      return calls > 3;
    };
    await expect(
      runBackup({ ...paths, folder, reason: 'demand', lock: null, keep: null }, { isCancelled }),
    ).rejects.toMatchObject({
      fault: 'cancelled',
    });
    expect(readdirSync(folder)).toEqual([FOLDER_MARK]);
    const key = publicKeyOfPhrase(NODE_PHRASE).slice(0, 8);
    writeFileSync(
      join(folder, `.wellhouse-${key}-00000000-0000-4000-8000-000000000000.part`),
      'of one that was killed',
    );
    writeFileSync(join(folder, '.wellhouse-cdcdcdcd-00000000-0000-4000-8000-000000000000.part'), 'of another node');
    await run();
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(1);
  });

  it('runs one at a time', async () => {
    const held: boolean[] = [];
    const isCancelled = () => {
      held.push(tryCareLock(paths.dataDir) === null);
      return false;
    };
    await runBackup({ ...paths, folder, reason: 'demand', lock: null, keep: null }, { isCancelled });
    expect([...new Set(held)]).toEqual([true]);
    const release = tryCareLock(paths.dataDir);
    expect(release).not.toBeNull();
    release!();
  });
});
