import { MAX_DEVICES_OF_PAGE } from '../../shared/protocol/limits.ts';
import { together } from '../common/together.ts';
import type { DevicePage, RegisteredDevice } from '../store/port.ts';
import { deviceJson } from './device-json.ts';

/** The largest answer in bytes. 10,000 devices take about 4 MB; a longer list continues on further pages. */
export const LARGEST_LIST = 16 * 1024 ** 2;
const START = '{"devices":[';
const END = ']}';
const EMPTY = START + END;

/** The body of the response with the devices of a store. */
export interface ListBody {
  readonly json: Buffer;
  /** The id of the last device in the body if more devices follow; null if the list is complete. */
  readonly last: string | null;
}

/** A measurement: the length of the list up to and including the device `last`. */
interface Measured {
  readonly bytes: number;
  readonly count: number;
  readonly last: string | null;
}

const NOTHING: Measured = { bytes: EMPTY.length, count: 0, last: null };
/** A registration takes less than this: its statement is cancelled before. */
const SETTLED_MS = 10_000;

/** The list of a store's devices. It is rendered once for all readers until it changes. */
export class DeviceList {
  readonly #read: (page: DevicePage) => Promise<readonly RegisteredDevice[]>;
  readonly #mostBytes: number;
  #body: ListBody | null = null;
  #rendering: Promise<ListBody> | null = null;
  #changes = 0;
  /** The last measurement. */
  #measured: Measured | null = null;
  /** The part of it that no registration in progress at another node can add to. */
  #settled: Measured | null = null;
  #shrinks = 0;
  /** The bytes that registrations in progress will add. */
  #taken = 0;

  /** `read` returns devices in order of registration. `mostBytes` is the largest allowed length of the whole list. */
  constructor(read: (page: DevicePage) => Promise<readonly RegisteredDevice[]>, mostBytes = LARGEST_LIST) {
    this.#read = read;
    this.#mostBytes = mostBytes;
  }

  /** The body if it is already rendered. */
  get kept(): ListBody | undefined {
    return this.#body ?? undefined;
  }

  async body(): Promise<ListBody> {
    const { kept } = this;
    if (kept !== undefined) return kept;
    this.#rendering ??= this.#render(this.#changes);
    return this.#rendering;
  }

  /**
   * Reserves room for another device of `bytes` bytes. Returns a function that releases the reservation, to be called
   * once the device is registered or the registration failed; null if there is no room. `count` is the least number of
   * devices that there must be, if other nodes register and delete devices, too.
   */
  async takeRoom(bytes: number, count = 0): Promise<(() => void) | null> {
    const measured = await this.#measure(count);
    if (measured + this.#taken + bytes > this.#mostBytes) return null;
    this.#taken += bytes;
    return () => {
      this.#taken -= bytes;
    };
  }

  /** Call this when devices were deleted. */
  shrank(): void {
    this.#measured = null;
    this.#settled = null;
    this.#shrinks += 1;
    this.changed();
  }

  /** Call this when a device was registered or its answer changed. */
  changed(): void {
    this.#body = null;
    this.#rendering = null;
    this.#changes += 1;
  }

  async #render(changes: number): Promise<ListBody> {
    try {
      const body = await this.#firstDevices();
      if (changes === this.#changes) this.#body = body;
      return body;
    } finally {
      if (changes === this.#changes) this.#rendering = null;
    }
  }

  /** Returns the first devices, as many as one answer may have. */
  async #firstDevices(): Promise<ListBody> {
    // Pages of it that stay empty take no memory. Text of all devices together would take it twice.
    const bytes = Buffer.allocUnsafeSlow(LARGEST_LIST);
    let length = bytes.write(START);
    let last: string | null = null;
    for await (const device of this.#devicesAfter(null)) {
      const json = deviceJson(device);
      if (length + Buffer.byteLength(json) + END.length + 1 > LARGEST_LIST)
        return { json: bodyOf(bytes, length), last };
      if (last !== null) length += bytes.write(',', length);
      length += bytes.write(json, length);
      last = device.id;
    }
    return { json: bodyOf(bytes, length), last: null };
  }

  /** Returns the length of the whole list in bytes. */
  async #measure(count: number): Promise<number> {
    const found = await this.#measureRest();
    if (found.count >= count) return found.bytes;
    // Devices are missing if another node registered one before the last measured one, and finished after it.
    this.#measured = this.#settled;
    const again = await this.#measureRest();
    if (again.count >= count) return again.bytes;
    // Or another node deleted the last measured one.
    this.#measured = null;
    return (await this.#measureRest()).bytes;
  }

  /** Reads only the devices after the last measurement. Registrations that come meanwhile share the next one. */
  readonly #measureRest = together(async () => {
    const shrinks = this.#shrinks;
    const { found, settled } = await this.#measureFrom(this.#measured ?? NOTHING);
    if (shrinks === this.#shrinks) {
      this.#measured = found;
      this.#settled = settled ?? this.#settled;
    }
    return found;
  });

  async #measureFrom(from: Measured): Promise<{ found: Measured; settled: Measured | null }> {
    let [found, settled]: [Measured, Measured | null] = [from, null];
    const recent: { readonly at: number; readonly measured: Measured }[] = [];
    let first = 0;
    for await (const device of this.#devicesAfter(from.last)) {
      const bytes = found.bytes + Buffer.byteLength(deviceJson(device)) + 1;
      found = { bytes, count: found.count + 1, last: device.id };
      recent.push({ at: device.createdAt, measured: found });
      for (; recent[first]!.at < device.createdAt - SETTLED_MS; first += 1) settled = recent[first]!.measured;
      if (first >= MAX_DEVICES_OF_PAGE) {
        recent.splice(0, first);
        first = 0;
      }
    }
    return { found, settled };
  }

  async *#devicesAfter(first: string | null): AsyncGenerator<RegisteredDevice> {
    let [before, after] = [first, first];
    for (;;) {
      let page = await this.#read({ after, limit: MAX_DEVICES_OF_PAGE });
      if (page.length === 0 && after !== first) {
        // This is the end, or the previous device was deleted meanwhile.
        page = await this.#read({ after: before, limit: MAX_DEVICES_OF_PAGE });
        if (page[0]?.id === after) return;
      }
      yield* page;
      if (page.length < MAX_DEVICES_OF_PAGE) return;
      [before, after] = [page.at(-2)!.id, page.at(-1)!.id];
    }
  }
}

/** Ends the body after `length` bytes. */
function bodyOf(bytes: Buffer, length: number): Buffer {
  const body = bytes.subarray(0, length + bytes.write(END, length));
  // A short body would keep the whole memory.
  return body.length < bytes.length / 2 ? Buffer.from(body) : body;
}
