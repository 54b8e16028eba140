import Database from 'better-sqlite3';
import { migrate } from '../../src/main/store/sqlite/file/migrations.ts';
import { DeviceNumbers } from '../../src/main/store/sqlite/write/device-numbers.ts';
import { KeptFrom } from '../../src/main/store/sqlite/write/kept-from.ts';
import { LogWriter } from '../../src/main/store/sqlite/write/log-writer.ts';
import { RollupWriter } from '../../src/main/store/sqlite/write/rollup-writer.ts';
import { SyncLevel } from '../../src/main/store/sqlite/write/sync-level.ts';

/** The columns of a reading that a test chooses; the rest is 0 or absent. */
interface StoredRow {
  readonly seq: number | bigint;
  /** As stored: negative from 2^63 on. */
  readonly timestamp: number | bigint;
  readonly receivedAt?: number;
  readonly clock?: number | null;
  readonly ph?: number | null;
  /** Whether the reading has an entry in the log. */
  readonly isLogged?: boolean;
}

/** A private store in memory and the parts of its writer, each of which a test calls itself. */
export class StoreInMemory {
  readonly db: Database.Database = new Database(':memory:');
  readonly numbers: DeviceNumbers;
  readonly syncs: SyncLevel;
  readonly rollups: RollupWriter;
  readonly keptFrom: KeptFrom;
  log: LogWriter;
  readonly #insert;

  constructor() {
    this.db.pragma('foreign_keys = ON');
    migrate(this.db, 'private');
    this.db.exec("INSERT INTO users (id, name, created_at) VALUES (x'01', 'owner', 0)");
    this.numbers = new DeviceNumbers(this.db);
    this.syncs = new SyncLevel(this.db);
    this.rollups = new RollupWriter(this.db, this.syncs);
    this.keptFrom = new KeptFrom(this.db);
    this.log = new LogWriter(this.db, this.syncs);
    this.#insert = this.db.prepare(`INSERT INTO readings (device, seq, timestamp, received_at, key_version, clock, ph,
      entry) VALUES (?, ?, ?, ?, 0, ?, ?, ?)`);
  }

  /** Adds a device by its id in hex. Returns its number. */
  addDevice(id: string): number {
    const insert = this.db.prepare(`INSERT INTO devices (id, mac, owner_pubkey, name, type, publish_to, networks,
      local_servers, privacy_policy, hardware, created_at) VALUES (?, x'', x'01', 'd', 0, 2, '[]', '[]', '{}', '{}', 0)`);
    return Number(insert.run(Buffer.from(id, 'hex')).lastInsertRowid);
  }

  /** Stores a reading as the writer does: with its entry in the log, and the mark of its hour. */
  addReading(device: number, row: StoredRow): void {
    const { seq, timestamp, receivedAt = 0, clock = null, ph = null, isLogged = true } = row;
    this.#insert.run(device, seq, timestamp, receivedAt, clock, ph, isLogged ? this.log.next : null);
    if (isLogged) this.log.took();
    this.rollups.touch(device, timestamp);
  }

  /** Returns the rows of a query, each as the list of its values. */
  rows(sql: string): unknown[][] {
    return this.db.prepare(sql).raw().all() as unknown[][];
  }

  /** Returns the values of a query's only column. */
  values(sql: string): unknown[] {
    return this.db.prepare(sql).pluck().all();
  }

  close(): void {
    this.db.close();
  }
}
