import type { Database } from 'better-sqlite3';
import type { DeviceNotes } from '../../shared/owner-api.ts';
import { openForReading } from './database.ts';
import { type Device, DeviceDirectory } from './devices.ts';
import { LatestReadings } from './latest-readings.ts';
import { ReadingQueries, type RenderedReading, renderRow } from './readings.ts';
import { type ReadingRow, RowFate, type UnregisteredDevice, type WriteJob, type WriteResults } from './write-jobs.ts';
import type { StoreWriter } from './writer.ts';

/** A reading to be stored, with its 64-bit values as text. */
export interface NewReading {
  readonly seq: string;
  readonly timestamp: string;
  readonly row: ReadingRow;
}

/**
 * One store: what its endpoint may read and write. Reads go through a connection of this thread, writes through the
 * writer thread; both reach this store's file and no other.
 */
export class Store {
  readonly devices: DeviceDirectory;
  readonly #db: Database;
  readonly #writer: StoreWriter;
  readonly #latest: LatestReadings;

  /** Opens a prepared store for reading; `nodePublicKey` in lowercase hex. */
  constructor(path: string, writer: StoreWriter, nodePublicKey: string) {
    this.#db = openForReading(path);
    this.#writer = writer;
    this.devices = new DeviceDirectory(this.#db, nodePublicKey);
    const queries = new ReadingQueries(this.#db);
    this.#latest = new LatestReadings((device) => queries.latest(device));
  }

  /** The response body with the latest 500 readings of a device. */
  latestReadingsBody(device: number): Buffer {
    return this.#latest.body(device);
  }

  /** How many readings wait to be written. */
  get waiting(): number {
    return this.#writer.waitingRows;
  }

  /**
   * Stores readings; resolves, with the fate of each (see RowFate), when they are on disk.
   * Rejects with StorageUnavailable: then none is confirmed. `check`: see WriteJob.
   */
  async append(readings: readonly NewReading[], check?: Uint8Array): Promise<Uint8Array> {
    const fates = await this.#writer.write<'append'>({ kind: 'append', rows: readings.map(({ row }) => row), check });
    for (const [index, { seq, timestamp, row }] of readings.entries()) {
      if (fates[index] === RowFate.STORED && this.#latest.keeps(row[0])) {
        this.#latest.add(row[0], renderRow(seq, timestamp, row) satisfies RenderedReading);
      }
    }
    return fates;
  }

  /** Registers a device; resolves when it is on disk. Rejects with StorageUnavailable. */
  async register(job: Extract<WriteJob, { kind: 'register' }>): Promise<WriteResults['register']> {
    const result = await this.#writer.write<'register'>(job);
    if (result === 'created') this.devices.changed(job.registration.id);
    return result;
  }

  /** Adds counts. Rejects with StorageUnavailable. */
  async tally(job: Extract<WriteJob, { kind: 'tally' }>): Promise<void> {
    await this.#writer.write<'tally'>(job);
  }

  /**
   * Deletes at most `limit` readings of a device, and with the last of them the device: to be called until it is done.
   * Rejects with StorageUnavailable.
   */
  async forget({ device, id }: Device, limit: number): Promise<WriteResults['forget']> {
    const result = await this.#writer.write<'forget'>({ kind: 'forget', device, limit });
    if (result.isDone) this.devices.changed(id);
    this.#latest.forget(device);
    return result;
  }

  /** Replaces the owner's notes on a device, or removes them; in the private store. Rejects with StorageUnavailable. */
  async note(id: string, notes: DeviceNotes | null): Promise<void> {
    await this.#writer.write<'note'>({ kind: 'note', id, notes, updatedAt: Date.now() });
  }

  /** The unregistered devices as last written. */
  unregisteredDevices(): UnregisteredDevice[] {
    const rows = this.#db
      .prepare<[], [Buffer, number, number, number, string]>(
        'SELECT id, attempts, first_at, last_at, last_error FROM unregistered_devices ORDER BY last_at',
      )
      .raw()
      .all();
    return rows.map(([id, attempts, firstAt, lastAt, lastError]) => {
      return { id: id.toString('hex'), attempts, firstAt, lastAt, lastError };
    });
  }

  /** Closes the read connection; the writer thread closes its own. */
  close(): void {
    this.#db.close();
  }
}
