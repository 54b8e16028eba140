import type { RegisteredDevice } from '../store/port.ts';
import { deviceJson } from './device-json.ts';

/** 10,000 devices take about 4 MB. A longer list is kept only while it is being sent to someone; strangers can't make one. */
const LARGEST_LIST = 16 * 1024 ** 2;

/** The body of the response with all devices of a store: rendered once for all who ask, until it changes. */
export class DeviceList {
  readonly #read: () => Promise<readonly RegisteredDevice[]>;
  #body: Buffer | WeakRef<Buffer> | null = null;
  #rendering: Promise<Buffer> | null = null;
  #changes = 0;
  /** The size of the body; null if it is not known, as after devices were forgotten. */
  #bytes: number | null = null;

  /** `read` reads all devices in the order of registration. */
  constructor(read: () => Promise<readonly RegisteredDevice[]>) {
    this.#read = read;
  }

  /** The body where it is rendered already. */
  get kept(): Buffer | undefined {
    const kept = this.#body instanceof WeakRef ? this.#body.deref() : this.#body;
    return kept ?? undefined;
  }

  async body(): Promise<Buffer> {
    const { kept } = this;
    if (kept !== undefined) return kept;
    this.#rendering ??= this.#render(this.#changes);
    return this.#rendering;
  }

  /**
   * Takes room for another device of so many bytes, where the list stays short enough with it; returns what gives it back, should
   * the device not be registered. null: there is no room.
   */
  async takeRoom(bytes: number): Promise<(() => void) | null> {
    while (this.#bytes === null) {
      const { length } = await this.body();
      // Whoever waited beside this may have taken room already.
      this.#bytes ??= length;
    }
    if (this.#bytes + bytes > LARGEST_LIST) return null;
    this.#bytes += bytes;
    return () => {
      if (this.#bytes !== null) this.#bytes -= bytes;
    };
  }

  /** Call this when devices were forgotten. */
  shrank(): void {
    this.#bytes = null;
    this.changed();
  }

  /** Call this when a device was registered, or is told otherwise than before. */
  changed(): void {
    this.#body = null;
    this.#rendering = null;
    this.#changes += 1;
  }

  async #render(changes: number): Promise<Buffer> {
    try {
      const devices = await this.#read();
      const body = Buffer.from(`{"devices":[${devices.map(deviceJson).join(',')}]}`);
      if (changes === this.#changes) this.#body = body.length <= LARGEST_LIST ? body : new WeakRef(body);
      return body;
    } finally {
      if (changes === this.#changes) this.#rendering = null;
    }
  }
}
