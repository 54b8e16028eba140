import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Store } from '../../store/port.ts';
import type { NewReading } from '../../store/reading.ts';
import { type ImportSummary, type NotTaken, NotTakenList, type Tally } from './import-summary.ts';
import type { ReferenceStore } from './reference-folder.ts';
import { deviceOf, keyOf, readingOf, type Taken } from './reference-rows.ts';

/** The number of readings per transaction: small enough not to delay readings from devices. */
const BATCH_SIZE = 500;

/** The progress of an import. */
export interface ImportProgress {
  readonly readings: number;
  readonly totalReadings: number;
}

export interface ImportOptions {
  readonly from: readonly ReferenceStore[];
  /** Opens a store of the node; creates it if it does not exist. */
  readonly storeOf: (name: StoreName) => Promise<Store>;
  readonly onProgress: (progress: ImportProgress) => void;
  /** Ends the import between two batches; the imported part stays, and the import can be run again. */
  readonly signal: AbortSignal;
}

/**
 * Imports devices and readings of a reference server into a node's stores. Existing ones stay unchanged, so an
 * interrupted import can be run again. Rejects with StorageUnavailable if a store can't be written, and with the
 * signal's reason.
 */
export async function importReference(options: ImportOptions): Promise<Omit<ImportSummary, 'identity'>> {
  const run = new ImportRun(options);
  for (const from of options.from) await run.take(from);
  return { stores: run.stores, notTaken: run.notTaken.entries };
}

class ImportRun {
  readonly stores: { -readonly [name in StoreName]?: { readonly devices: Tally; readonly readings: Tally } } = {};
  readonly notTaken = new NotTakenList();
  readonly #options: ImportOptions;
  readonly #totalReadings: number;
  #readings = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#totalReadings = options.from.reduce((sum, store) => sum + store.counts().readings, 0);
  }

  async take(from: ReferenceStore): Promise<void> {
    const into = await this.#options.storeOf(from.name);
    const [devices, readings] = [newTally(), newTally()];
    this.stores[from.name] = { devices, readings };
    const known = await this.#takeDevices(from, into, devices);
    await this.#takeReadings(from, into, readings, known);
  }

  /** Imports the devices; returns the ids that the store has now. */
  async #takeDevices(from: ReferenceStore, into: Store, tally: Tally): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (const row of from.devices()) {
      this.#options.signal.throwIfAborted();
      const id = keyOf(row.pubkey) ?? String(row.name);
      const device = this.#checked(from.name, 'device', id, deviceOf(row));
      const origin = { way: 'imported', by: null, received: device?.registration ?? null } as const;
      const result = device === null ? null : await into.register(device.registration, device.createdAt, origin);
      if (result === 'limit') {
        this.notTaken.add(from.name, 'device', 'the store is at its limit of devices (PUBLIC_MAX_DEVICES)', id);
      }
      if (result === 'created') tally.taken += 1;
      else if (result === 'exists') tally.present += 1;
      else tally.skipped += 1;
      if (result === 'created' || result === 'exists') known.add(id);
    }
    return known;
  }

  async #takeReadings(from: ReferenceStore, into: Store, tally: Tally, known: ReadonlySet<string>): Promise<void> {
    let batch: NewReading[] = [];
    const flush = async () => {
      this.#options.signal.throwIfAborted();
      for (const { kind } of await into.append(batch)) {
        tally[kind === 'stored' ? 'taken' : kind === 'duplicate' ? 'present' : 'skipped'] += 1;
      }
      batch = [];
      this.#options.onProgress({ readings: this.#readings, totalReadings: this.#totalReadings });
    };
    for (const row of from.readings()) {
      this.#readings += 1;
      const id = keyOf(row.device_pubkey);
      const label = `${id ?? 'no key'} seq ${typeof row.seq === 'bigint' ? BigInt.asUintN(64, row.seq) : row.seq}`;
      const taken: Taken<NewReading> =
        id === null || !known.has(id) ? { reason: 'its device was not imported' } : readingOf(row, id);
      const reading = this.#checked(from.name, 'reading', label, taken);
      if (reading === null) tally.skipped += 1;
      else batch.push(reading);
      if (batch.length === BATCH_SIZE) await flush();
    }
    await flush();
  }

  /** Returns the imported part of a row, or null; records the rest. */
  #checked<T>(store: StoreName, what: 'device' | 'reading', label: string, taken: Taken<T>): T | null {
    if ('reason' in taken) {
      this.notTaken.add(store, what, taken.reason, label);
      return null;
    }
    const part: NotTaken['what'] = `part of a ${what}`;
    for (const leftOut of taken.leftOut) this.notTaken.add(store, part, leftOut, label);
    return taken.value;
  }
}

function newTally(): Tally {
  return { taken: 0, present: 0, skipped: 0 };
}
