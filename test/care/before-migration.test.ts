import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readArchive } from '../../src/main/care/archive/read-archive.ts';
import { NEWEST_VERSION, versionOfStore } from '../../src/main/store/sqlite/file/snapshot.ts';
import { NODE_PHRASE, OWNER_PHRASE } from '../support/care.ts';
import { unpackKeptStore } from '../support/kept-stores.ts';
import { removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { storePath } from '../support/store-file.ts';
import { answerOf } from '../support/wellhouse.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder();
});
afterEach(() => removeFolder(root));

/** A data folder of the first released version. */
function oldData(): string {
  const dataDir = join(root, 'data');
  mkdirSync(dataDir);
  for (const endpoint of ['local', 'public'] as const) unpackKeptStore(endpoint, 1, storePath(dataDir, endpoint));
  writeFileSync(join(dataDir, 'identity.mnemonic'), `${NODE_PHRASE}\n`, { mode: 0o600 });
  return dataDir;
}

test('a backup is made before a migration, and a restore migrates it', async () => {
  const dataDir = oldData();
  const node = await startNode({ dataDir });
  try {
    expect(node.records.some(({ msg }) => String(msg).startsWith('backup made before'))).toBe(true);
  } finally {
    await node.stop();
  }
  const [name] = readdirSync(join(dataDir, 'before-migration'));
  expect(name).toMatch(/-before-migration\.tar\.zst$/);
  const path = join(dataDir, 'before-migration', name!);
  const { stores, reason } = await readArchive(path, null);
  expect([stores.private.version, reason]).toEqual([1, 'migration']);

  const again = await startNode({ dataDir });
  await again.stop();
  expect(readdirSync(join(dataDir, 'before-migration'))).toHaveLength(1);

  const to = join(root, 'restored');
  expect(await answerOf(to, ['restore', path])).toMatchObject({ isOlder: true });
  const verified = await answerOf<{ findings: { what: string; found: string }[] }>(to, ['verify']);
  expect(verified.findings.find(({ what }) => what === 'private store')!.found).toContain(`version ${NEWEST_VERSION}`);
});

test('after an upgrade, a restore puts back the older program’s stores without a migration', async () => {
  const dataDir = oldData();
  await upgrade();
  expect(versions()).toEqual([NEWEST_VERSION, NEWEST_VERSION]);
  const path = join(dataDir, 'before-migration', backups()[0]!);
  const answer = await answerOf(dataDir, ['restore', '--replace', '--keep-version', path]);
  expect(answer).toMatchObject({ isOlder: true, health: null });
  expect(versions()).toEqual([1, 1]);
  // Up again, from the same backup.
  await upgrade();
  expect(versions()).toEqual([NEWEST_VERSION, NEWEST_VERSION]);
});

const versions = () =>
  (['local', 'public'] as const).map((endpoint) => versionOfStore(storePath(join(root, 'data'), endpoint)));
const backups = () => readdirSync(join(root, 'data', 'before-migration'));
async function upgrade(): Promise<void> {
  const node = await startNode({ dataDir: join(root, 'data') });
  await node.stop();
}

test('no second backup is made after the package’s own', async () => {
  const dataDir = oldData();
  const { path } = await answerOf<{ path: string }>(dataDir, ['backup', '--before-upgrade']);
  const made = backups();
  await upgrade();
  expect(backups()).toEqual(made);
  const { stores } = await readArchive(path, null);
  expect(stores.private.version).toBe(1);
});

test('a backup from before the latest write of the stores does not count', async () => {
  const dataDir = oldData();
  await answerOf(dataDir, ['backup', '--before-upgrade']);
  const db = new Database(storePath(dataDir, 'local'));
  db.prepare("UPDATE devices SET name = 'Renamed'").run();
  db.close();
  await upgrade();
  expect(backups()).toHaveLength(2);
});

test('a backup with a time in the future does not count', async () => {
  const { path } = await answerOf<{ path: string }>(oldData(), ['backup', '--before-upgrade']);
  const tomorrow = Date.now() / 1000 + 86_400;
  utimesSync(path, tomorrow, tomorrow);
  await upgrade();
  expect(backups()).toHaveLength(2);
});

test('a backup of another node does not count', async () => {
  const dataDir = oldData();
  await answerOf(dataDir, ['backup', '--before-upgrade']);
  writeFileSync(join(dataDir, 'identity.mnemonic'), `${OWNER_PHRASE}\n`, { mode: 0o600 });
  await upgrade();
  expect(backups()).toHaveLength(2);
});
