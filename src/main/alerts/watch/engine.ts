import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { correctedValue } from '../../../shared/measures/correction.ts';
import {
  type AnyField,
  DERIVED_NAMES,
  type DerivedBy,
  type DerivedName,
  derivedValue,
  sourcesOf,
} from '../../../shared/measures/derived.ts';
import type { RuleState } from '../../../shared/owner-api/alerts.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEventMap, StoredReading } from '../../common/node-events.ts';
import type { KnownDevice } from '../../store/port.ts';
import type { Firings } from '../firings.ts';
import type { RuleBook } from '../rule-book.ts';
import { DeviceConditions } from './device-conditions.ts';
import { DeviceWatch } from './device-watch.ts';
import type { KnownDevices } from './known-devices.ts';
import { DeviceRanges, type PlacedValues } from './ranges.ts';

/** Clocks drift apart by less than this between two looks. */
const SLACK_MS = 2000;

/** Notices when the clock was set. */
class ClockGuard {
  readonly #clock: Clock;
  #offset: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now() - clock.steady();
  }

  /** Whether it was set since the last call. */
  wasSet(): boolean {
    const offset = this.#clock.now() - this.#clock.steady();
    const isSet = Math.abs(offset - this.#offset) > SLACK_MS;
    // It also drifts: what is slow is no jump.
    this.#offset = offset;
    return isSet;
  }
}

/** The corrections and units that turn the values of a device's readings into those that the owner sees. */
export interface Seen extends Pick<KnownDevice, 'corrections'>, DerivedBy {}

/** The plain values of a reading as the owner sees them, and the derived ones that are asked for: rules are about those. */
export function seenValues(
  { values }: Pick<StoredReading, 'values'>,
  measuredAt: number,
  seen: Seen,
  derived: readonly DerivedName[],
): PlacedValues['values'] {
  const { corrections } = seen;
  const each = Object.entries(values) as [FieldName, number][];
  const corrected: StoredReading['values'] =
    corrections.length === 0
      ? values
      : Object.fromEntries(
          each.map(([field, value]) => [field, correctedValue(corrections, field, measuredAt, value)]),
        );
  if (derived.length === 0) return corrected;
  const all: Partial<Record<AnyField, number>> = { ...corrected };
  for (const name of derived) {
    const value = derivedValue(name, (field) => corrected[field], seen);
    if (value !== null) all[name] = value;
  }
  return all;
}

interface Watched {
  device: KnownDevice;
  readonly watch: DeviceWatch;
  readonly ranges: DeviceRanges;
}

/** The state of a device that is kept from one start to the next. */
export interface KeptDevice {
  readonly id: string;
  /** When the newest reading that was evaluated was measured; null where that can't be compared with others. */
  readonly newestAt: number | null;
  readonly lastReceivedAt: number | null;
  /** When a value of each field arrived last. */
  readonly fields: Readonly<Record<string, number>>;
}

export interface EngineDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly devices: KnownDevices;
  readonly clock: Clock;
  /** By how many °C leaves are warmer than the air at a device; null if the owner did not say. */
  readonly leafOffsetOf: (id: string) => number | null;
  /** Whether the private store was there at an earlier start and is missing. */
  readonly isStoreMissing: () => boolean;
}

/** Evaluates the rules about devices, reading by reading and now and then. Each method returns whether there is news. */
export class Engine {
  readonly #dependencies: EngineDependencies;
  readonly #watched = new Map<string, Watched>();
  readonly #conditions: DeviceConditions;
  readonly #guard: ClockGuard;

  constructor(dependencies: EngineDependencies) {
    this.#dependencies = dependencies;
    this.#conditions = new DeviceConditions(dependencies);
    this.#guard = new ClockGuard(dependencies.clock);
  }

