import { MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RenderedReading } from './readings.ts';

/** Some 64 devices with everyday readings, of 85 kB each as they are sent and as much again in parts. */
const MAX_BYTES_KEPT = 16 * 1024 ** 2;
/** One device's largest encrypted fields, 3.3 MB with the parts, must not drive out all others; nothing should be larger. */
const MAX_BYTES_OF_DEVICE = MAX_BYTES_KEPT / 4;
/** What a device costs that has sent nothing yet. */
const ENTRY_BYTES = 256;

interface Entry {
  /** Newest first, at most 500; fewer are all there are. */
  readonly readings: RenderedReading[];
  /** The length of all readings. */
  partBytes: number;
  body: Buffer | null;
}

/**
 * The rendered answers to "the latest 500", kept for the devices that were read most recently and brought forward as
 * readings are committed, so that a read after a write does not fetch 500 rows again. Bounded in bytes.
 */
export class LatestReadings {
  /** In the order of use. */
  readonly #entries = new Map<number, Entry>();
  readonly #fetch: (device: number) => RenderedReading[];
  #bytes = 0;

  /** `fetch` reads the latest readings of a device from the store, newest first. */
  constructor(fetch: (device: number) => RenderedReading[]) {
    this.#fetch = fetch;
  }

  /** The body of the response for a device. As long as nothing arrives, it is the same buffer for all who ask. */
  body(device: number): Buffer {
    const entry = this.#take(device) ?? entryOf(this.#fetch(device));
    entry.body ??= Buffer.from(`{"readings":[${entry.readings.map(({ json }) => json).join(',')}]}`);
    // Inserted anew, so that the map's order is the order of use.
    this.#keep(device, entry);
    return entry.body;
  }

  /** Whether committed readings of the device must be told to `add`. */
  keeps(device: number): boolean {
    return this.#entries.has(device);
  }

  /** Takes in a reading that was just committed. */
  add(device: number, reading: RenderedReading): void {
    const entry = this.#entries.get(device);
    if (entry === undefined) return;
    const { readings } = entry;
    const index = readings.findIndex((other) => compareNewestFirst(reading, other) <= 0);
    // The store may have been read after the commit and before this call: then the reading is there already.
    if (index >= 0 && compareNewestFirst(reading, readings[index]!) === 0) return;
    if (index < 0 && readings.length >= MAX_READINGS_RETURNED) return;
    this.#bytes -= bytesOf(entry);
    readings.splice(index < 0 ? readings.length : index, 0, reading);
    entry.partBytes += reading.json.length;
    if (readings.length > MAX_READINGS_RETURNED) entry.partBytes -= readings.pop()!.json.length;
    entry.body = null;
    this.#bytes += bytesOf(entry);
    if (bytesOf(entry) > MAX_BYTES_OF_DEVICE) this.#take(device);
    else this.#makeRoom();
  }

  /** Drops what is kept of a device whose readings were deleted. */
  forget(device: number): void {
    this.#take(device);
  }

  #take(device: number): Entry | undefined {
    const entry = this.#entries.get(device);
    if (entry === undefined) return undefined;
    this.#entries.delete(device);
    this.#bytes -= bytesOf(entry);
    return entry;
  }

  #keep(device: number, entry: Entry): void {
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

function entryOf(readings: RenderedReading[]): Entry {
  return { readings, partBytes: readings.reduce((sum, { json }) => sum + json.length, 0), body: null };
}

/** With its body, also while that is to be rendered anew. */
function bytesOf({ partBytes }: Entry): number {
  return 2 * partBytes + ENTRY_BYTES;
}

function compareNewestFirst(a: RenderedReading, b: RenderedReading): number {
  return compareUint64Text(b.timestamp, a.timestamp) || compareUint64Text(b.seq, a.seq);
}
