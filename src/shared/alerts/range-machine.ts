import { shortestFloat32 } from '../float32.ts';
import { withoutNoise } from '../measures/units.ts';
import type { RangeRule } from './rule.ts';

/** The part of a rule that a machine needs. */
export type Bounds = Pick<RangeRule, 'low' | 'high' | 'margin' | 'forMinutes'>;

export type Side = 'low' | 'high';

/** A value as input of a machine. Times are Unix milliseconds. */
export interface RangeReading {
  /** The time of measurement, never after the time of arrival. */
  readonly measuredAt: number;
  readonly value: number;
  /**
   * How much older it is than the device's previous readings, or than its own arrival. A late reading fires nothing.
   */
  readonly lateMs: number;
}

/**
 * The change of a condition: values left the range (`began`), were outside long enough (`fired`), came back before that
 * (`dropped`) or after it (`ended`).
 */
export type Change = 'began' | 'fired' | 'dropped' | 'ended';

/** The state of a machine. It is stored unless the phase is `inside`. */
export interface RangeState {
  readonly phase: 'inside' | 'pending' | 'firing';
  /** The bound that was crossed; null if inside. */
  readonly side: Side | null;
  /** When the values left the range. */
  readonly since: number;
  /** The newest value and the one furthest outside. They have no meaning if inside. */
  readonly value: number;
  readonly extreme: number;
}

const NONE: readonly Change[] = [];
const NEVER = Number.NEGATIVE_INFINITY;
const MINUTE_MS = 60_000;

/**
 * The machine of one rule on one field of one device. It uses no clock. It fires when every value of the rule's time
 * was outside on the same side. It ends with the first value that is inside again by the margin.
 *
 * Readings may arrive out of order. A reading older than the newest one neither fires nor ends anything. While values
 * are outside and the rule's time is not over, it moves their beginning: to the older reading if that was outside too,
 * else to the newest reading.
 */
export class RangeMachine {
  readonly #bounds: Bounds;
  readonly #forMs: number;
  #phase: RangeState['phase'] = 'inside';
  #side: Side | null = null;
  #since = 0;
  #value = 0;
  #extreme = 0;
  #endedExtreme = 0;
  #newestAt = NEVER;
  /** The newest measurement that is known not to be outside on this side. */
  #clearAt = NEVER;

  /** Starts inside, or in the state of an earlier machine that had readings up to `newestAt`. */
  constructor(bounds: Bounds, kept: RangeState | null = null, newestAt = NEVER) {
    this.#bounds = bounds;
    this.#forMs = bounds.forMinutes * MINUTE_MS;
    this.#newestAt = newestAt;
    if (kept === null) {
      // The newest reading does not count either: a start passes it again, and the rule may be newer than it.
      this.#newestAt = newestAt + 1;
      this.#clearAt = newestAt;
      return;
    }
    // If earlier readings arrive again, they must not move the beginning.
    this.#clearAt = kept.since;
    ({ phase: this.#phase, side: this.#side, since: this.#since, value: this.#value, extreme: this.#extreme } = kept);
  }

  get isInside(): boolean {
    return this.#phase === 'inside';
  }

  get state(): RangeState {
    return { phase: this.#phase, side: this.#side, since: this.#since, value: this.#value, extreme: this.#extreme };
  }

  /** The value furthest outside in the condition that ended last. */
  get endedExtreme(): number {
    return this.#endedExtreme;
  }

  /** Accepts a reading of the field, in the order of arrival. Returns the changes in order. */
  take({ measuredAt, value, lateMs }: RangeReading): readonly Change[] {
    if (measuredAt < this.#newestAt) {
      if (lateMs <= this.#forMs) this.#takeOlder(measuredAt, value);
      return NONE;
    }
    const before = this.#newestAt;
    this.#newestAt = measuredAt;
    const side = this.#sideOf(value);
    if (this.#phase === 'inside') {
      if (side !== null) return this.#begin(side, measuredAt, value, lateMs);
      this.#clearAt = measuredAt;
      return NONE;
    }
    this.#value = value;
    if (side === this.#side) {
      this.#extreme = this.#further(value);
      return this.#phase === 'pending' ? this.#fireIfDue(measuredAt, lateMs) : NONE;
    }
    if (side === null && this.#phase === 'firing' && !this.#isBack(value)) return NONE;
    const change = this.#phase === 'firing' ? 'ended' : 'dropped';
    this.#endedExtreme = this.#extreme;
    this.#phase = 'inside';
    this.#side = null;
    this.#clearAt = side === null ? measuredAt : before;
    return side === null ? [change] : [change, ...this.#begin(side, measuredAt, value, lateMs)];
  }

  /** Passes all readings up to a time, if the machine and all of them are inside. */
  passInside(measuredAt: number): void {
    this.#newestAt = measuredAt;
    this.#clearAt = measuredAt;
  }

  /**
   * Forgets the times of earlier readings. Called if they can't be compared with later ones because a clock was set. A
   * firing alert continues; a pending one is dropped.
   */
  restart(): readonly Change[] {
    this.#newestAt = NEVER;
    this.#clearAt = NEVER;
    if (this.#phase !== 'pending') return NONE;
    this.#phase = 'inside';
    this.#side = null;
    return ['dropped'];
  }

  #begin(side: Side, measuredAt: number, value: number, lateMs: number): readonly Change[] {
    this.#phase = 'pending';
    this.#side = side;
    this.#since = measuredAt;
    this.#value = value;
    this.#extreme = value;
    return ['began', ...this.#fireIfDue(measuredAt, lateMs)];
  }

  #fireIfDue(measuredAt: number, lateMs: number): readonly Change[] {
    if (measuredAt - this.#since < this.#forMs || lateMs > this.#forMs) return NONE;
    this.#phase = 'firing';
    return ['fired'];
  }

  #takeOlder(measuredAt: number, value: number): void {
    if (this.#phase !== 'pending') return;
    if (this.#sideOf(value) === this.#side) {
      if (measuredAt > this.#clearAt) this.#since = Math.min(this.#since, measuredAt);
      if (measuredAt >= this.#since) this.#extreme = this.#further(value);
    } else if (measuredAt < this.#since) this.#clearAt = Math.max(this.#clearAt, measuredAt);
    else {
      this.#since = this.#newestAt;
      this.#clearAt = this.#newestAt;
      this.#extreme = this.#value;
    }
  }

  #sideOf(value: number): Side | null {
    const { low, high } = this.#bounds;
    if (low !== null && value < low) return shortestFloat32(value) < low ? 'low' : null;
    if (high !== null && value > high) return shortestFloat32(value) > high ? 'high' : null;
    return null;
  }

  #isBack(value: number): boolean {
    const { low, high, margin } = this.#bounds;
    const shown = shortestFloat32(value);
    // 6.2 plus a margin of 0.1 is 6.3, but in binary fractions it is 6.300000000000001.
    return this.#side === 'low' ? shown >= withoutNoise(low! + margin) : shown <= withoutNoise(high! - margin);
  }

  #further(value: number): number {
    return this.#side === 'low' ? Math.min(this.#extreme, value) : Math.max(this.#extreme, value);
  }
}
