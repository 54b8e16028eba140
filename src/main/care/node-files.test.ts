import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { isNodeFile, memberOfPhoto, namesToPutAside, oversize, photoOfMember, readNodeFiles } from './node-files.ts';

const MIB = 1024 ** 2;
const PHOTO = `${'ab'.repeat(32)}.jpg`;

/**
 * Each file of a data folder. `both`: a backup has it, and a restore puts the present one aside. `aside`: a restore puts
 * it aside, and it is in no backup. `log`: a backup has it, and the folder keeps its own. `stays`: neither.
 */
const FILES: Readonly<Record<'both' | 'aside' | 'log' | 'stays', readonly string[]>> = {
  both: [
    ...['identity.mnemonic', 'settings.json', 'alerts.json', 'alert-history.ndjson', 'alert-secrets.json'],
    ...['bridge-secrets.json', 'door-certificate.json', 'nodes.json', 'keystore.wellhouse'],
    ...['keystore.wellhouse.previous', 'keystore.wellhouse.damaged-2026', 'keystore.wellhouse.replaced-2026'],
    'keystore.wellhouse.kept-2026',
  ],
  aside: [
    ...['private.db', 'private.db-wal', 'private.db-shm', 'public.db', 'public.db-wal', 'restored.json', 'ui-address'],
    ...['door.json', 'moved.json', 'backups.json', 'clock.json', 'nodes-seen.json', 'damaged-files.json'],
    ...['stores.json', 'joining.json', 'held-back.json', 'log-heads.json', 'log-witnesses.json', 'log-findings.json'],
    ...['sent-checkpoints.json', 'witnessed-logs.json', 'alerts.json.previous', 'door.json.previous'],
    ...['alert-history.ndjson.previous', 'settings.json.new', 'photos'],
  ],
  log: ['audit.ndjson', 'audit.ndjson.1', 'audit-head.json'],
  stays: [
    'ui-token',
    'node.lock',
    'care.lock',
    'start.reserve',
    'restore.json',
    'audit.lock',
    'mine.txt',
    'alerts.json.old',
  ],
};

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(() => removeFolder(dataDir));

it('a backup and a restore know every file of a node', () => {
  for (const name of Object.values(FILES).flat()) {
    if (name === 'photos') mkdirSync(join(dataDir, name));
    else writeFileSync(join(dataDir, name), name);
  }
  const paths = { dataDir, settingsFile: join(dataDir, 'settings.json') };
  const inBackup = (isEncrypted: boolean) => readNodeFiles(paths, isEncrypted).map(({ name }) => name);
  const all = [...FILES.both, ...FILES.log].sort();
  expect(inBackup(true).sort()).toEqual(all);
  // The key of the door's certificate is in no backup that anyone can read.
  expect(inBackup(false).sort()).toEqual(all.filter((name) => name !== 'door-certificate.json'));
  expect(namesToPutAside(dataDir).sort()).toEqual([...FILES.both, ...FILES.aside].sort());
});

it('a settings file beside the data folder has its own name in a backup', () => {
  writeFileSync(join(dataDir, 'identity.mnemonic'), 'a phrase');
  mkdirSync(join(dataDir, 'app'));
  const settingsFile = join(dataDir, 'app', 'node.json');
  writeFileSync(settingsFile, '{"publicPort":1}');
  const files = readNodeFiles({ dataDir, settingsFile }, true);
  expect(files.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
    ['identity.mnemonic', 'a phrase'],
    ['settings.json', '{"publicPort":1}'],
  ]);
  rmSync(join(dataDir, 'identity.mnemonic'));
  expect(() => readNodeFiles({ dataDir, settingsFile }, true)).toThrow('there is no identity.mnemonic');
});

it('small files have a largest size, each and together; stores have none', () => {
  const file = (name: string, bytes: number) => ({ name, bytes });
  expect(oversize([file('private.db', 1e12), file('alerts.json', 32 * MIB)])).toBeNull();
  expect(oversize([file('alerts.json', 32 * MIB + 1)])).toMatch(/^alerts\.json has 33554433 bytes/);
  expect(oversize([file('identity.mnemonic', 4097)])).toMatch(/^identity\.mnemonic/);
  const logs = ['audit.ndjson', 'audit.ndjson.1'].map((name) => file(name, 16 * MIB));
  const large = [...logs, file('alerts.json', 32 * MIB), file('alert-history.ndjson', 32 * MIB)];
  const more = Array.from({ length: 32 }, (_, at) => file(`keystore.wellhouse.kept-${at}`, MIB));
  expect(oversize([...large, ...more])).toBeNull();
  expect(oversize([...large, ...more, file('nodes.json', 1)])).toMatch(/134217729 bytes: too large together$/);
});

it('photos have a name of their own in a backup, which no other file has', () => {
  expect(photoOfMember(memberOfPhoto(PHOTO))).toBe(PHOTO);
  for (const name of [PHOTO, 'photo-x.jpg', `photo-../${PHOTO}`, `other-${PHOTO}`])
    expect(photoOfMember(name)).toBeNull();
  expect(isNodeFile(memberOfPhoto(PHOTO))).toBe(false);
});
