import type { StoreName } from '../../shared/protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { NodeEvents, StoredReading } from '../common/node-events.ts';
import type { StoredFields } from '../store/reading.ts';

/** A reading on disk. Its 64-bit values are numbers or decimal text. */
export interface ReadingOnDisk {
  readonly seq: bigint | string;
  readonly timestamp: bigint | string;
  readonly receivedAt: number;
  readonly keyVersion: number;
  readonly fields: StoredFields;
}

/** Returns a stored reading in the form that events have. */
export function storedReading(deviceId: string, { seq, timestamp, receivedAt, fields }: ReadingOnDisk): StoredReading {
  const values: Partial<Record<FieldName, number>> = {};
  const sealed: FieldName[] = [];
  for (const name of FIELD_NAMES) {
    const field = fields[name];
    if (typeof field === 'number') values[name] = field;
    else if (field !== null) sealed.push(name);
  }
  return { deviceId, seq: seq.toString(), timestamp: timestamp.toString(), receivedAt, values, sealed };
}

/** Collects the readings that one commit stored, and announces them with one `stored` event. */
export class StoredReadings {
  readonly #storeName: StoreName;
  readonly #events: NodeEvents;
  readonly #onCount: (count: number) => void;
  #count = 0;
  #isPlanned = false;
  /** Empty if nothing listens to the event. */
  #readings: StoredReading[] = [];

  /** `onCount` is called with the number of readings, before the event. */
  constructor(storeName: StoreName, events: NodeEvents, onCount: (count: number) => void) {
    this.#storeName = storeName;
    this.#events = events;
    this.#onCount = onCount;
  }

  /** Adds a reading that is on disk. */
  add(deviceId: string, reading: ReadingOnDisk): void {
    this.#count += 1;
    if (this.#events.isHeard('stored')) this.#readings.push(storedReading(deviceId, reading));
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    // Requests that were committed together continue in this turn: one event reports them all, before any request is
    // answered.
    queueMicrotask(() => this.#announce());
  }

  #announce(): void {
    const [count, readings] = [this.#count, this.#readings];
    this.#isPlanned = false;
    this.#count = 0;
    this.#readings = [];
    this.#onCount(count);
    if (readings.length > 0) this.#events.emit('stored', () => ({ store: this.#storeName, readings }));
  }
}
