import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeBackup } from '../../src/main/care/backup/make-backup.ts';
import { CareError } from '../../src/main/care/care-error.ts';
import type { NodePaths } from '../../src/main/care/node-files.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { temporaryFolder } from './node-process.ts';

/** The phrase of an owner. Its backup key is a known answer of src/shared/crypto/backup-key.test.ts. */
export const OWNER_PHRASE =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
/** The node's own phrase. */
export const NODE_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** Creates the data folder of a small stopped node: both stores with some rows, and every kind of file. */
export function makeDataFolder(dataDir: string, readings = 20): NodePaths {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of ['private', 'public'] as const) {
    prepareStore(join(dataDir, `${name}.db`), name);
    addReadings(join(dataDir, `${name}.db`), name === 'private' ? readings : 3);
  }
  const files = {
    'identity.mnemonic': `${NODE_PHRASE}\n`,
    'keystore.wellhouse': 'a keystore',
    'keystore.wellhouse.previous': 'the one before',
    'settings.json': '{\n  "publicPort": 4000,\n  "dataDir": "/of/that/machine"\n}\n',
    'alerts.json': '{"version":1}\n',
    'alert-history.ndjson': '\n{"id":1}',
    'alert-secrets.json': '{"version":1,"channels":{}}\n',
    'ui-token': 'of this machine\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dataDir, name), text, { mode: 0o600 });
  return { dataDir, settingsFile: join(dataDir, 'settings.json') };
}

/** Creates a small stopped node in a new temporary folder, and a backup of it in clear beside it. */
export async function makeBackedUpNode(): Promise<{ folder: string; paths: NodePaths; backup: string }> {
  const folder = temporaryFolder();
  const paths = makeDataFolder(join(folder, 'data'));
  mkdirSync(join(folder, 'backups'));
  const { path } = await makeBackup({ ...paths, folder: join(folder, 'backups'), reason: 'demand', lock: null });
  return { folder, paths, backup: path };
}

/** Adds a device and its readings to a store that nothing has open. */
export function addReadings(path: string, count: number, firstSeq = 1): void {
  const db = new Database(path);
  const id = Buffer.alloc(32, 1);
  db.exec('BEGIN');
  db.prepare('INSERT OR IGNORE INTO users (id, name, created_at) VALUES (?, ?, 1)').run(id, 'owner');
  db.prepare(
    `INSERT OR IGNORE INTO devices (id, mac, owner_pubkey, name, type, publish_to, networks, local_servers, privacy_policy, hardware, created_at)
     VALUES (?, x'010203040506', ?, 'tank', 0, 2, '[]', '[]', '{}', '{}', 1)`,
  ).run(id, id);
  const insert = db.prepare(
    'INSERT INTO readings (device, seq, timestamp, received_at, key_version, ph) VALUES (1, ?, ?, ?, 0, 6.5)',
  );
  for (let seq = firstSeq; seq < firstSeq + count; seq += 1) insert.run(seq, seq * 1000, seq * 1000);
  db.exec('COMMIT');
  db.close();
}

/** Returns the sequence numbers in a store. */
export function seqsIn(path: string): number[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], number>('SELECT seq FROM readings ORDER BY seq').pluck().all();
  } finally {
    db.close();
  }
}

/** Returns the fault of the CareError of something that runs; `none` if it succeeds. Rejects with any other error. */
export async function faultOf(run: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof run === 'function' ? run() : run);
  } catch (error) {
    if (error instanceof CareError) return error.fault;
    throw error;
  }
  return 'none';
}
