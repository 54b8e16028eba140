import { MAX_READINGS_RETURNED } from '../../shared/protocol/limits.ts';
import { compareUint64Text } from '../../shared/protocol/uint64.ts';
import type { RenderedReading } from './readings.ts';

/** Devices whose answer is kept: about 250 kB each at the worst of everyday. */
const MAX_DEVICES_KEPT = 64;

interface Entry {
  /** Newest first, at most 500; fewer are all there are. */
  readonly readings: RenderedReading[];
  body: Buffer | null;
}

/**
 * The rendered answers to "the latest 500", kept for the devices that were read most recently and brought forward as
 * readings are committed, so that a read after a write does not fetch 500 rows again.
 */
export class LatestReadings {
  readonly #entries = new Map<number, Entry>();
  readonly #fetch: (device: number) => RenderedReading[];

  /** `fetch` reads the latest readings of a device from the store, newest first. */
  constructor(fetch: (device: number) => RenderedReading[]) {
    this.#fetch = fetch;
  }

  /** The body of the response for a device. */
  body(device: number): Buffer {
    let entry = this.#entries.get(device);
    if (entry === undefined) {
      entry = { readings: this.#fetch(device), body: null };
      const oldest = this.#entries.size >= MAX_DEVICES_KEPT ? this.#entries.keys().next() : null;
      if (oldest !== null && !oldest.done) this.#entries.delete(oldest.value);
    } else {
      this.#entries.delete(device);
    }
    // Inserted anew, so that the map's order is the order of use.
    this.#entries.set(device, entry);
    entry.body ??= Buffer.from(`{"readings":[${entry.readings.map(({ json }) => json).join(',')}]}`);
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
    readings.splice(index < 0 ? readings.length : index, 0, reading);
    if (readings.length > MAX_READINGS_RETURNED) readings.pop();
    entry.body = null;
  }

  /** Drops what is kept of a device whose readings were deleted. */
  forget(device: number): void {
    this.#entries.delete(device);
  }
}

function compareNewestFirst(a: RenderedReading, b: RenderedReading): number {
  return compareUint64Text(b.timestamp, a.timestamp) || compareUint64Text(b.seq, a.seq);
}
