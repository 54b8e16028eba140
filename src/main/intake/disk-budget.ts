import type { Room } from '../../shared/owner-api/storage.ts';
import { RefusedDevices } from './refused-devices.ts';
import type { StoreBudget } from './store-budget.ts';

/** If the free space falls below the smaller of the two, single devices are refused. */
const LOW_BYTES = 1024 ** 3;
const LOW_PART = 0.2;
/** The multiple of the median that a device may send in a day. */
const TIMES_MEDIAN = 10;
/** Allowed at any median: twice the buffer of a device that had no network. */
const ALWAYS_ALLOWED = 100;
const HOUR_MS = 3_600_000;
const HOURS = 24;
const LOOK_EVERY_MS = 1000;

export interface DiskBudgetDependencies {
  /** Returns the free and total space of the store's disk; null if the system does not report it. */
  readonly room: () => Promise<Room | null>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly steady?: () => number;
  /** Called when a further device is refused. */
  readonly onRefused: () => void;
}

/**
 * Refuses devices that send far more than the others while the disk has little space left, before all devices have to
 * be refused. Checks the disk at most once a second, and only while readings arrive. Counts start at zero with the
 * node.
 */
export class DiskBudget implements StoreBudget {
  readonly #dependencies: DiskBudgetDependencies;
  readonly #steady: () => number;
  readonly #told: RefusedDevices;
  /** Readings of each device by hour, the present hour last. */
  #hours: Map<string, number>[] = [new Map()];
  #hour: number;
  #over: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(dependencies: DiskBudgetDependencies) {
    this.#dependencies = dependencies;
    this.#steady = dependencies.steady ?? (() => performance.now());
    this.#hour = this.#presentHour;
    this.#told = new RefusedDevices(dependencies.now, dependencies.onRefused);
  }

  get refused() {
    return this.#told.list;
  }

  isOver(deviceId: string): boolean {
    return this.#over.has(deviceId);
  }

  note(deviceId: string): void {
    this.#told.note(deviceId);
  }

  stored(deviceId: string): void {
    this.#turnHours();
    const present = this.#hours.at(-1)!;
    present.set(deviceId, (present.get(deviceId) ?? 0) + 1);
    this.#plan();
  }

  registered(): void {
    this.#plan();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Checks the disk. Only tests call it directly; otherwise a timer does. */
  async look(): Promise<void> {
    const room = await this.#dependencies.room();
    const isLow = room !== null && room.freeBytes < Math.min(LOW_BYTES, room.totalBytes * LOW_PART);
    this.#over = isLow ? heaviest(this.#sums()) : new Set();
    // Space may become free while no reading arrives.
    if (this.#over.size > 0) this.#plan();
  }

  get #presentHour(): number {
    return Math.floor(this.#steady() / HOUR_MS);
  }

  #plan(): void {
    if (this.#timer !== null || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.look();
    }, LOOK_EVERY_MS).unref();
  }

  #turnHours(): void {
    const present = this.#presentHour;
    for (; this.#hour < present; this.#hour += 1) {
      this.#hours.push(new Map());
      if (this.#hours.length > HOURS) this.#hours.shift();
      // After a day without a reading every hour is empty.
      if (this.#hours.every(({ size }) => size === 0)) this.#hour = present - 1;
    }
  }

  #sums(): Map<string, number> {
    this.#turnHours();
    const sums = new Map<string, number>();
    for (const hour of this.#hours) for (const [id, count] of hour) sums.set(id, (sums.get(id) ?? 0) + count);
    return sums;
  }
}

/**
 * Returns the devices that sent more than ten times the median of all devices that sent something. With an even number
 * of devices the lower median counts: otherwise one of two devices would raise its own limit.
 */
export function heaviest(sent: ReadonlyMap<string, number>): Set<string> {
  const counts = [...sent.values()].sort((one, other) => one - other);
  const median = counts[Math.floor((counts.length - 1) / 2)] ?? 0;
  const most = Math.max(TIMES_MEDIAN * median, ALWAYS_ALLOWED);
  return new Set([...sent].filter(([, count]) => count > most).map(([id]) => id));
}
