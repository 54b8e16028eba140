/** How long after its latest refusal a device stays in the list. */
const TOLD_FOR_MS = 24 * 3_600_000;
/** Strangers can have many devices: the one that was refused longest ago is forgotten first. */
const MAX_TOLD = 200;

/** A device that was refused for what it takes of what all share. */
export interface RefusedDevice {
  readonly id: string;
  /** Unix milliseconds of the first and the latest refusal of this time. */
  readonly since: number;
  readonly lastAt: number;
  /** Refused requests since then. */
  readonly refused: number;
}

/** Remembers, for the owner, which devices a budget refused, since when and how often. */
export class RefusedDevices {
  readonly #now: () => number;
  readonly #onNew: () => void;
  /** In the order of the latest refusal. */
  readonly #devices = new Map<string, RefusedDevice>();

  /** `now`: Unix milliseconds. `onNew` is called where another device was refused. */
  constructor(now: () => number, onNew: () => void) {
    this.#now = now;
    this.#onNew = onNew;
  }

  /** The devices that were refused within a day, the latest last. */
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
