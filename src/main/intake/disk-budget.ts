import type { Room } from '../../shared/owner-api/storage.ts';
import { RefusedDevices } from './refused-devices.ts';
import type { StoreBudget } from './store-budget.ts';

/** Below either of these, whichever is less, single devices are refused. */
const LOW_BYTES = 1024 ** 3;
const LOW_PART = 0.2;
/** How many times the median a device may send in a day. */
const TIMES_MEDIAN = 10;
/** Whatever the median: the buffer of a device that had no network, twice. */
const ALWAYS_ALLOWED = 100;
const HOUR_MS = 3_600_000;
const HOURS = 24;
const LOOK_EVERY_MS = 1000;

export interface DiskBudgetDependencies {
  /** The disk of the store; null where the system does not tell. */
  readonly room: () => Promise<Room | null>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  readonly steady?: () => number;
  /** Called where another device was refused. */
  readonly onRefused: () => void;
}

/**
 * Refuses devices that send far more than the others once the disk has little room left, before anybody else has to be
 * refused. Looks at the disk once a second, and only while readings come. What was sent is counted since the start.
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
    return this.#over.size > 0 && this.#over.has(deviceId);
  }

  note(deviceId: string): void {
    this.#told.note(deviceId);
  }

  stored(deviceId: string): void {
    if (this.#hour !== this.#presentHour) this.#turnHours();
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

  /** Looks at the disk; to be awaited by tests alone, as it is called by itself. */
  async look(): Promise<void> {
    const room = await this.#dependencies.room();
    const isLow = room !== null && room.freeBytes < Math.min(LOW_BYTES, room.totalBytes * LOW_PART);
    this.#over = isLow ? heaviest(this.#sums()) : new Set();
    // Room may come without a reading that tells of it.
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
      // After a day without a reading there is nothing left to turn.
      if (this.#hours.every(({ size }) => size === 0)) this.#hour = present - 1;
    }
  }

  #sums(): Map<string, number> {
    if (this.#hour !== this.#presentHour) this.#turnHours();
    const sums = new Map<string, number>();
    for (const hour of this.#hours) for (const [id, count] of hour) sums.set(id, (sums.get(id) ?? 0) + count);
    return sums;
  }
}

/**
 * The devices that sent more than ten times the median of all that sent something. Of an even number the lower median
 * counts: of two devices one does not set the measure for itself.
 */
export function heaviest(sent: ReadonlyMap<string, number>): Set<string> {
  const counts = [...sent.values()].sort((one, other) => one - other);
  const median = counts[Math.floor((counts.length - 1) / 2)] ?? 0;
  const most = Math.max(TIMES_MEDIAN * median, ALWAYS_ALLOWED);
  return new Set([...sent].filter(([, count]) => count > most).map(([id]) => id));
}
