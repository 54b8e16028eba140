import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { namesToPutAside } from '../care/node-files.ts';
import { isDataFile, refuseIrregularFiles } from './data-files.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

const NAMES = [
  ...['private.db', 'private.db-wal', 'public.db-shm', 'public.db.new', 'node.lock', 'care.lock', 'start.reserve'],
  ...['identity.mnemonic', 'settings.json', 'ui-token', 'ui-address', 'moved.json', 'restored.json', 'restore.json'],
  ...['alerts.json', 'alerts.json.previous', 'alert-history.ndjson', 'alert-secrets.json', 'clock.json', 'door.json'],
  ...['door-certificate.json', 'nodes.json', 'nodes-seen.json', 'backups.json', 'damaged-files.json', 'joining.json'],
  ...['keystore.wellhouse', 'keystore.wellhouse.previous'],
  ...['audit.ndjson', 'audit.ndjson.1', 'audit-head.json', 'audit-head.json.previous', 'audit.lock'],
  ...['log-heads.json', 'log-witnesses.json', 'witnessed-logs.json', 'held-back.json'],
];

it.skipIf(process.platform === 'win32').each(NAMES)('anything but a regular file named %s is refused', (name) => {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  expect(() => refuseIrregularFiles(folder)).toThrow(`${path} is a pipe, not a regular file`);
  rmSync(path);
  mkdirSync(path);
  expect(() => refuseIrregularFiles(folder)).toThrow(`${path} is a folder`);
  rmSync(path, { recursive: true });
  symlinkSync(path, path);
  expect(() => refuseIrregularFiles(folder)).toThrow(`${path} is a link that leads to itself`);
  rmSync(path);
  symlinkSync('/dev/null', path);
  expect(() => refuseIrregularFiles(folder)).toThrow(`${path} is a device`);
  rmSync(path);
  symlinkSync(join(folder, 'nowhere'), path);
  expect(() => refuseIrregularFiles(folder)).toThrow(`${path} is a link to a file that does not exist`);
});

it('files, links to files and foreign names are accepted', () => {
  writeFileSync(join(folder, 'elsewhere'), '');
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'identity.mnemonic'));
  for (const name of ['before-migration', 'lost+found', 'private.dbs']) mkdirSync(join(folder, name));
  refuseIrregularFiles(folder);
  refuseIrregularFiles(join(folder, 'missing'));
});

it('all files that a restore moves aside are known', () => {
  for (const name of NAMES) writeFileSync(join(folder, name), '');
  const names = namesToPutAside(folder);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !isDataFile(name))).toEqual([]);
});
