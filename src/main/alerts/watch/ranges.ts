import { randomUUID } from 'node:crypto';
import type { Alert } from '../../../shared/alerts/alert.ts';
import {
  type Bounds,
  type Change,
  RangeMachine,
  type RangeReading,
  type RangeState,
} from '../../../shared/alerts/range-machine.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { type AnyField, type DerivedName, isDerived } from '../../../shared/measures/derived.ts';
import type { About, Firings } from '../firings.ts';
import type { Placed } from './device-watch.ts';

interface Watched {
  readonly rule: RangeRule;
  machine: RangeMachine;
  /** The readings that wait until `lookBack` has shown the new rule the earlier ones; null if it has. */
  waiting: RangeReading[] | null;
}

/** A reading's plain and derived values, and its position in time. */
export interface PlacedValues extends Placed {
  readonly values: Readonly<Partial<Record<AnyField, number>>>;
}

/** The rules for one field. */
interface FieldRanges {
  readonly field: AnyField;
  readonly watched: readonly Watched[];
  /** The intersection of all their ranges. */
  readonly low: number;
  readonly high: number;
  /** Whether the machines and the newest reading are all inside. */
  isQuiet: boolean;
  /**
   * The time of measurement of the newest reading that was inside and that the machines have not processed; null if
   * they have processed all.
   */
  passedAt: number | null;
}

/** The reading that caused a change, and its time of arrival. */
interface Cause {
  readonly value: number;
  readonly measuredAt: number;
  readonly at: number;
}

/** The range rules of one device: a machine for each rule, grouped by field. */
export class DeviceRanges {
  readonly #device: string;
  readonly #firings: Firings;
  #watched: readonly Watched[] = [];
  #byField: FieldRanges[] = [];
  #derived: readonly DerivedName[] = [];

  constructor(device: string, firings: Firings) {
    this.#device = device;
    this.#firings = firings;
  }

