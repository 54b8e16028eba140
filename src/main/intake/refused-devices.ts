/** The time that a device stays in the list after its latest refusal. */
const TOLD_FOR_MS = 24 * 3_600_000;
/** Strangers can have many devices. The one with the oldest refusal is dropped first. */
const MAX_TOLD = 200;

/** A device that was refused because it used more than its share. */
export interface RefusedDevice {
  readonly id: string;
  /** Unix milliseconds of the first and the latest refusal of this series. */
  readonly since: number;
  readonly lastAt: number;
  /** The number of refused requests since then. */
  readonly refused: number;
}

/** Remembers, for the owner, which devices a budget refused, since when and how often. */
export class RefusedDevices {
  readonly #now: () => number;
  readonly #onNew: () => void;
  /** In the order of the latest refusal. */
  readonly #devices = new Map<string, RefusedDevice>();

  /** `now` returns Unix milliseconds. `onNew` is called when a further device is refused. */
  constructor(now: () => number, onNew: () => void) {
    this.#now = now;
    this.#onNew = onNew;
  }

  /** The devices that were refused within the last day, latest last. */
  get list(): readonly RefusedDevice[] {
    const before = this.#now() - TOLD_FOR_MS;
    for (const [id, { lastAt }] of this.#devices) if (lastAt < before) this.#devices.delete(id);
    return [...this.#devices.values()];
  }

  /** Counts a refused request of a device. */
  note(id: string): void {
    const now = this.#now();
    const known = this.#devices.get(id);
    this.#devices.delete(id);
    const isSame = known !== undefined && now - known.lastAt < TOLD_FOR_MS;
    this.#devices.set(id, {
      ...{ id, since: isSame ? known.since : now, lastAt: now },
      refused: isSame ? known.refused + 1 : 1,
    });
    const [oldest] = this.#devices.keys();
    if (this.#devices.size > MAX_TOLD) this.#devices.delete(oldest!);
    if (!isSame) this.#onNew();
  }
}
