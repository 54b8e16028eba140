import { MAX_DEVICES_OF_PAGE } from '../../shared/protocol/limits.ts';
import type { DevicePage, RegisteredDevice } from '../store/port.ts';
import { deviceJson } from './device-json.ts';

/** One answer has so many bytes at most: 10,000 devices take about 4 MB. A longer list goes on by pages. */
export const LARGEST_LIST = 16 * 1024 ** 2;
const EMPTY = '{"devices":[]}';

/** The body of the response with the devices of a store. */
export interface ListBody {
  readonly json: Buffer;
  /** The last device in it where more come behind it; null: it has all. */
  readonly last: string | null;
}

/** The list of the devices of a store: rendered once for all who ask, until it changes. */
export class DeviceList {
  readonly #read: (page: DevicePage) => Promise<readonly RegisteredDevice[]>;
  readonly #mostBytes: number;
  #body: ListBody | null = null;
  #rendering: Promise<ListBody> | null = null;
  #changes = 0;
  /** The length of the whole list up to a device, as it was measured last. */
  #measured: { bytes: number; count: number; last: string | null } | null = null;
  #measuring: Promise<unknown> = Promise.resolve();
  #shrinks = 0;
  /** The bytes that registrations under way will add. */
  #taken = 0;

  /** `read` reads devices in the order of registration; the whole list may have `mostBytes`. */
  constructor(read: (page: DevicePage) => Promise<readonly RegisteredDevice[]>, mostBytes = LARGEST_LIST) {
    this.#read = read;
    this.#mostBytes = mostBytes;
  }

  /** The body where it is rendered already. */
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
   * Takes room for another device of so many bytes, where the whole list stays short enough with it; returns what gives it back,
   * to be called once the device is registered, or is not. null: there is no room. `count` is how many devices there are at
   * least, where other nodes register and forget some, too.
   */
  async takeRoom(bytes: number, count = 0): Promise<(() => void) | null> {
    const measured = await this.#measure(count);
    if (measured + this.#taken + bytes > this.#mostBytes) return null;
    this.#taken += bytes;
    return () => {
      this.#taken -= bytes;
    };
  }

  /** Call this when devices were forgotten. */
  shrank(): void {
    this.#measured = null;
    this.#shrinks += 1;
    this.changed();
  }

  /** Call this when a device was registered, or is told otherwise than before. */
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

  /** As many devices as one answer may have. */
  async #firstDevices(): Promise<ListBody> {
    const parts: string[] = [];
    let length = EMPTY.length;
    let last: string | null = null;
    for await (const device of this.#devicesAfter(null)) {
      const json = deviceJson(device);
      length += Buffer.byteLength(json) + 1;
      if (length > LARGEST_LIST) return { json: bodyOf(parts), last };
      parts.push(json);
      last = device.id;
    }
    return { json: bodyOf(parts), last: null };
  }

  /** The length of the whole list. Only what came since it was measured last is read. */
  #measure(count: number): Promise<number> {
    const measured = this.#measuring.then(async () => {
      const shrinks = this.#shrinks;
      const before = this.#measured ?? { bytes: EMPTY.length, count: 0, last: null };
      let found = await this.#measureFrom(before);
      // Devices are missing where the last one that was measured was forgotten by another node.
      if (found.count < count) found = await this.#measureFrom({ bytes: EMPTY.length, count: 0, last: null });
      if (shrinks === this.#shrinks) this.#measured = found;
      return found.bytes;
    });
    this.#measuring = measured.catch(() => {});
    return measured;
  }

  async #measureFrom({ bytes, count, last }: { bytes: number; count: number; last: string | null }) {
    const found = { bytes, count, last };
    for await (const device of this.#devicesAfter(last)) {
      found.bytes += Buffer.byteLength(deviceJson(device)) + 1;
      found.count += 1;
      found.last = device.id;
    }
    return found;
  }

  async *#devicesAfter(first: string | null): AsyncGenerator<RegisteredDevice> {
    let [before, after] = [first, first];
    for (;;) {
      let page = await this.#read({ after, limit: MAX_DEVICES_OF_PAGE });
      if (page.length === 0 && after !== first) {
        // This is the end, or the device before was forgotten meanwhile.
        page = await this.#read({ after: before, limit: MAX_DEVICES_OF_PAGE });
        if (page[0]?.id === after) return;
      }
      yield* page;
      if (page.length < MAX_DEVICES_OF_PAGE) return;
      [before, after] = [page.at(-2)!.id, page.at(-1)!.id];
    }
  }
}

function bodyOf(devices: readonly string[]): Buffer {
  return Buffer.from(`{"devices":[${devices.join(',')}]}`);
}
