import type { ChoiceName } from '../../../shared/owner-data/choices.ts';
import type { JournalEntry } from '../../../shared/owner-data/journal.ts';
import type { DeviceNotes } from '../../../shared/owner-data/notes.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import type { StoreRefusal } from '../../common/node-events.ts';
import type { ArrivalMove, MovedStep, MovedTo } from '../arrival-move.ts';
import type { Counts, UnregisteredDevice } from '../counts.ts';
import type { Ingesting } from '../engine.ts';
import { ingestByAppend } from '../ingest-by-append.ts';
import type {
  DevicePage,
  Durability,
  NewEntry,
  Pruned,
  Registered,
  RegisteredDevice,
  RegistrationOrigin,
  Store,
} from '../port.ts';
import type { BlockOutcome, NewBlock, NewReading, Position, Reading, ReadingOutcome } from '../reading.ts';
import type { StoredCheckpoint } from '../store-log.ts';
import { Fate } from '../verifier/packed-blocks.ts';
import { reading } from './file/fault.ts';
import { unregisteredOf } from './read/counts.ts';
import { deviceOf, devicesAfter, devicesOf, numberIn } from './read/devices.ts';
import { choicesOf, entriesWithPhotos, entryOf } from './read/owner-records.ts';
import { ReadConnection } from './read/read-connection.ts';
import { type Source, selectReadings } from './read/readings.ts';
import { stretchesBefore, stretchesBetween } from './read/stretches.ts';
import { Lane } from './write/lane.ts';
import { toRow } from './write/write-jobs.ts';
import type { StoreWriter } from './write/writer.ts';

/**
 * A store in an SQLite file. Reads use a connection of the calling thread, writes use the writer thread. Both have
 * access only to this store's file.
 */
export class SqliteStore implements Store {
  readonly name: StoreName;
  readonly #connection: ReadConnection;
  readonly #writer: StoreWriter;

  readonly #ingest: Store['ingest'] | null;

  /** Opens a prepared store. Without verifiers it can't ingest blocks. */
  constructor(name: StoreName, path: string, writer: StoreWriter, ingesting: Ingesting | null = null) {
    this.name = name;
    this.#connection = ReadConnection.toOne(name, path);
    this.#writer = writer;
    this.#ingest = ingesting && this.#ingestBy(ingesting);
  }

  #ingestBy({ verifiers, isByAppend }: Ingesting): Store['ingest'] {
    if (isByAppend) return ingestByAppend(verifiers, (readings) => this.append(readings));
    const lane = new Lane(this.#writer.lane, verifiers);
    return (blocks) => lane.ingest(blocks);
  }

