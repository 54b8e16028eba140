import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityToRecipient } from 'age-encryption';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataFolder, NODE_PHRASE, OWNER_PHRASE } from '../../../../test/support/care.ts';
import { unpackKeptStore } from '../../../../test/support/kept-stores.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { storePath } from '../../../../test/support/store-file.ts';
import { backupIdentity } from '../../../shared/crypto/backup-key.ts';
import { standardSeed } from '../../../shared/crypto/phrase/phrase.ts';
import { readSettings } from '../../settings/settings.ts';
import type { Lock } from '../archive/encryption.ts';
import { readArchive } from '../archive/read-archive.ts';
import { backupsIn as foundIn } from './backup-folder.ts';
import { backupName, readBackupName } from './backup-names.ts';
import { latestIn, readBackupState } from './backup-state.ts';
import { backupBeforeMigration, backupBeforeUpgrade, OWN_FOLDER } from './before-migration.ts';

const KEY = 'ab'.repeat(32);

let root: string;
let dataDir: string;
let folder: string;
beforeEach(() => {
  root = temporaryFolder();
  dataDir = join(root, 'data');
  folder = join(root, 'backups');
  mkdirSync(folder);
});
afterEach(() => removeFolder(root));

const settingsFile = () => join(dataDir, 'settings.json');
const backupsIn = (path: string) => readdirSync(path).filter((name) => readBackupName(name) !== null);

/** Makes the data folder of an older version. */
function makeOldData(): void {
  mkdirSync(dataDir);
  for (const endpoint of ['local', 'public'] as const) unpackKeptStore(endpoint, 1, storePath(dataDir, endpoint));
  writeFileSync(join(dataDir, 'identity.mnemonic'), `${NODE_PHRASE}\n`, { mode: 0o600 });
}

const beforeMigration = (lock: Lock) => {
  const settings = { ...readSettings({}, { dataDir, publicEnabled: false }), backupFolder: folder };
  return backupBeforeMigration({
    dataDir,
    settingsFile: settingsFile(),
    settings,
    lock,
    log: pino({ enabled: false }),
  });
};

it('a backup before a migration is encrypted as planned, and has the stores as they were', async () => {
  makeOldData();
  const identity = backupIdentity(standardSeed(OWNER_PHRASE));
  await beforeMigration({ kind: 'recipient', recipient: await identityToRecipient(identity) });
  const [name] = backupsIn(folder);
  expect(name).toMatch(/-before-migration\.tar\.zst\.age$/);
  const { reason, stores } = await readArchive(join(folder, name!), { kind: 'identity', identity });
  expect([reason, stores.private.version, stores.public?.version]).toEqual(['migration', 1, 1]);
  expect(latestIn(readBackupState(dataDir), folder)).toMatchObject({ encryption: 'recipient' });
  expect(existsSync(join(dataDir, OWN_FOLDER))).toBe(false);
});

it('stores of the present version are not copied', async () => {
  makeDataFolder(dataDir);
  await beforeMigration(null);
  expect(backupsIn(folder)).toEqual([]);
});

it('of those for a rollback the newest two stay, also if they are of the same second', async () => {
  makeDataFolder(dataDir);
  const own = join(dataDir, OWN_FOLDER);
  const made: string[] = [];
  for (let upgrade = 0; upgrade < 3; upgrade += 1) {
    const { path } = await backupBeforeUpgrade({ dataDir, settingsFile: settingsFile() });
    made.push(path.slice(own.length + 1));
    expect(backupsIn(own).sort()).toEqual(made.slice(-2).sort());
  }
  expect(made.every((name) => name.endsWith('.tar.zst'))).toBe(true);
});

it('the backups of a folder come newest first, those of one second by their place', async () => {
  const names = Array.from({ length: 12 }, (_, at) => {
    return backupName(KEY, new Date(Date.UTC(2026, 1, 1)), 'demand', 'none', at + 1);
  });
  const later = backupName(KEY, new Date(Date.UTC(2026, 1, 2)), 'demand', 'none');
  const other = backupName('cd'.repeat(32), new Date(Date.UTC(2026, 1, 3)), 'demand', 'none');
  for (const name of [...names, later, other, 'mine.txt']) writeFileSync(join(folder, name), '');
  const found = async (key: string | null) => (await foundIn(folder, key)).map(({ name }) => name);
  expect(await found(KEY)).toEqual([later, ...names.toReversed()]);
  expect(await found(null)).toEqual([other, later, ...names.toReversed()]);
});
