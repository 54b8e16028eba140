import { MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RenderedReading } from './reading-json.ts';

/** About 64 devices with usual readings: 85 kB each as sent, and as much again in parts. */
const MAX_BYTES_KEPT = 16 * 1024 ** 2;
/**
 * The largest encrypted fields of one device take 3.3 MB with the parts. They must not evict all others; a valid answer
 * is not larger.
 */
const MAX_BYTES_OF_DEVICE = MAX_BYTES_KEPT / 4;
/** The cost of a device that has sent nothing yet. */
const ENTRY_BYTES = 256;

interface Entry {
  /** Newest first, at most 500. If there are fewer, these are all readings of the device. */
  readonly readings: RenderedReading[];
  /** The total length of the readings' JSON. */
  partBytes: number;
  body: Buffer | null;
}

/** A read of a device from the store that is in progress, and the readings that were stored meanwhile. */
interface Fetching {
  readonly entry: Promise<Entry>;
  readonly added: RenderedReading[];
  isForgotten: boolean;
}

/**
 * A cache of the rendered answers to "the latest 500", for the devices that were read most recently. Committed readings
 * update it, so that a read after a write does not fetch 500 rows again. Its size in bytes is bounded.
 */
export class LatestBodies {
  /** By device id, in the order of use. */
  readonly #entries = new Map<string, Entry>();
  readonly #fetching = new Map<string, Fetching>();
  readonly #read: (deviceId: string) => Promise<readonly RenderedReading[]>;
  #bytes = 0;

  /** `read` returns the latest readings of a device from the store, newest first. */
  constructor(read: (deviceId: string) => Promise<readonly RenderedReading[]>) {
    this.#read = read;
  }

  /** Returns the body of the response for a device. Until a reading arrives, all callers get the same buffer. */
  async body(deviceId: string): Promise<Buffer> {
    return this.kept(deviceId) ?? bodyOf(await this.#fetch(deviceId));
  }

  /** Returns the body if it is cached, without reading the store. */
  kept(deviceId: string): Buffer | undefined {
    const entry = this.#take(deviceId);
    if (entry === undefined) return undefined;
    // Inserting it again keeps the map in order of use.
    this.#keep(deviceId, entry);
    return bodyOf(entry);
  }

  /** Returns whether new readings of the device must be passed to `add`. */
  keeps(deviceId: string): boolean {
    return this.#entries.has(deviceId) || this.#fetching.has(deviceId);
  }

  /** Adds a reading that has just been written to disk. */
  add(deviceId: string, reading: RenderedReading): void {
    this.#fetching.get(deviceId)?.added.push(reading);
    const entry = this.#entries.get(deviceId);
    if (entry === undefined) return;
    this.#bytes -= bytesOf(entry);
    addTo(entry, reading);
    this.#bytes += bytesOf(entry);
    if (bytesOf(entry) > MAX_BYTES_OF_DEVICE) this.#take(deviceId);
    else this.#makeRoom();
  }

  /** Drops the cached answer of a device whose readings were deleted. */
  forget(deviceId: string): void {
    this.#take(deviceId);
    const fetching = this.#fetching.get(deviceId);
    if (fetching !== undefined) fetching.isForgotten = true;
    this.#fetching.delete(deviceId);
  }

  /** Reads a device once for all callers that ask meanwhile. */
  #fetch(deviceId: string): Promise<Entry> {
    const known = this.#fetching.get(deviceId);
    if (known !== undefined) return known.entry;
    const added: RenderedReading[] = [];
    const entry = this.#read(deviceId)
      .then((readings) => {
        const fresh = entryOf([...readings]);
        for (const reading of added) addTo(fresh, reading);
        if (!fetching.isForgotten) this.#keep(deviceId, fresh);
        return fresh;
      })
      .finally(() => {
        if (this.#fetching.get(deviceId) === fetching) this.#fetching.delete(deviceId);
      });
    const fetching: Fetching = { entry, added, isForgotten: false };
    this.#fetching.set(deviceId, fetching);
    return entry;
  }

  #take(device: string): Entry | undefined {
    const entry = this.#entries.get(device);
    if (entry === undefined) return undefined;
    this.#entries.delete(device);
    this.#bytes -= bytesOf(entry);
    return entry;
  }

  #keep(device: string, entry: Entry): void {
    const bytes = bytesOf(entry);
    if (bytes > MAX_BYTES_OF_DEVICE) return;
    this.#entries.set(device, entry);
    this.#bytes += bytes;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MAX_BYTES_KEPT) return;
      this.#take(oldest);
    }
  }
}

function bodyOf(entry: Entry): Buffer {
  entry.body ??= Buffer.from(`{"readings":[${entry.readings.map(({ json }) => json).join(',')}]}`);
  return entry.body;
}

/** Inserts a reading in order, and drops the oldest one if there are too many. */
function addTo(entry: Entry, reading: RenderedReading): void {
  const { readings } = entry;
  const index = readings.findIndex((other) => compareNewestFirst(reading, other) <= 0);
  // If the store was read after the commit and before this call, the reading is already here.
  if (index >= 0 && compareNewestFirst(reading, readings[index]!) === 0) return;
  if (index < 0 && readings.length >= MAX_READINGS_RETURNED) return;
  readings.splice(index < 0 ? readings.length : index, 0, reading);
  entry.partBytes += reading.json.length;
  if (readings.length > MAX_READINGS_RETURNED) entry.partBytes -= readings.pop()!.json.length;
  entry.body = null;
}

function entryOf(readings: RenderedReading[]): Entry {
  return { readings, partBytes: readings.reduce((sum, { json }) => sum + json.length, 0), body: null };
}

/** Counts the body, too, even if it is not rendered yet. */
function bytesOf({ partBytes }: Entry): number {
  return 2 * partBytes + ENTRY_BYTES;
}

function compareNewestFirst(a: RenderedReading, b: RenderedReading): number {
  return compareUint64Text(b.timestamp, a.timestamp) || compareUint64Text(b.seq, a.seq);
}
