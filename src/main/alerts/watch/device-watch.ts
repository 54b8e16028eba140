import { isEnteredPh } from '../../../shared/measures/entered-ph.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { type Arrival, isLive, isWrong, UPTIME_BELOW_MS, usualInterval } from '../../common/device-clock.ts';
import type { NodeEventMap, StoredReading } from '../../common/node-events.ts';

/** The position of a reading in time; see RangeReading. */
export interface Placed {
  readonly measuredAt: number;
  readonly lateMs: number;
}

/** The number of readings that are enough to judge a device. */
const LATEST = 50;
const CLOCK_LOOKS_AT = 20;
/**
 * A reading that arrives later than this after its measurement was buffered somewhere, or the device's clock is behind.
 */
const ON_TIME_MS = 5 * 60_000;
/**
 * Requests that overtake each other change the order of readings by less than this. A larger difference means that the
 * clock was set back.
 */
const OVERTAKING_MS = 30_000;
const UPTIME_BELOW = Number(UPTIME_BELOW_MS);

interface Timed extends Arrival {
  readonly timestamp: number;
}

interface Latest extends Timed {
  readonly seq: string;
}

/** The memory of a device between its readings: evidence about its clock, and the times of its values. */
export class DeviceWatch {
  /**
   * The time of measurement of the newest reading; -Infinity if no earlier reading can be compared with those to come.
   */
  newestAt = Number.NEGATIVE_INFINITY;
  isClockUnset = false;
  /** The arrival of the latest reading, by this node's clock and by the steady clock. */
  lastReceivedAt: number | null = null;
  heardAt = Number.NEGATIVE_INFINITY;
  /**
   * The same times for a value of each field. A reading with a value that was entered by hand repeats the other values,
   * so it counts for that field only.
   */
  readonly fields = new Map<FieldName, { receivedAt: number; heardAt: number }>();
  /** The fields whose latest value was sealed. */
  readonly sealed = new Set<FieldName>();
  /** The latest readings in the order of seq, the latest last. */
  readonly #latest: Latest[] = [];
  /** For each of the latest readings, whether it suggests a clock that is not set. */
  readonly #wrong: boolean[] = [];
  #wrongs = 0;
  #measured: StoredReading | null = null;
  #usualInterval: number | null | undefined;

  /** The usual time between readings, in milliseconds; null if it is not known yet. */
  get usualInterval(): number | null {
    this.#usualInterval ??= usualInterval(this.#latest);
    return this.#usualInterval;
  }

  /**
   * Adds a reading; call this in the order of arrival. `steady` is the time by the steady clock. Returns `isReset` true
   * if a clock was set, so that earlier times can't be compared with the reading's.
   */
  take(reading: StoredReading, steady: number): Placed & { readonly isReset: boolean } {
    const { receivedAt } = reading;
    const arrival = { timestamp: Number(reading.timestamp), receivedAt };
    const before = this.#latest.at(-1);
    const isSetBack = this.lastReceivedAt !== null && receivedAt < this.lastReceivedAt - OVERTAKING_MS;
    const wasUnset = this.isClockUnset;
    this.#note(reading.seq, arrival, before);
    this.#hear(reading, steady);
    const measuredAt = placeOf(arrival, this.isClockUnset);
    // The reading's time is determined in another way than that of the readings before it, with a very different
    // result.
    const isMoved = wasUnset !== this.isClockUnset && Math.abs(placeOf(arrival, wasUnset) - measuredAt) > ON_TIME_MS;
    const isReset = isSetBack || isMoved;
    if (isReset) this.newestAt = Number.NEGATIVE_INFINITY;
    const lag = receivedAt - measuredAt;
    const isLate = lag > ON_TIME_MS && (before === undefined || !isLive(arrival, before));
    const lateMs = Math.max(0, this.newestAt - measuredAt, isLate ? lag : 0);
    this.newestAt = Math.max(this.newestAt, measuredAt);
    return { measuredAt, lateMs, isReset };
  }

  /** Moves the times of arrival that are within a corrected span of the clock, and derives the rest again. */
  move({ by, from, to }: NodeEventMap['clockMoved']): void {
    const moved = (at: number) => (at >= from && at <= to ? at + by : at);
    if (this.lastReceivedAt !== null) this.lastReceivedAt = moved(this.lastReceivedAt);
    for (const field of this.fields.values()) field.receivedAt = moved(field.receivedAt);
    // The newest time is a time of arrival and can't be compared with those to come.
    if (moved(this.newestAt) !== this.newestAt) this.newestAt = Number.NEGATIVE_INFINITY;
    const latest = this.#latest.splice(0);
    this.#wrong.length = 0;
    this.#wrongs = 0;
    for (const { seq, timestamp, receivedAt } of latest) {
      this.#note(seq, { timestamp, receivedAt: moved(receivedAt) }, this.#latest.at(-1));
    }
  }

  /** Restores the arrival of a field's value in an earlier run. */
  restoreField(field: FieldName, receivedAt: number, heardAt: number): void {
    if (!this.fields.has(field)) this.fields.set(field, { receivedAt, heardAt });
  }

  #note(seq: string, { timestamp, receivedAt }: Timed, before: Latest | undefined): void {
    // Older readings that arrive late say nothing about the present clock.
    if (before !== undefined && !isAfter(seq, before.seq)) return;
    const latest = { seq, timestamp, receivedAt };
    // Nearly all readings are on time: only others need the closer look.
    const isOff = Math.abs(timestamp - receivedAt) > ON_TIME_MS && isWrong(latest, before);
    this.#wrong.push(isOff);
    if (isOff) this.#wrongs += 1;
    this.#latest.push(latest);
    if (this.#latest.length > LATEST) this.#latest.shift();
    if (this.#wrong.length > CLOCK_LOOKS_AT && this.#wrong.shift()) this.#wrongs -= 1;
    this.#usualInterval = undefined;
    this.isClockUnset = this.#wrongs * 2 > this.#wrong.length;
  }

  #hear(reading: StoredReading, heardAt: number): void {
    const { values, sealed, receivedAt } = reading;
    this.lastReceivedAt = receivedAt;
    this.heardAt = heardAt;
    const isEntry = this.#measured !== null && isEnteredPh(reading.values, this.#measured.values);
    if (!isEntry) this.#measured = reading;
    for (const field of FIELD_NAMES) {
      if (values[field] === undefined) continue;
      if (this.sealed.size > 0) this.sealed.delete(field);
      if (!isEntry || field === 'ph') this.#hearField(field, receivedAt, heardAt);
    }
    for (const field of sealed) {
      this.sealed.add(field);
      this.#hearField(field, receivedAt, heardAt);
    }
  }

  #hearField(field: FieldName, receivedAt: number, heardAt: number): void {
    const known = this.fields.get(field);
    if (known === undefined) this.fields.set(field, { receivedAt, heardAt });
    else {
      known.receivedAt = receivedAt;
      known.heardAt = heardAt;
    }
  }
}

/** Returns when a reading was measured, at the latest when it arrived. */
function placeOf({ timestamp, receivedAt }: Timed, isClockUnset: boolean): number {
  return isClockUnset || timestamp < UPTIME_BELOW ? receivedAt : Math.min(timestamp, receivedAt);
}

/** Returns whether an unsigned decimal number is greater than another. */
function isAfter(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