  /**
   * Replaces the watched rules. Unchanged ones continue; the alerts of removed ones end. With `looksBack`, a new rule
   * waits for `lookBack`.
   */
  watch(rules: readonly RangeRule[], newestAt: number, now: number, looksBack: boolean): void {
    const before = new Map(this.#watched.map((each) => [each.rule.id, each]));
    this.#watched = rules.map((rule) => {
      const same = before.get(rule.id);
      if (same !== undefined && isSame(same.rule, rule)) {
        return { rule, machine: same.machine, waiting: same.waiting };
      }
      const alert = this.#firings.find(this.#about(rule));
      const machine = new RangeMachine(rule, alert === null ? null : stateOf(alert), newestAt);
      return { rule, machine, waiting: looksBack && alert === null ? [] : null };
    });
    const ids = new Set(rules.map(({ id }) => id));
    this.#firings.endAll(
      ({ kind, device, rule }) => kind === 'range' && device === this.#device && !ids.has(rule),
      now,
      'rule_changed',
    );
    for (const each of this.#byField) catchUp(each);
    this.#byField = [...Map.groupBy(this.#watched, ({ rule }) => rule.field)].map(([field, watched]) => ({
      field,
      watched,
      low: Math.max(...watched.map(({ rule }) => rule.low ?? Number.NEGATIVE_INFINITY)),
      high: Math.min(...watched.map(({ rule }) => rule.high ?? Number.POSITIVE_INFINITY)),
      isQuiet: false,
      passedAt: null,
    }));
    this.#derived = this.#byField.map(({ field }) => field).filter(isDerived);
  }

  /** The derived fields that rules are about. */
  get derived(): readonly DerivedName[] {
    return this.#derived;
  }

  /** The rules that wait for `lookBack`. */
  get waiting(): RangeRule[] {
    return this.#watched.flatMap(({ rule, waiting }) => (waiting === null ? [] : [rule]));
  }

  /**
   * Evaluates the earlier readings with new rules, in the order of arrival, so that the rules get the state that they
   * would have had from the start. Alerts that would have fired and ended are left out. Returns whether one fires.
   */
  lookBack(past: readonly PlacedValues[], now: number): boolean {
    let isNews = false;
    for (const each of this.#watched) {
      const { rule, waiting } = each;
      if (waiting === null) continue;
      const machine = new RangeMachine(rule);
      for (const { values, measuredAt, lateMs } of past) {
        const value = values[rule.field];
        if (value !== undefined) machine.take({ measuredAt, value, lateMs });
      }
      for (const reading of waiting) machine.take(reading);
      each.machine = machine;
      each.waiting = null;
      if (machine.isInside) continue;
      const { phase, side, since, value, extreme } = machine.state;
      const about = this.#about(rule);
      this.#firings.begin(about, { since, side, value, limit: side === 'low' ? rule.low : rule.high }, randomUUID());
      this.#firings.update(about, { extreme });
      if (phase !== 'firing') continue;
      this.#firings.fire(about, now);
      isNews = true;
    }
    return isNews;
  }

  /** Evaluates a reading. Returns whether anything fired or ended. */
  take(values: Readonly<Partial<Record<AnyField, number>>>, { measuredAt, lateMs }: Placed, at: number): boolean {
    let isNews = false;
    for (const ranges of this.#byField) {
      const value = values[ranges.field];
      if (value === undefined) continue;
      // The usual case: the value is inside all ranges, and so were those before it.
      if (ranges.isQuiet && lateMs === 0 && value >= ranges.low && value <= ranges.high) {
        ranges.passedAt = measuredAt;
        continue;
      }
      catchUp(ranges);
      const reading = { measuredAt, value, lateMs };
      for (const each of ranges.watched) {
        if (each.waiting !== null) {
          each.waiting.push(reading);
          continue;
        }
        const changes = each.machine.take(reading);
        if (changes.length > 0) isNews = this.#tell(each, changes, { value, measuredAt, at }) || isNews;
      }
      const isQuiet = ({ machine, waiting }: Watched) => machine.isInside && waiting === null;
      ranges.isQuiet = lateMs === 0 && ranges.watched.every(isQuiet);
    }
    return isNews;
  }

  /** Handles a clock that was set; see RangeMachine.restart. */
  restart(at: number): void {
    for (const ranges of this.#byField) {
      ranges.passedAt = null;
      ranges.isQuiet = false;
    }
    for (const each of this.#watched) {
      if (each.waiting !== null) each.waiting = [];
      const changes = each.machine.restart();
      if (changes.length > 0) this.#tell(each, changes, { value: 0, measuredAt: at, at });
    }
  }

  /** Updates the values of live alerts. */
  settle(): void {
    for (const { rule, machine } of this.#watched) {
      const { phase, since, value, extreme } = machine.state;
      if (phase !== 'inside') this.#firings.update(this.#about(rule), { since, value, extreme });
    }
  }

  #tell({ rule, machine }: Watched, changes: readonly Change[], { value: newest, measuredAt, at }: Cause): boolean {
    const about = this.#about(rule);
    let isNews = false;
    for (const change of changes) {
      const { since, side, value, extreme } = machine.state;
      if (change === 'began') {
        this.#firings.begin(about, { since, side, value, limit: side === 'low' ? rule.low : rule.high });
      } else if (change === 'fired') {
        this.#firings.update(about, { since, value, extreme });
        this.#firings.fire(about, at);
        isNews = true;
      } else {
        isNews ||= change === 'ended';
        this.#firings.update(about, { value: newest, extreme: machine.endedExtreme });
        this.#firings.end(about, Math.max(measuredAt, this.#firings.find(about)?.since ?? 0), 'back');
      }
    }
    return isNews;
  }

  #about(rule: RangeRule): About {
    return { rule, device: this.#device, field: rule.field, store: null };
  }
}

function catchUp(ranges: FieldRanges): void {
  if (ranges.passedAt === null) return;
  for (const { machine } of ranges.watched) machine.passInside(ranges.passedAt);
  ranges.passedAt = null;
}

function stateOf({ state, side, since, value, extreme }: Alert): RangeState {
  const phase = state === 'pending' ? 'pending' : 'firing';
  return { phase, side, since, value: value ?? 0, extreme: extreme ?? value ?? 0 };
}

function isSame(a: RangeRule, b: RangeRule): boolean {
  const bounds = ['low', 'high', 'margin', 'forMinutes'] as const satisfies (keyof Bounds)[];
  return a.field === b.field && bounds.every((name) => a[name] === b[name]);
}
