import { rangeAt } from '../../../shared/alerts/device-range.ts';
import type { BuiltInRule } from '../../../shared/alerts/rule.ts';
import {
  LOOK_BACK,
  leavesIn,
  type Point,
  rateOf,
  STALE,
  type TimeLeft,
  timeLeft,
} from '../../../shared/forecast/rate.ts';
import { convert, REFERENCE_UNITS } from '../../../shared/measures/units.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import type { Clock } from '../../common/clock.ts';
import { correctedSums } from '../../store/corrected-sums.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { KnownDevice, StoresView } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';
import type { Firings } from '../firings.ts';
import type { RuleBook } from '../rule-book.ts';
import type { KnownDevices } from './known-devices.ts';

/** Forecasts change by the hour. */
const EVERY_MS = 15 * 60_000;
/**
 * An alert ends only beyond the threshold times this, so that a forecast that varies around the threshold does not end
 * it.
 */
const MARGIN = 1.25;
const KINDS = ['emptySoon', 'leavesSoon'] as const;
const ACTIVE = 0;

export interface ForecastConditionsDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly devices: KnownDevices;
  readonly clock: Clock;
  /** Returns whether a device's clock is not set, so that the times of its readings are unknown. */
  readonly isClockUnset: (device: string) => boolean;
}

/** The days until it happens; null if it does not happen, or not within reach; `unknown` if there are too few data. */
type Ahead = TimeLeft | null | 'unknown';

/** The built-in rules about forecasts: a tank that is empty soon, and a value that leaves its range soon. */
export class ForecastConditions {
  readonly #dependencies: ForecastConditionsDependencies;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: ForecastConditionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether `look` must be called. */
  get isDue(): boolean {
    return this.#dependencies.clock.steady() - this.#lookedAt >= EVERY_MS;
  }

  /** Evaluates every device. Returns whether anything fired or ended. */
  async look(stores: StoresView): Promise<boolean> {
    const { devices, clock, rules } = this.#dependencies;
    this.#lookedAt = clock.steady();
    let isNews = false;
    const on = KINDS.filter((kind) => rules.find(kind)?.isOn);
    for (const kind of KINDS) if (!on.includes(kind)) isNews = this.#endAll(kind) || isNews;
    for (const device of devices.all) {
      if (on.length > 0 && isMine(device) && device.notes.status === ACTIVE) {
        isNews = (await this.#lookAt(device, stores)) || isNews;
      }
    }
    return isNews;
  }

  async #lookAt(device: KnownDevice, stores: StoresView): Promise<boolean> {
    const { clock, isClockUnset } = this.#dependencies;
    const wanted = FIELD_NAMES.filter((field) => emptyAt(device, field) !== null || this.#ranges(device, field).length);
    if (wanted.length === 0 || isClockUnset(device.id)) return false;
    const now = clock.now();
    const span = { axis: 'timestamp', from: BigInt(Math.max(0, now - LOOK_BACK)), to: BigInt(now) } as const;
    // The stores have sums of whole hours.
    const steps = await correctedSums(stores, device.id, span, HOUR_MS, device.corrections);
    let isNews = false;
    for (const field of wanted) {
      const points = steps.flatMap(({ time, fields }) => {
        const { mean } = fields[field];
        return mean === null ? [] : [{ at: time, value: mean }];
      });
      for (const kind of KINDS) {
        const ahead = this.#ahead(kind, device, field, points, now);
        if (ahead !== 'unknown') isNews = this.#set(kind, device, field, ahead) || isNews;
      }
    }
    return isNews;
  }

  #ahead(kind: (typeof KINDS)[number], device: KnownDevice, field: FieldName, points: Point[], now: number): Ahead {
    const last = points.at(-1);
    // A silent device has its own alert.
    if (last === undefined || now - last.at > STALE) return 'unknown';
    const tank = emptyAt(device, field);
    const rate = rateOf(points, now);
    if (kind === 'emptySoon') {
      if (tank === null) return null;
      if (tank.isFalling ? last.value <= tank.empty : last.value >= tank.empty) return { from: 0, to: 0 };
      return rate === null ? null : timeLeft(last.value, tank.empty, rate);
    }
    if (rate === null) return null;
    const left = this.#ranges(device, field).flatMap((range) => leavesIn(last.value, range, rate) ?? []);
    return left.toSorted((a, b) => a.from - b.from)[0] ?? null;
  }

  #set(kind: (typeof KINDS)[number], device: KnownDevice, field: FieldName, ahead: TimeLeft | null): boolean {
    const { rules, firings, clock } = this.#dependencies;
    const rule = rules.find(kind) as BuiltInRule;
    const about = { rule, device: device.id, field, store: null };
    const live = firings.find(about);
    const limit = rule.threshold!;
    const isSoon = rule.isOn && ahead !== null && ahead.from < limit * (live === null ? 1 : MARGIN);
    if (!isSoon) return firings.set(about, null, clock.now());
    if (live !== null) firings.update(about, { value: ahead.from });
    return firings.set(about, { since: clock.now(), side: null, value: ahead.from, limit }, clock.now());
  }

  #ranges(device: KnownDevice, field: FieldName) {
    const { rules, devices } = this.#dependencies;
    return rules.ranges
      .filter((rule) => rule.isOn && rule.field === field && devices.isIn(rule.scope, device))
      .map((rule) => rangeAt(rule, device.notes.units));
  }

  #endAll(kind: (typeof KINDS)[number]): boolean {
    const { firings, clock } = this.#dependencies;
    return firings.endAll((alert) => alert.rule === kind, clock.now(), 'rule_off');
  }
}

/**
 * Returns the value that the device sends if its tank is empty, and whether values fall towards it; null if the field
 * has no tank.
 */
function emptyAt(
  { notes }: KnownDevice,
  field: FieldName,
): { readonly empty: number; readonly isFalling: boolean } | null {
  const choice = notes.units[field];
  if (choice === undefined || 'label' in choice || choice.tank === undefined) return null;
  const { empty, full } = choice.tank;
  return { empty: convert(empty, 'millimetre', choice.sent ?? REFERENCE_UNITS[field]), isFalling: empty < full };
}
