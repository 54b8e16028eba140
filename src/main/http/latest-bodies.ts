import { MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RenderedReading } from './reading-json.ts';

/** Some 64 devices with everyday readings, of 85 kB each as they are sent and as much again in parts. */
const MAX_BYTES_KEPT = 16 * 1024 ** 2;
/** One device's largest encrypted fields, 3.3 MB with the parts, must not drive out all others; nothing should be larger. */
const MAX_BYTES_OF_DEVICE = MAX_BYTES_KEPT / 4;
/** The cost of a device that has sent nothing yet. */
const ENTRY_BYTES = 256;

interface Entry {
  /** Newest first, at most 500; fewer are all there are. */
  readonly readings: RenderedReading[];
  /** The length of all readings. */
  partBytes: number;
  body: Buffer | null;
}

/** The readings that are being read from the store, and those that were stored meanwhile. */
interface Fetching {
  readonly entry: Promise<Entry>;
  readonly added: RenderedReading[];
  isForgotten: boolean;
}

/**
 * The rendered answers to "the latest 500", kept for the devices that were read most recently and brought forward as
 * readings are committed, so that a read after a write does not fetch 500 rows again. Bounded in bytes.
 */
export class LatestBodies {
  /** By device id, in the order of use. */
  readonly #entries = new Map<string, Entry>();
  readonly #fetching = new Map<string, Fetching>();
  readonly #read: (deviceId: string) => Promise<readonly RenderedReading[]>;
  #bytes = 0;

  /** `read` reads the latest readings of a device from the store, newest first. */
  constructor(read: (deviceId: string) => Promise<readonly RenderedReading[]>) {
    this.#read = read;
  }

  /** The body of the response for a device. As long as nothing arrives, it is the same buffer for all who ask. */
  async body(deviceId: string): Promise<Buffer> {
    return this.kept(deviceId) ?? bodyOf(await this.#fetch(deviceId));
  }

  /** The same, where nothing has to be read for it. */
  kept(deviceId: string): Buffer | undefined {
    const entry = this.#take(deviceId);
    if (entry === undefined) return undefined;
    // Inserted again, so that the map's order is the order of use.
    this.#keep(deviceId, entry);
    return bodyOf(entry);
  }

  /** Whether readings of the device that are on disk must be told to `add`. */
  keeps(deviceId: string): boolean {
    return this.#entries.has(deviceId) || this.#fetching.has(deviceId);
  }

  /** Takes in a reading that just reached the disk. */
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

  /** Drops what is kept of a device whose readings were deleted. */
  forget(deviceId: string): void {
    this.#take(deviceId);
    const fetching = this.#fetching.get(deviceId);
    if (fetching !== undefined) fetching.isForgotten = true;
    this.#fetching.delete(deviceId);
  }

  /** Reads a device once for all who ask meanwhile. */
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

/** Puts a reading in its place; the oldest one goes where there are too many. */
function addTo(entry: Entry, reading: RenderedReading): void {
  const { readings } = entry;
  const index = readings.findIndex((other) => compareNewestFirst(reading, other) <= 0);
  // The store may have been read after the commit and before this call: then the reading is there already.
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

/** With its body, also while that is still to be rendered. */
function bytesOf({ partBytes }: Entry): number {
  return 2 * partBytes + ENTRY_BYTES;
}

function compareNewestFirst(a: RenderedReading, b: RenderedReading): number {
  return compareUint64Text(b.timestamp, a.timestamp) || compareUint64Text(b.seq, a.seq);
}
