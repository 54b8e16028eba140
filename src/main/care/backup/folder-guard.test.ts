import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf, makeDataFolder, NODE_PHRASE } from '../../../../test/support/care.ts';
import { unpackKeptStore } from '../../../../test/support/kept-stores.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { storePath } from '../../../../test/support/store-file.ts';
import type { Settings } from '../../../shared/settings/table.ts';
import { readSettings } from '../../settings/settings.ts';
import { Care } from '../care.ts';
import type { NodePaths } from '../node-files.ts';
import { restoreBackup } from '../restore/restore.ts';
import { FOLDER_MARK } from './backup-folder.ts';
import { readBackupName } from './backup-names.ts';
import { readBackupState } from './backup-state.ts';
import { keystoreBackup, listBackups, lookAtPlanned } from './backups-view.ts';
import { OWN_FOLDER } from './before-migration.ts';
import { confirmBackupFolder, openBackupFolder } from './folder-guard.ts';
import { runBackup } from './run-backup.ts';

const KEEP = { daily: 7, weekly: 4, monthly: 12 };

let root: string;
let planned: string;
let care: Care | null = null;
beforeEach(() => {
  root = temporaryFolder();
  planned = join(root, 'planned');
  mkdirSync(planned);
});
afterEach(async () => {
  await care?.close();
  care = null;
  removeFolder(root);
});

const backupsIn = (folder: string) => readdirSync(folder).filter((name) => readBackupName(name) !== null);
const byPlan = (paths: NodePaths) => () =>
  runBackup({ ...paths, folder: planned, reason: 'schedule', lock: null, keep: KEEP });
const named = (paths: NodePaths, folder: string) => () =>
  runBackup({ ...paths, folder, reason: 'demand', lock: null, keep: null });

/** Starts the care of a node as the program does. */
function start(paths: NodePaths): Care {
  const settings: Settings = {
    ...readSettings({}, { dataDir: paths.dataDir, publicEnabled: false }),
    backupFolder: planned,
  };
  return new Care({
    ...{ ...paths, settings, log: pino({ level: 'silent' }), changed: () => {} },
    whileStopped: async () => ({ state: 'healthy', message: null }),
  });
}