  async device(id: string): Promise<RegisteredDevice | null> {
    return reading(() => deviceOf(this.#connection, this.name, id));
  }

  async devices(page?: DevicePage): Promise<RegisteredDevice[]> {
    return reading(() =>
      page === undefined ? devicesOf(this.#connection, this.name) : devicesAfter(this.#connection, this.name, page),
    );
  }

  async register(
    registration: DeviceRegistration,
    createdAt: number,
    origin?: RegistrationOrigin,
  ): Promise<Registered> {
    return this.#writer.write<'register'>({ kind: 'register', registration, createdAt, origin });
  }

  async forget(id: string, limit: number): Promise<{ readonly readings: number; readonly isDone: boolean }> {
    return this.#writer.write<'forget'>({ kind: 'forget', id, limit });
  }

  async prune(id: string, before: number, limit: number): Promise<Pruned> {
    return this.#writer.write<'prune'>({ kind: 'prune', id, before, limit });
  }

  async pruneStrays(
    id: string,
    before: number,
    after: bigint | null,
    limit: number,
  ): Promise<{ readonly readings: number; readonly next: bigint | null }> {
    return this.#writer.write<'pruneStrays'>({ kind: 'pruneStrays', id, before, after, limit });
  }

  async moveArrivals(move: ArrivalMove, after: MovedTo | null, limit: number): Promise<MovedStep> {
    return this.#writer.write<'moveArrivals'>({ kind: 'moveArrivals', move, after, limit });
  }

  ingest(blocks: readonly NewBlock[]): Promise<readonly BlockOutcome[]> {
    if (this.#ingest === null) throw new Error(`the ${this.name} store was opened without verifiers`);
    return this.#ingest(blocks);
  }

  async append(readings: readonly NewReading[]): Promise<ReadingOutcome[]> {
    const { fates, receivedAt } = await this.#writer.write<'append'>({ kind: 'append', rows: readings.map(toRow) });
    return Array.from(fates, (fate, index): ReadingOutcome => {
      if (fate === Fate.STORED) return { kind: 'stored', receivedAt: receivedAt[index]! };
      return { kind: fate === Fate.DUPLICATE ? 'duplicate' : 'unknown_device' };
    });
  }

  async latest(id: string, limit: number, before: bigint | null = null): Promise<Reading[]> {
    return reading(() => {
      const device = numberIn(this.#connection, this.name, id);
      if (device === null) return [];
      const source = { store: this.name, device, hiddenBy: null };
      const position = before === null ? null : this.#positionOf(source, before);
      if (before !== null && position === null) return [];
      const newestFirst = stretchesBefore({ axis: 'timestamp', from: 0n, to: MAX_UINT64 }, position);
      return selectReadings(this.#connection, source, newestFirst, 'DESC', limit);
    });
  }

  /** Returns the position that precedes the readings to return before a seq; null if there are none. */
  #positionOf(source: Source, before: bigint): Position | null {
    const upToIt = stretchesBetween('received', 0n, before).reverse();
    const [found] = selectReadings(this.#connection, source, upToIt, 'DESC', 1);
    if (found === undefined) return null;
    const { timestamp, seq } = found;
    return { timestamp, seq: seq === before ? seq : seq + 1n };
  }

  async addCounts(counts: Counts, rideMs?: number): Promise<void> {
    await this.#writer.write<'count'>({ kind: 'count', counts, rideMs });
  }

  async addCheckpoint(checkpoint: StoredCheckpoint): Promise<void> {
    await this.#writer.write<'checkpoint'>({ kind: 'checkpoint', checkpoint });
  }

  async bytes(): Promise<number> {
    return reading(() => this.#connection.pageBytes(this.name));
  }

  async unregistered(): Promise<UnregisteredDevice[]> {
    return reading(() => unregisteredOf(this.#connection, this.name));
  }

  async setNotes(id: string, notes: DeviceNotes | null, updatedAt: number, keepsLog = false): Promise<void> {
    await this.#writer.write<'note'>({ kind: 'note', id, notes, updatedAt, keepsLog });
  }

  async setChoice(name: ChoiceName, value: unknown, updatedAt: number): Promise<void> {
    await this.#writer.write<'choose'>({ kind: 'choose', name, value: JSON.stringify(value), updatedAt });
  }

  async choices(): Promise<ReadonlyMap<string, unknown>> {
    return reading(() => choicesOf(this.#connection));
  }

  async writeEntry(
    entry: NewEntry,
    along?: { readonly name: ChoiceName; readonly value: unknown },
  ): Promise<number | null> {
    const choice = along && { name: along.name, value: JSON.stringify(along.value), updatedAt: entry.updatedAt };
    return this.#writer.write<'writeEntry'>({ kind: 'writeEntry', ...entry, choice });
  }

  async deleteEntry(id: number): Promise<boolean> {
    return this.#writer.write<'deleteEntry'>({ kind: 'deleteEntry', id });
  }

  async entry(id: number): Promise<JournalEntry | null> {
    return reading(() => entryOf(this.#connection, id));
  }

  async entriesWithPhotos(): Promise<JournalEntry[]> {
    return reading(() => entriesWithPhotos(this.#connection));
  }

  async compact(): Promise<void> {
    await this.#writer.write<'compact'>({ kind: 'compact' });
  }

  /** Sets whether a commit waits for the disk from now on. */
  async setDurability(durability: Durability): Promise<void> {
    await this.#writer.setDurability(durability);
  }

  async refusal(): Promise<StoreRefusal | null> {
    return this.#writer.refusal();
  }

  /** Closes the read connection; the writer thread closes its own. */
  async close(): Promise<void> {
    this.#connection.close();
  }
}
