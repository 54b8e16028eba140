import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importReference } from '../../src/main/care/reference/import-reference.ts';
import { ReferenceFolder } from '../../src/main/care/reference/reference-folder.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { SqliteStore } from '../../src/main/store/sqlite/sqlite-store.ts';
import { WriterThread } from '../../src/main/store/sqlite/write/writer.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { SENSOR_FIELDS } from '../../src/shared/protocol/fields.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { hashesOf, unpackReferenceData } from '../support/reference-data.ts';

const NEVER = new AbortController().signal;

/** A node's stores, made when something goes into them, as a running node writes them. */
class Target {
  readonly folder = temporaryFolder();
  readonly #writer = new WriterThread(pino({ level: 'silent' }));
  readonly #open = new Map<StoreName, SqliteStore>();

  readonly storeOf = async (name: StoreName): Promise<SqliteStore> => {
    const open = this.#open.get(name);
    if (open !== undefined) return open;
    const path = join(this.folder, `${name}.db`);
    prepareStore(path, name);
    const store = new SqliteStore(name, path, await this.#writer.open({ path, durability: 'full', bounds: null }));
    this.#open.set(name, store);
    return store;
  };

  /** Every reading in the reference server's columns. */
  async readings(name: StoreName): Promise<unknown[]> {
    await this.storeOf(name);
    const db = new Database(join(this.folder, `${name}.db`), { readonly: true });
    try {
      const fields = SENSOR_FIELDS.flatMap(({ policyName }) =>
        ['plain', 'cipher', 'nonce'].map((form) => `${policyName}_${form}`),
      );
      return db
        .prepare(
          `SELECT hex(devices.id) AS id, seq, timestamp, received_at, key_version, ${fields.join(', ')}
           FROM reading_forms JOIN devices USING (device) ORDER BY 1, 2`,
        )
        .safeIntegers()
        .all();
    } finally {
      db.close();
    }
  }

  async close(): Promise<void> {
    for (const store of this.#open.values()) await store.close();
    await this.#writer.close();
    removeFolder(this.folder);
  }
}

let source: string;
let scratch: string;
let target: Target;

beforeEach(() => {
  source = temporaryFolder();
  scratch = temporaryFolder();
  target = new Target();
});

afterEach(async () => {
  await target.close();
  removeFolder(source);
  removeFolder(scratch);
});

async function importAll(signal = NEVER, onProgress: (readings: number) => void = () => {}) {
  const folder = ReferenceFolder.open(source, scratch);
  try {
    return await importReference({
      from: folder.stores,
      storeOf: target.storeOf,
      onProgress: ({ readings }) => onProgress(readings),
      signal,
    });
  } finally {
    folder.close();
  }
}

/** Every reading of the source, read by a copy of its files. */
function sourceReadings(name: StoreName): unknown[] {
  const copies = join(scratch, 'compare');
  mkdirSync(copies, { recursive: true });
  const file = `raiznet_${name}.db`;
  for (const part of [file, `${file}-wal`]) {
    if (existsSync(join(source, part))) copyFileSync(join(source, part), join(copies, part));
  }
  const db = new Database(join(copies, file));
  try {
    const fields = SENSOR_FIELDS.flatMap(({ policyName }) =>
      ['plain', 'cipher', 'nonce'].map((form) => `${policyName}_${form}`),
    );
    return db
      .prepare(
        `SELECT hex(device_pubkey) AS id, seq, timestamp, received_at, ifnull(key_version, 0) AS key_version,
         ${fields.join(', ')} FROM telemetry ORDER BY 1, 2`,
      )
      .safeIntegers()
      .all();
  } finally {
    db.close();
  }
}

/** Runs SQL on a store of the source. */
function change(name: StoreName, sql: string, ...parameters: unknown[]): void {
  const db = new Database(join(source, `raiznet_${name}.db`));
  try {
    db.pragma('foreign_keys = OFF');
    db.prepare(sql).run(...parameters);
  } finally {
    db.close();
  }
}

describe('the data of a reference server that was killed', () => {
  beforeEach(() => unpackReferenceData(source));

  it('is imported completely, most of it from the write-ahead logs, and left unchanged', async () => {
    const before = hashesOf(source);
    const { stores, notTaken } = await importAll();
    expect(stores).toEqual({
      private: { devices: { taken: 2, present: 0, skipped: 0 }, readings: { taken: 600, present: 0, skipped: 0 } },
      public: { devices: { taken: 2, present: 0, skipped: 0 }, readings: { taken: 600, present: 0, skipped: 0 } },
    });
    expect(notTaken).toEqual([]);
    expect(hashesOf(source)).toEqual(before);
    for (const name of ['private', 'public'] as const) {
      const readings = await target.readings(name);
      expect(readings).toHaveLength(600);
      expect(readings).toEqual(sourceReadings(name));
    }
    expect(readdirSync(scratch)).toEqual(['compare']);
  });

  it('keeps the registration of each device', async () => {
    await importAll();
    const devices = await (await target.storeOf('private')).devices();
    expect(devices.map(({ name, type, publishTo }) => ({ name, type, publishTo }))).toEqual([
      { name: 'Greenhouse', type: 0, publishTo: 0 },
      { name: 'Estufa ção', type: 1, publishTo: 2 },
    ]);
    expect(devices[0]).toMatchObject({
      mac: '1cbe28bf68d9',
      ownerName: 'Ana',
      location: 617700169958293504n,
      createdAt: 1795307179538,
      hardware: { model: 'Safrasense Aqua ESP32 v1', firmware_version: '0.2.0' },
      privacyPolicy: { ph: { default_disposition: 2, per_destination: {} }, humidity: { default_disposition: 0 } },
    });
    const [stored] = (await target.readings('private')) as { id: string }[];
    expect(devices.map(({ id }) => id.toUpperCase())).toContain(stored!.id);
  });

  it('is imported once, also in two steps', async () => {
    const controller = new AbortController();
    const cut = importAll(controller.signal, () => controller.abort(new Error('cut off')));
    await expect(cut).rejects.toThrow('cut off');
    const second = await importAll();
    expect(second.stores.private!.readings.present).toBe(500);
    expect(second.stores.private!.readings.taken).toBe(100);
    const third = await importAll();
    expect(third.stores).toEqual({
      private: { devices: { taken: 0, present: 2, skipped: 0 }, readings: { taken: 0, present: 600, skipped: 0 } },
      public: { devices: { taken: 0, present: 2, skipped: 0 }, readings: { taken: 0, present: 600, skipped: 0 } },
    });
    expect(await target.readings('private')).toEqual(sourceReadings('private'));
  });

  it('reports omissions, by device and reading', async () => {
    change('private', "UPDATE devices SET privacy_policy = 'no json' WHERE name = 'Greenhouse'");
    change(
      'private',
      `UPDATE devices SET privacy_policy = '{"ph":{"default_disposition":2},"co2":{"default_disposition":0}}', hardware = '{}' WHERE name != 'Greenhouse'`,
    );
    change('private', "UPDATE telemetry SET ph_plain = 'wet' WHERE seq = 2 AND ph_plain IS NOT NULL");
    change('private', 'UPDATE telemetry SET received_at = 1.5 WHERE seq = 3 AND ph_plain IS NOT NULL');
    const { stores, notTaken } = await importAll();
    expect(stores.private!.devices).toEqual({ taken: 1, present: 0, skipped: 1 });
    expect(stores.private!.readings).toEqual({ taken: 299, present: 0, skipped: 301 });
    const said = notTaken.map(({ what, reason, count }) => `${count} ${what}: ${reason}`);
    expect(said.sort()).toEqual([
      '1 device: its privacy policy is not JSON',
      '1 part of a device: rules of its privacy policy for unknown fields',
      '1 part of a reading: a ph that is neither a number nor sealed',
      '1 reading: its seq or one of its times is not an integer',
      '300 reading: its device was not imported',
    ]);
  });

  it('keeps unsigned 64-bit values', async () => {
    change('private', 'UPDATE telemetry SET seq = -1, timestamp = -2 WHERE seq = 300');
    change('private', 'UPDATE devices SET location = -1');
    await importAll();
    const store = await target.storeOf('private');
    const devices = await store.devices();
    expect(devices[0]!.location).toBe(2n ** 64n - 1n);
    const newest = await Promise.all(devices.map(async ({ id }) => (await store.latest(id, 1))[0]));
    expect(newest).toContainEqual(expect.objectContaining({ seq: 2n ** 64n - 1n, timestamp: 2n ** 64n - 2n }));
  });
});

describe('a folder that is not of a reference server', () => {
  it('is refused with a reason, and nothing is created', () => {
    expect(() => ReferenceFolder.open(source, scratch)).toThrow('name the data folder of a reference server');
    writeFileSync(join(source, 'raiznet_private.db'), 'no database, but long enough to be looked at'.repeat(200));
    expect(() => ReferenceFolder.open(source, scratch)).toThrow("can't be read");
    const db = new Database(join(source, 'raiznet_public.db'));
    db.exec('CREATE TABLE users (pubkey BLOB, name TEXT)');
    db.close();
    removeFolder(join(source, 'raiznet_private.db'));
    expect(() => ReferenceFolder.open(source, scratch)).toThrow('it has no devices.pubkey');
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('with an invalid phrase is refused', () => {
    unpackReferenceData(source);
    writeFileSync(join(source, 'identity.mnemonic'), 'hello world');
    expect(() => ReferenceFolder.open(source, scratch)).toThrow('does not contain an English BIP-39 phrase');
  });
});
