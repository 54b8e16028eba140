import { isEnteredPh } from '../../../shared/measures/entered-ph.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { type Arrival, isLive, isWrong, UPTIME_BELOW_MS, usualInterval } from '../../common/device-clock.ts';
import type { NodeEventMap, StoredReading } from '../../common/node-events.ts';

/** Where a reading stands in time: see RangeReading. */
export interface Placed {
  readonly measuredAt: number;
  readonly lateMs: number;
}

/** As many as tell how a device is. */
const LATEST = 50;
const CLOCK_LOOKS_AT = 20;
/**
 * A reading that arrives later than this after its measurement was waiting somewhere, or the device's clock is behind.
 */
const ON_TIME_MS = 5 * 60_000;
/** Requests that overtake each other bring readings out of order by less; more is a clock that was set back. */
const OVERTAKING_MS = 30_000;
const UPTIME_BELOW = Number(UPTIME_BELOW_MS);

interface Timed extends Arrival {
  readonly timestamp: number;
}

interface Latest extends Timed {
  readonly seq: string;
}

/** The memory of a device between its readings: evidence about its clock, and when values came. */
export class DeviceWatch {
  /** When its newest reading was measured; -Infinity where no earlier one can be compared with those to come. */
  newestAt = Number.NEGATIVE_INFINITY;
  isClockUnset = false;
  /** When the latest reading arrived by this node's clock, and by one that nobody sets. */
  lastReceivedAt: number | null = null;
  heardAt = Number.NEGATIVE_INFINITY;
  /** The same of a value of each field; one entered by hand says nothing of the others that are repeated beside it. */
  readonly fields = new Map<FieldName, { receivedAt: number; heardAt: number }>();
  /** The fields whose latest value was sealed. */
  readonly sealed = new Set<FieldName>();
  /** In the order of seq, the latest last. */
  readonly #latest: Latest[] = [];
  /** For each of them, whether it suggests a clock that is not set. */
  readonly #wrong: boolean[] = [];
  #wrongs = 0;
  #measured: StoredReading | null = null;
  #usualInterval: number | null | undefined;

  /** The usual time between its readings, in milliseconds; null where that can't be told yet. */
  get usualInterval(): number | null {
    this.#usualInterval ??= usualInterval(this.#latest);
    return this.#usualInterval;
  }

  /**
   * Takes a reading in the order of arrival; `steady` is the time of a clock that nobody sets. `isReset`: earlier times
   * can't be compared with it, as a clock was set.
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
    // Placed by other means than the ones before it, and far from where those would have placed it.
    const isMoved = wasUnset !== this.isClockUnset && Math.abs(placeOf(arrival, wasUnset) - measuredAt) > ON_TIME_MS;
    const isReset = isSetBack || isMoved;
    if (isReset) this.newestAt = Number.NEGATIVE_INFINITY;
    const lag = receivedAt - measuredAt;
    const isLate = lag > ON_TIME_MS && (before === undefined || !isLive(arrival, before));
    const lateMs = Math.max(0, this.newestAt - measuredAt, isLate ? lag : 0);
    this.newestAt = Math.max(this.newestAt, measuredAt);
    return { measuredAt, lateMs, isReset };
  }

  /** Takes in that times of arrival between two were moved: what is derived from them is made again. */
  move({ by, from, to }: NodeEventMap['clockMoved']): void {
    const moved = (at: number) => (at >= from && at <= to ? at + by : at);
    if (this.lastReceivedAt !== null) this.lastReceivedAt = moved(this.lastReceivedAt);
    for (const field of this.fields.values()) field.receivedAt = moved(field.receivedAt);
    // Placed by arrival, it can't be compared with those to come.
    if (moved(this.newestAt) !== this.newestAt) this.newestAt = Number.NEGATIVE_INFINITY;
    const latest = this.#latest.splice(0);
    this.#wrong.length = 0;
    this.#wrongs = 0;
    for (const { seq, timestamp, receivedAt } of latest) {
      this.#note(seq, { timestamp, receivedAt: moved(receivedAt) }, this.#latest.at(-1));
    }
  }

  /** Takes in when a value came in an earlier run. */
  restoreField(field: FieldName, receivedAt: number, heardAt: number): void {
    if (!this.fields.has(field)) this.fields.set(field, { receivedAt, heardAt });
  }

  #note(seq: string, { timestamp, receivedAt }: Timed, before: Latest | undefined): void {
    // Older ones that come late say nothing of how it is now.
    if (before !== undefined && !isAfter(seq, before.seq)) return;
    const latest = { seq, timestamp, receivedAt };
    // Nearly always: only what is far off is looked at closely.
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

/** When a reading was measured: never after it arrived. */
function placeOf({ timestamp, receivedAt }: Timed, isClockUnset: boolean): number {
  return isClockUnset || timestamp < UPTIME_BELOW ? receivedAt : Math.min(timestamp, receivedAt);
}

/** Whether an unsigned number in decimal is above another. */
function isAfter(a: string, b: string): boolean {
  return a.length === b.length ? a > b : a.length > b.length;
}
