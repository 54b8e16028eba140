import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { STORE_VERSION } from '../../src/main/store/sqlite/file/migrations.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { KEPT_VERSIONS, keptStoreUrl, unpackKeptStore } from '../support/kept-stores.ts';
import { newReading } from '../support/readings.ts';
import { STORE_OF } from '../support/store-file.ts';

/**
 * Keeps both stores of the present version for migrations.test.ts: the newest kept ones, taken forward by this code, with
 * one more reading that has every field. Run once for each version that is released. A kept file never changes: this
 * throws where there is one.
 */

const AT = 1_760_100_000_000;

const folder = mkdtempSync(join(tmpdir(), 'wellhouse-keep-'));
try {
  for (const endpoint of ['local', 'public'] as const) {
    const path = join(folder, `${endpoint}.db`);
    unpackKeptStore(endpoint, KEPT_VERSIONS.at(-1)!, path);
    prepareStore(path, STORE_OF[endpoint]);
    const writer = new DirectWriter(path);
    const seq = BigInt(1000 + STORE_VERSION);
    const fields = FIELD_NAMES.map((_name, place) => STORE_VERSION + place / 4);
    writer.append([newReading(firstDevice(path), { seq, timestamp: BigInt(AT) + seq, receivedAt: AT, fields })]);
    writer.sumUp();
    writer.close();
    writeFileSync(keptStoreUrl(endpoint, STORE_VERSION), gzipSync(readFileSync(path), { level: 9 }), { flag: 'wx' });
  }
} finally {
  rmSync(folder, { recursive: true });
}

function firstDevice(path: string): string {
  const db = new Database(path, { readonly: true });
  const id = db.prepare<[], Buffer>('SELECT id FROM devices WHERE device = 1').pluck().get()!;
  db.close();
  return id.toString('hex');
}
