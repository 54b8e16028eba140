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
import type { KnownDevice } from '../../store/stores-view.ts';
import type { Firings } from '../firings.ts';
import type { RuleBook } from '../rule-book.ts';
import { DeviceConditions } from './device-conditions.ts';
import { DeviceWatch } from './device-watch.ts';
import type { KnownDevices } from './known-devices.ts';
import { DeviceRanges, type PlacedValues } from './ranges.ts';

/** The most that the two clocks drift apart between two checks. */
const SLACK_MS = 2000;

/** Notices when the system clock was set. */
class ClockGuard {
  readonly #clock: Clock;
  #offset: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#offset = clock.now() - clock.steady();
  }

  /** Returns whether the clock was set since the last call. */
  wasSet(): boolean {
    const offset = this.#clock.now() - this.#clock.steady();
    const isSet = Math.abs(offset - this.#offset) > SLACK_MS;
    // The clocks also drift slowly, which does not count.
    this.#offset = offset;
    return isSet;
  }
}

/** The corrections and units that turn a device's values into those that the owner sees. */
export interface Seen extends Pick<KnownDevice, 'corrections'>, DerivedBy {}

/**
 * Returns the plain values of a reading as the owner sees them, and the requested derived values. Rules are about these
 * values.
 */
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

/** The state of a device that is saved between two runs. */
export interface KeptDevice {
  readonly id: string;
  /** The time of measurement of the newest evaluated reading; null if it can't be compared with others. */
  readonly newestAt: number | null;
  readonly lastReceivedAt: number | null;
  /** The latest arrival of a value of each field. */
  readonly fields: Readonly<Record<string, number>>;
}

export interface EngineDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly devices: KnownDevices;
  readonly clock: Clock;
  /** Returns by how many °C leaves are warmer than the air at a device; null if the owner did not say. */
  readonly leafOffsetOf: (id: string) => number | null;
  /** Whether the private store existed at an earlier start and is missing. */
  readonly isStoreMissing: () => boolean;
}

/**
 * Evaluates the rules about devices, for each reading and regularly. Methods that return a boolean return whether there
 * is news.
 */
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

  /** The state of the devices for the state file. */
  get kept(): KeptDevice[] {
    return [...this.#watched].map(([id, { watch }]) => ({
      id,
      newestAt: Number.isFinite(watch.newestAt) ? watch.newestAt : null,
      lastReceivedAt: watch.lastReceivedAt,
      fields: Object.fromEntries([...watch.fields].map(([field, { receivedAt }]) => [field, receivedAt])),
    }));
  }

  /** Returns the memory of a device; null if the device is not watched. */
  watchOf(id: string): DeviceWatch | null {
    return this.#watched.get(id)?.watch ?? null;
  }

  /** Returns the longest time that a rule of a device waits before it fires, in milliseconds. */
  longestWait(id: string): number {
    const device = this.#dependencies.devices.find(id);
    const rules = device === null ? [] : this.#rulesFor(device);
    return Math.max(0, ...rules.map(({ forMinutes }) => forMinutes * 60_000));
  }

  /** Starts to watch the known devices. */
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
   * Applies the present rules, devices and groups, and ends the alerts of what is no longer watched. With `looksBack`,
   * new rules wait until `lookBack` has evaluated the earlier readings of each device in `waiting`.
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
    // A device that disappeared with a missing store was not forgotten: a restored backup brings it back.
    const isGone = (id: string | null) =>
      id !== null && devices.find(id) === null && !(isMissing && devices.lastKnown(id) === null);
    const isHidden = (id: string | null) => id !== null && devices.lastKnown(id)?.notes.isHidden === true;
    firings.endAll(({ device }) => isGone(device) && isHidden(device), now, 'hidden');
    firings.endAll(({ device, kind }) => isGone(device) && kind !== 'knocking', now, 'forgotten');
    firings.endAll(({ rule }) => rules.find(rule) === null, now, 'rule_off');
    return isNews || firings.all.length !== before;
  }

  /** The devices with new rules that wait for `lookBack`, and those rules. */
  get waiting(): { readonly device: KnownDevice; readonly seen: Seen; readonly rules: readonly RangeRule[] }[] {
    return [...this.#watched.values()].flatMap(({ device, ranges }) => {
      const rules = ranges.waiting;
      return rules.length === 0 ? [] : [{ device, seen: this.#seen(device), rules }];
    });
  }

  /** Evaluates a device's earlier readings with its new rules, in the order of arrival. */
  lookBack(id: string, readings: readonly StoredReading[]): boolean {
    const watched = this.#watched.get(id);
    if (watched === undefined) return false;
    const watch = new DeviceWatch();
    let past: PlacedValues[] = [];
    for (const reading of readings) {
      const { isReset, ...placed } = watch.take(reading, 0);
      // Earlier readings can't be compared with this one.
      if (isReset) past = [];
      past.push({
        ...placed,
        values: seenValues(reading, placed.measuredAt, this.#seen(watched.device), DERIVED_NAMES),
      });
    }
    return watched.ranges.lookBack(past, this.#dependencies.clock.now());
  }

  /**
   * Evaluates readings in the order of arrival. `onUnknown` is called with those of devices that are not watched.
   * `heardAt` returns when a reading arrived by the steady clock; the default is now.
   */
  take(
    readings: readonly StoredReading[],
    onUnknown: (reading: StoredReading) => void = () => {},
    heardAt?: (reading: StoredReading) => number,
  ): boolean {
    this.#lookAtClock();
    let isNews = false;
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
    // Without a live alert, a reading can't change the built-in conditions.
    for (const { device, watch } of heard) {
      if (this.#dependencies.firings.isAbout(device.id)) isNews = this.#conditions.look(device, watch) || isNews;
    }
    return isNews;
  }

  /** Moves the times of arrival within a corrected span of the clock. */
  move(moved: NodeEventMap['clockMoved']): void {
    for (const { watch } of this.#watched.values()) watch.move(moved);
  }

  /** Evaluates the conditions of all devices. Call this every few seconds. */
  look(): boolean {
    this.#lookAtClock();
    let isNews = false;
    for (const { device, watch } of this.#watched.values()) isNews = this.#conditions.look(device, watch) || isNews;
    return isNews;
  }

  /** Updates the values of live alerts. */
  settle(): void {
    for (const { ranges } of this.#watched.values()) ranges.settle();
  }

  /** Returns the rules with the number of their devices and the devices whose values are sealed. */
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

  /**
   * If the clock was set, times of arrival can't be compared with earlier ones. They are used for devices whose own
   * clock is not set.
   */
  #lookAtClock(): void {
    if (!this.#guard.wasSet()) return;
    for (const { watch, ranges } of this.#watched.values()) {
      if (!watch.isClockUnset) continue;
      watch.newestAt = Number.NEGATIVE_INFINITY;
      ranges.restart(this.#dependencies.clock.now());
    }
  }
}