describe('an empty mount point', () => {
  /** Returns a data folder of an older version, which a start backs up before its migration. */
  function oldData(): NodePaths {
    const dataDir = join(root, 'data');
    mkdirSync(dataDir);
    for (const endpoint of ['local', 'public'] as const) unpackKeptStore(endpoint, 1, storePath(dataDir, endpoint));
    writeFileSync(join(dataDir, 'identity.mnemonic'), `${NODE_PHRASE}\n`, { mode: 0o600 });
    return { dataDir, settingsFile: join(dataDir, 'settings.json') };
  }

  /** The place of the unmounted disk; the mount point stays as an empty folder. */
  const away = () => join(root, 'away');
  const STEPS = {
    planned: async (paths: NodePaths) => expect(await faultOf(byPlan(paths))).toBe(hasDisk() ? 'none' : 'no_folder'),
    other: async (paths: NodePaths) => {
      mkdirSync(join(root, 'other'), { recursive: true });
      expect(await faultOf(named(paths, join(root, 'other')))).toBe('none');
    },
    third: async (paths: NodePaths) => {
      mkdirSync(join(root, 'third'), { recursive: true });
      expect(await faultOf(named(paths, join(root, 'third')))).toBe('none');
    },
    failed: async (paths: NodePaths) => expect(await faultOf(named(paths, join(root, 'mistyped')))).toBe('no_folder'),
    unmount: async () => {
      if (existsSync(planned)) renameSync(planned, away());
      mkdirSync(planned, { recursive: true });
    },
    remove: async () => {
      if (!existsSync(away())) renameSync(planned, away());
      else rmSync(planned, { recursive: true });
    },
    mount: async () => {
      rmSync(planned, { recursive: true, force: true });
      renameSync(away(), planned);
    },
    restart: async (paths: NodePaths) => {
      await care?.close();
      care = start(paths);
      await care.whileRunning.start();
      await care.whileRunning.stop();
    },
  } as const;
  const hasDisk = () => !existsSync(away());
  type Step = keyof typeof STEPS;

  const ORDERS: readonly (readonly Step[])[] = [
    ['planned', 'unmount'],
    ['planned', 'other', 'unmount'],
    ['planned', 'unmount', 'other'],
    ['planned', 'other', 'third', 'unmount', 'planned', 'other'],
    ['other', 'planned', 'unmount', 'other', 'restart', 'other'],
    ['planned', 'remove', 'planned', 'other', 'unmount'],
    ['planned', 'failed', 'unmount', 'failed'],
    ['planned', 'unmount', 'planned', 'mount', 'planned', 'other', 'unmount'],
    ['planned', 'restart', 'other', 'remove', 'restart', 'unmount'],
    ['planned', 'other', 'unmount', 'other', 'mount', 'other', 'unmount', 'restart'],
  ];
  it.each(ORDERS.map((order) => [order.join(', '), order] as const))('is refused after: %s', async (_, order) => {
    const paths = oldData();
    for (const step of order) await STEPS[step](paths);
    expect(await faultOf(byPlan(paths))).toBe('no_folder');
    // A backup of the node's care, on its thread: it differs only by what a start did.
    care ??= start(paths);
    if (order.includes('restart')) {
      care.backUp('schedule');
      await expect.poll(() => care!.work, { timeout: 30_000 }).toBeNull();
    }
    expect(readBackupState(paths.dataDir).failure).toMatchObject({ fault: 'no_folder' });
    expect(await lookAtPlanned(planned, paths.dataDir)).toMatchObject({
      folderProblem: { fault: 'no_folder' },
      doubt: 'disk',
      files: [],
    });
    // A backup before a migration.
    await care.beforeMigration();
    expect(backupsIn(join(paths.dataDir, OWN_FOLDER))).toHaveLength(1);
    expect(readdirSync(planned)).toEqual([]);
    // The disk is mounted again.
    await STEPS.mount();
    expect(await faultOf(byPlan(paths))).toBe('none');
    expect(readBackupState(paths.dataDir).failure).toBeNull();
  });

  it('is refused from the time when the folder was chosen', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    await openBackupFolder(planned, paths.dataDir, 'owner');
    await STEPS.unmount();
    expect(await faultOf(byPlan(paths))).toBe('no_folder');
  });

  it('is refused under another path, too', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    await byPlan(paths)();
    const link = join(root, 'link');
    symlinkSync(planned, link);
    expect(await faultOf(named(paths, link))).toBe('none');
    await STEPS.unmount();
    expect(await faultOf(named(paths, link))).toBe('no_folder');
    expect(readdirSync(planned)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is refused without blocking if its mark is a named pipe', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    await byPlan(paths)();
    rmSync(join(planned, FOLDER_MARK));
    execFileSync('mkfifo', [join(planned, FOLDER_MARK)]);
    expect(await faultOf(byPlan(paths))).toBe('no_folder');
  });

  it('becomes the folder if the owner confirms another disk', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    await byPlan(paths)();
    await STEPS.unmount();
    await confirmBackupFolder(planned, paths.dataDir);
    expect(await faultOf(byPlan(paths))).toBe('none');
    // Now the previous disk is the other one.
    rmSync(planned, { recursive: true });
    renameSync(away(), planned);
    expect(await faultOf(byPlan(paths))).toBe('no_folder');
  });
});

describe('a folder that an earlier version used', () => {
  it('is recognized with its backups, and guarded', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    const { path } = await byPlan(paths)();
    const { id } = JSON.parse(readFileSync(join(planned, FOLDER_MARK), 'utf8')) as { id: string };
    writeFileSync(join(planned, FOLDER_MARK), JSON.stringify({ id, note: 'as it was' }));
    const last = { at: Date.now(), path, bytes: 1, durationMs: 1, encryption: 'none' };
    const first = { version: 1, folder: { path: planned, id }, last, chosen: null, program: '0.1.0', failure: null };
    const back = () => writeFileSync(join(paths.dataDir, 'backups.json'), JSON.stringify(first));
    back();
    expect((await lookAtPlanned(planned, paths.dataDir)).last).toMatchObject({ path });
    await byPlan(paths)();
    // Only the newest backup of a day stays; the earlier version's was this node's, too.
    expect(backupsIn(planned)).toHaveLength(1);
    // A downgrade and another upgrade.
    back();
    expect(await faultOf(byPlan(paths))).toBe('none');
    back();
    rmSync(planned, { recursive: true });
    mkdirSync(planned);
    expect(await faultOf(byPlan(paths))).toBe('no_folder');
  });
});

