import { type Correction, correctedValue } from '../../../shared/measures/correction.ts';
import {
  DERIVED_NAMES,
  type DerivedBy,
  type DerivedName,
  derivedValue,
  mayBeDerived,
  sourcesOf,
} from '../../../shared/measures/derived.ts';
import type { GeneralUnits } from '../../../shared/measures/field-scale.ts';
import type { DeviceNotes } from '../../../shared/owner-data/notes.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { automaticThreshold } from '../../../shared/silence.ts';
import { isClockUnset, UPTIME_BELOW_MS, usualInterval } from '../../common/device-clock.ts';
import type { NodeEventMap, StoredReading } from '../../common/node-events.ts';

/** The number of readings that suffice to determine a device's interval and clock. */
export const LATEST = 50;
const UPTIME_BELOW = Number(UPTIME_BELOW_MS);

/** The newest value of a field in the unit that the device sends, corrected by the owner's calibrations. */
export interface PlainValue {
  readonly value: number;
  /** Unix milliseconds. */
  readonly measuredAt: number;
}

/** The facts about a device, except its readings. */
export interface DeviceFacts {
  readonly id: string;
  /** The displayed name: cleaned, and distinct from other devices of the same name. */
  readonly name: string;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly notes: DeviceNotes;
  readonly corrections: readonly Correction[];
  /** By how many °C leaves are warmer than the air; null if the owner did not say. */
  readonly leafOffset: number | null;
}

/** The position of the newest reading. */
export interface NewestReading {
  /** Unsigned 64 bits, in decimal. */
  readonly seq: string;
  /** Unix milliseconds; the time of arrival if the device's clock is not set. */
  readonly measuredAt: number;
  /** Unix milliseconds. */
  readonly receivedAt: number;
}

interface Arrived {
  readonly seq: string;
  readonly timestamp: number;
  readonly receivedAt: number;
}

/**
 * A device as other programs see it. It is built from readings that have only the names of sealed fields, so it can't
 * reveal sealed values. A field is either in `values` or in `sealed`, by its latest form.
 */
export class BridgedDevice {
  facts: DeviceFacts;
  /** The owner's units for all devices. */
  general: GeneralUnits;
  /** null if the device has not reported it. */
  batteryPercent: number | null = null;
  readonly values = new Map<FieldName, PlainValue>();
  readonly sealed = new Set<FieldName>();
  #newest: NewestReading | null = null;
  #lastReceivedAt: number | null = null;
  /** In order of arrival, latest last. */
  #arrived: Arrived[] = [];

  constructor(facts: DeviceFacts, general: GeneralUnits) {
    this.facts = facts;
    this.general = general;
  }

  get id(): string {
    return this.facts.id;
  }

  get newest(): NewestReading | null {
    return this.#newest;
  }

  /** The time of its latest arrival in Unix milliseconds; null if nothing has arrived. */
  get lastReceivedAt(): number | null {
    return this.#lastReceivedAt;
  }

  /**
   * Returns the time without a reading after which the device is silent, in milliseconds. `rule` is the owner's value
   * for all devices.
   */
  silentAfterMs(rule: number | null): number {
    return this.facts.notes.silentAfterMs ?? rule ?? automaticThreshold(usualInterval(this.#arrived));
  }

  /** The derived fields whose sources it sends, plain or sealed, in units that are known. */
  get derives(): readonly DerivedName[] {
    const isSent = (field: FieldName) => this.values.has(field) || this.sealed.has(field);
    return DERIVED_NAMES.filter((name) => mayBeDerived(name, this.#derivedBy) && sourcesOf(name).every(isSent));
  }

  /** A derived value in its own unit; null where a source is missing, sealed, of another reading, or not plausible. */
  derived(name: DerivedName): number | null {
    const times = new Set(sourcesOf(name).map((field) => this.values.get(field)?.measuredAt));
    return times.size > 1 ? null : derivedValue(name, (field) => this.values.get(field)?.value, this.#derivedBy);
  }

  get #derivedBy(): DerivedBy {
    return { units: this.facts.notes.units, leafOffset: this.facts.leafOffset };
  }

  /** Adds a reading; order and repetition do not matter. Returns whether it is the newest. */
  take(reading: StoredReading): boolean {
    const { seq, receivedAt } = reading;
    if (this.#arrived.some((each) => each.seq === seq)) return false;
    this.#arrived.push({ seq, timestamp: Number(reading.timestamp), receivedAt });
    if (this.#arrived.length > LATEST) this.#arrived.shift();
    this.#lastReceivedAt = Math.max(this.#lastReceivedAt ?? receivedAt, receivedAt);
    const placed = { seq, receivedAt, measuredAt: this.#placeOf(reading) };
    const isNewest = this.#newest === null || isAfter(placed, this.#newest);
    if (isNewest) this.#newest = placed;
    for (const field of FIELD_NAMES) {
      const value = reading.values[field];
      if (value !== undefined) this.#takeValue(field, value, placed.measuredAt, isNewest);
      else if (reading.sealed.includes(field) && (isNewest || !this.values.has(field))) {
        this.values.delete(field);
        this.sealed.add(field);
      }
    }
    return isNewest;
  }

  /** Applies a correction of arrival times. */
  move({ by, from, to }: NodeEventMap['clockMoved']): void {
    const moved = (at: number) => (at >= from && at <= to ? at + by : at);
    this.#arrived = this.#arrived.map((each) => ({ ...each, receivedAt: moved(each.receivedAt) }));
    if (this.#lastReceivedAt !== null) this.#lastReceivedAt = moved(this.#lastReceivedAt);
    if (this.#newest !== null) {
      const { seq, measuredAt, receivedAt } = this.#newest;
      this.#newest = { seq, measuredAt: moved(measuredAt), receivedAt: moved(receivedAt) };
    }
    for (const [field, { value, measuredAt }] of this.values) {
      this.values.set(field, { value, measuredAt: moved(measuredAt) });
    }
  }

  #takeValue(field: FieldName, value: number, measuredAt: number, isNewest: boolean): void {
    const known = this.values.get(field);
    // A field whose later value was sealed stays sealed.
    if (!isNewest && (this.sealed.has(field) || (known !== undefined && known.measuredAt >= measuredAt))) return;
    this.values.set(field, { value: correctedValue(this.facts.corrections, field, measuredAt, value), measuredAt });
    this.sealed.delete(field);
  }

  /** Returns the time of measurement, which is never after the arrival. */
  #placeOf({ timestamp, receivedAt }: StoredReading): number {
    const measured = Number(timestamp);
    const isUnset = measured < UPTIME_BELOW || isClockUnset(this.#arrived.toReversed());
    return isUnset ? receivedAt : Math.min(measured, receivedAt);
  }
}

function isAfter(a: NewestReading, b: NewestReading): boolean {
  if (a.measuredAt !== b.measuredAt) return a.measuredAt > b.measuredAt;
  return a.seq.length === b.seq.length ? a.seq > b.seq : a.seq.length > b.seq.length;
}
