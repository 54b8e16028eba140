import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addReadings, makeDataFolder, seqsIn } from '../../../test/support/care.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { Settings } from '../../shared/settings/table.ts';
import { OwnerError } from '../common/owner-error.ts';
import { readSettings } from '../settings/settings.ts';
import { FOLDER_MARK } from './backup/backup-folder.ts';
import { readBackupState, writeBackupState } from './backup/backup-state.ts';
import { makeBackup } from './backup/make-backup.ts';
import { Care } from './care.ts';
import { type BackupHandlers, backupHandlers } from './handlers.ts';
import type { NodePaths } from './node-files.ts';
import { keptData, restoreBackup } from './restore/restore.ts';

let root: string;
let folder: string;
let paths: NodePaths;
let settings: Settings;
let pinned: string | null;
let saved: object[];
let care: Care;
let handlers: BackupHandlers;
beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'backups');
  mkdirSync(folder);
  paths = makeDataFolder(join(root, 'data'));
  settings = { ...readSettings({}, { dataDir: paths.dataDir, publicEnabled: false }), backupFolder: folder };
  [pinned, saved] = [null, []];
  care = new Care({
    ...paths,
    settings,
    log: pino({ enabled: false }),
    changed: () => {},
    whileStopped: async (change) => {
      await change();
      return { state: 'healthy', message: null };
    },
  });
  handlers = backupHandlers({
    care,
    dataDir: () => paths.dataDir,
    settings: () => settings,
    isPinned: ({ variable }) => variable === pinned,
    save: async (change) => void saved.push(change),
  });
});
afterEach(async () => {
  await care.close();
  removeFolder(root);
});

const plan = async () => (await handlers.backups({})).plan;
const stored = () => seqsIn(join(paths.dataDir, 'private.db')).length;
const refused = async (answer: unknown) => {
  await expect((async () => answer)()).rejects.toBeInstanceOf(OwnerError);
};

it('a restore, its undoing and a new disk need the path repeated, and do nothing otherwise', async () => {
  const { path } = await makeBackup({ ...paths, folder, reason: 'demand', lock: null });
  addReadings(join(paths.dataDir, 'private.db'), 5, 100);
  await refused(handlers.restoreBackup({ path, key: null, confirm: folder }));
  await refused(handlers.undoRestore({ confirm: paths.dataDir }));
  expect([care.work, stored()]).toEqual([null, 25]);

  await restoreBackup({ ...paths, backup: path, opener: null, replace: true });
  await refused(handlers.undoRestore({ confirm: path }));
  expect([care.work, stored()]).toEqual([null, 20]);
  expect(await handlers.undoRestore({ confirm: keptData(paths.dataDir)!.path })).toEqual({ problem: null });
  await expect.poll(() => care.work).toBeNull();
  expect(stored()).toBe(25);

  writeBackupState(paths.dataDir, { isCopy: true });
  await refused(handlers.confirmBackupFolder({ confirm: join(root, 'another') }));
  expect(readBackupState(paths.dataDir)).toMatchObject({ isCopy: true, folders: [] });
  expect(await handlers.confirmBackupFolder({ confirm: folder })).toEqual({ problem: null });
  expect(readBackupState(paths.dataDir)).toMatchObject({ isCopy: false, folders: [{ path: folder }] });
});

it('a plan saves only what changed, and marks a new folder at once', async () => {
  const before = await plan();
  expect(await handlers.planBackups(before)).toEqual({ problem: null });
  expect(saved).toEqual([]);
  const other = join(root, 'other');
  mkdirSync(other);
  expect(await handlers.planBackups({ ...before, folder: other, keepDaily: 3 })).toEqual({ problem: null });
  expect(saved).toEqual([{ backupFolder: other, backupKeepDaily: 3 }]);
  // So that the empty mount point of its disk is not taken for it.
  expect([existsSync(join(other, FOLDER_MARK)), existsSync(join(folder, FOLDER_MARK))]).toEqual([true, false]);
});

it('a plan changes nothing that a variable sets, and saves no folder that can’t be used', async () => {
  const before = await plan();
  pinned = 'BACKUP_RECIPIENT';
  await refused(handlers.planBackups({ ...before, recipient: 'age1other', keepDaily: 3 }));
  const missing = await handlers.planBackups({ ...before, folder: join(root, 'missing') });
  expect(missing).toMatchObject({ problem: { fault: 'no_folder' } });
  const inData = await handlers.planBackups({ ...before, folder: paths.dataDir });
  expect(inData).toMatchObject({ problem: { fault: 'no_folder' } });
  expect(saved).toEqual([]);
});

it('a backup on demand is encrypted with the passphrase that was given, else as planned', async () => {
  settings = Object.assign(settings, { backupRecipient: 'age1planned' });
  const backUp = vi.spyOn(care, 'backUp').mockReturnValue();
  await handlers.makeBackup({ passphrase: null });
  await handlers.makeBackup({ passphrase: 'kettle orbit mango' });
  expect(backUp.mock.calls).toEqual([
    ['demand', { kind: 'recipient', recipient: 'age1planned' }],
    ['demand', { kind: 'passphrase', passphrase: 'kettle orbit mango' }],
  ]);
});