describe('a restored copy', () => {
  let original: NodePaths;
  let copy: NodePaths;
  let backup: string;
  beforeEach(async () => {
    original = makeDataFolder(join(root, 'original'));
    backup = (await byPlan(original)()).path;
    copy = { dataDir: join(root, 'copy'), settingsFile: join(root, 'copy', 'settings.json') };
    await restoreBackup({ ...copy, backup, opener: null, replace: false });
  });

  it('waits with the original’s folder until the owner confirms; then the original waits', async () => {
    const before = backupsIn(planned);
    expect(await faultOf(byPlan(copy))).toBe('other_node');
    expect(await faultOf(named(copy, planned))).toBe('other_node');
    expect(await lookAtPlanned(planned, copy.dataDir)).toMatchObject({ doubt: 'node', last: null });
    expect(backupsIn(planned)).toEqual(before);

    await confirmBackupFolder(planned, copy.dataDir);
    expect((await byPlan(copy)()).deleted).toEqual([]);
    expect(backupsIn(planned)).toEqual(expect.arrayContaining(before));
    expect(await faultOf(byPlan(original))).toBe('other_node');
    expect(readBackupState(original.dataDir).failure).toMatchObject({ fault: 'other_node' });
  });

  it('deletes none of the original’s backups, even with a short retention', async () => {
    await confirmBackupFolder(planned, copy.dataDir);
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    const run = () => runBackup({ ...copy, folder: planned, reason: 'schedule', lock: null, keep });
    const first = await run();
    const { deleted } = await run();
    expect(deleted).toEqual([first.path.slice(planned.length + 1)]);
    expect(existsSync(backup)).toBe(true);
  });

  it('makes and expects no scheduled backups, and does not mistake an empty mount point for the folder', async () => {
    care = start(copy);
    await care.whileRunning.start();
    expect([care.nextAt, care.withoutBackupSince]).toEqual([null, null]);
    care.look();
    expect(care.work).toBeNull();
    await care.whileRunning.stop();
    rmSync(planned, { recursive: true });
    expect(await lookAtPlanned(planned, copy.dataDir)).toMatchObject({ doubt: 'node' });
    mkdirSync(planned);
    expect(await faultOf(byPlan(copy))).toBe('other_node');
    expect(readdirSync(planned)).toEqual([]);
    await confirmBackupFolder(planned, copy.dataDir);
    expect(care.nextAt).not.toBeNull();
  });

  it('backs up to its own folder', async () => {
    mkdirSync(join(root, 'own'));
    expect(await faultOf(named(copy, join(root, 'own')))).toBe('none');
    expect(readBackupState(copy.dataDir).isCopy).toBe(true);
  });

  it('is no copy if the backup replaces the same node’s data: it continues with its folder', async () => {
    await restoreBackup({ ...original, backup, opener: null, replace: true });
    expect(await faultOf(byPlan(original))).toBe('none');
  });
});

describe('the latest backup', () => {
  it('is the latest verified one in the planned folder; others are listed separately', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    mkdirSync(join(root, 'other'));
    const { path: other } = await named(paths, join(root, 'other'))();
    expect(await lookAtPlanned(planned, paths.dataDir)).toMatchObject({ last: null, elsewhere: [{ path: other }] });
    const { path } = await byPlan(paths)();
    await named(paths, join(root, 'other'))();
    const view = await lookAtPlanned(planned, paths.dataDir);
    expect([view.last?.path, view.files.map(({ isVerified }) => isVerified)]).toEqual([path, [true]]);
    rmSync(path);
    expect((await lookAtPlanned(planned, paths.dataDir)).last).toBeNull();
  });

  it('that fails in another folder is no failure of the plan', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    expect(await faultOf(named(paths, join(root, 'mistyped')))).toBe('no_folder');
    expect(readBackupState(paths.dataDir).failure).toBeNull();
  });

  it('of a lost node is found on a mounted disk, and distinguished', async () => {
    const lost = makeDataFolder(join(root, 'lost'));
    const usb = join(root, 'media', 'owner', 'usb');
    mkdirSync(usb, { recursive: true });
    const { path } = await named(lost, usb)();
    const fresh = join(root, 'fresh');
    mkdirSync(fresh);
    expect(await listBackups(null, null, fresh, [join(root, 'media'), join(root, 'nothing')])).toMatchObject([
      { path: usb, isPlanned: false, files: [{ path, isVerified: false }] },
    ]);
    expect(await listBackups(null, planned, lost.dataDir, [])).toMatchObject([
      { path: planned, isPlanned: true, files: [] },
      { path: usb, files: [{ path, isVerified: true }] },
    ]);
  });

  it('on the data’s own disk raises a warning', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    expect((await lookAtPlanned(planned, paths.dataDir)).isOnDataDisk).toBe(true);
  });

  it('has the present keystore until that changes', async () => {
    const paths = makeDataFolder(join(root, 'data'));
    const copy = () => keystoreBackup(planned, paths.dataDir);
    expect(copy()).toEqual({ at: null, isCurrent: false });
    const { manifest } = await byPlan(paths)();
    const at = Date.parse(manifest.madeAt);
    expect(copy()).toEqual({ at, isCurrent: true });
    writeFileSync(join(paths.dataDir, 'keystore.wellhouse'), 'with one more key');
    expect(copy()).toEqual({ at, isCurrent: false });
    expect(keystoreBackup(null, paths.dataDir)).toEqual({ at: null, isCurrent: false });
  });
});