  /** For the state file. */
  get kept(): KeptDevice[] {
    return [...this.#watched].map(([id, { watch }]) => ({
      id,
      newestAt: Number.isFinite(watch.newestAt) ? watch.newestAt : null,
      lastReceivedAt: watch.lastReceivedAt,
      fields: Object.fromEntries([...watch.fields].map(([field, { receivedAt }]) => [field, receivedAt])),
    }));
  }

  /** The memory of a device; null if it is not watched. */
  watchOf(id: string): DeviceWatch | null {
    return this.#watched.get(id)?.watch ?? null;
  }

  /** The longest time that a rule waits for a device, in milliseconds. */
  longestWait(id: string): number {
    const device = this.#dependencies.devices.find(id);
    const rules = device === null ? [] : this.#rulesFor(device);
    return Math.max(0, ...rules.map(({ forMinutes }) => forMinutes * 60_000));
  }

  /** Begins to remember of the devices that there are. */
  admit(): void {
    const { devices, firings } = this.#dependencies;
    for (const device of devices.all) {
      const known = this.#watched.get(device.id);
      if (known !== undefined) known.device = device;
      else {
        const ranges = new DeviceRanges(device.id, firings);
        this.#watched.set(device.id, { device, watch: new DeviceWatch(), ranges });
      }
    }
  }

  /**
   * Follows the rules, devices and groups as they are now; what is no longer watched ends. With `looksBack` new rules
   * wait until `lookBack` has shown them the earlier readings of each device in `waiting`.
   */
  follow({ looksBack = false } = {}): boolean {
    const { devices, firings, rules, clock, isStoreMissing } = this.#dependencies;
    const now = clock.now();
    const before = firings.all.length;
    this.admit();
    for (const id of [...this.#watched.keys()].filter((each) => devices.find(each) === null)) {
      this.#watched.delete(id);
      this.#conditions.forget(id);
    }
    let isNews = false;
    for (const { device, watch, ranges } of this.#watched.values()) {
      ranges.watch(this.#rulesFor(device), watch.newestAt, now, looksBack);
      isNews = this.#conditions.look(device, watch) || isNews;
    }
    const isMissing = isStoreMissing();
    // A device that is gone with a missing store was not forgotten: a restored backup brings it back.
    const isGone = (id: string | null) =>
      id !== null && devices.find(id) === null && !(isMissing && devices.lastKnown(id) === null);
    const isHidden = (id: string | null) => id !== null && devices.lastKnown(id)?.notes.isHidden === true;
    firings.endAll(({ device }) => isGone(device) && isHidden(device), now, 'hidden');
    firings.endAll(({ device, kind }) => isGone(device) && kind !== 'knocking', now, 'forgotten');
    firings.endAll(({ rule }) => rules.find(rule) === null, now, 'rule_off');
    return isNews || firings.all.length !== before;
  }

  /** The devices with new rules that have not seen the earlier readings, and those rules. */
  get waiting(): { readonly device: KnownDevice; readonly seen: Seen; readonly rules: readonly RangeRule[] }[] {
    return [...this.#watched.values()].flatMap(({ device, ranges }) => {
      const rules = ranges.waiting;
      return rules.length === 0 ? [] : [{ device, seen: this.#seen(device), rules }];
    });
  }

  /** Shows a device's new rules its earlier readings, in the order in which they arrived. */
  lookBack(id: string, readings: readonly StoredReading[]): boolean {
    const watched = this.#watched.get(id);
    if (watched === undefined) return false;
    const watch = new DeviceWatch();
    let past: PlacedValues[] = [];
    for (const reading of readings) {
      const { isReset, ...placed } = watch.take(reading, 0);
      // What came before can't be compared with it.
      if (isReset) past = [];
      past.push({
        ...placed,
        values: seenValues(reading, placed.measuredAt, this.#seen(watched.device), DERIVED_NAMES),
      });
    }
    return watched.ranges.lookBack(past, this.#dependencies.clock.now());
  }

  /**
   * Evaluates readings in the order in which they arrived. `onUnknown` gets those of devices that are not watched;
   * `heardAt` says when one arrived by the steady clock, if not now.
   */
  take(
    readings: readonly StoredReading[],
    onUnknown: (reading: StoredReading) => void = () => {},
    heardAt?: (reading: StoredReading) => number,
  ): boolean {
    let isNews = this.#lookAtClock();
    const { clock } = this.#dependencies;
    const steady = clock.steady();
    const heard = new Set<Watched>();
    for (const reading of readings) {
      const watched = this.#watched.get(reading.deviceId);
      if (watched === undefined) {
        onUnknown(reading);
        continue;
      }
      const placed = watched.watch.take(reading, heardAt?.(reading) ?? steady);
      if (placed.isReset) watched.ranges.restart(reading.receivedAt);
      const values = seenValues(reading, placed.measuredAt, this.#seen(watched.device), watched.ranges.derived);
      isNews = watched.ranges.take(values, placed, reading.receivedAt) || isNews;
      heard.add(watched);
    }
    // Where nothing is live, hearing of a device can change nothing.
    for (const { device, watch } of heard) {
      if (this.#dependencies.firings.isAbout(device.id)) isNews = this.#conditions.look(device, watch) || isNews;
    }
    return isNews;
  }

  /** Takes in that times of arrival were moved. */
  move(moved: NodeEventMap['clockMoved']): void {
    for (const { watch } of this.#watched.values()) watch.move(moved);
  }

  /** Call this every few seconds. */
  look(): boolean {
    let isNews = this.#lookAtClock();
    for (const { device, watch } of this.#watched.values()) isNews = this.#conditions.look(device, watch) || isNews;
    return isNews;
  }

  /** Brings the values of live alerts up to date. */
  settle(): void {
    for (const { ranges } of this.#watched.values()) ranges.settle();
  }

  /** The rules with how many devices they are for, and where they can't be evaluated. */
  ruleStates(): RuleState[] {
    const all = [...this.#watched.values()];
    return this.#dependencies.rules.all.map((rule) => {
      if (rule.kind !== 'range') return { rule, devices: all.length, sealedOn: [] };
      const concerned = all.filter(({ device }) => this.#dependencies.devices.isIn(rule.scope, device));
      const sealedOn = concerned
        .filter(({ watch }) => sourcesOf(rule.field).some((field) => watch.sealed.has(field)))
        .map(({ device }) => device.id);
      return { rule, devices: concerned.length, sealedOn };
    });
  }

  #seen({ id, corrections, notes: { units } }: KnownDevice): Seen {
    return { corrections, units, leafOffset: this.#dependencies.leafOffsetOf(id) };
  }

  #rulesFor(device: KnownDevice): RangeRule[] {
    const { rules, devices } = this.#dependencies;
    return rules.ranges
      .filter(({ scope, isOn }) => isOn && devices.isIn(scope, device))
      .map((rule) => rangeAt(rule, device.notes.units));
  }

  /** Where the clock was set, times of devices that are placed by arrival can't be compared with earlier ones. */
  #lookAtClock(): boolean {
    if (!this.#guard.wasSet()) return false;
    for (const { watch, ranges } of this.#watched.values()) {
      if (!watch.isClockUnset) continue;
      watch.newestAt = Number.NEGATIVE_INFINITY;
      ranges.restart(this.#dependencies.clock.now());
    }
    return false;
  }
}
