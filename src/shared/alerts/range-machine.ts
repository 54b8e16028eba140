import { shortestFloat32 } from '../float32.ts';
import { withoutNoise } from '../measures/units.ts';
import type { RangeRule } from './rule.ts';

/** The part of a rule that a machine needs. */
export type Bounds = Pick<RangeRule, 'low' | 'high' | 'margin' | 'forMinutes'>;

export type Side = 'low' | 'high';

/** A value as a machine takes it. Times are Unix milliseconds. */
export interface RangeReading {
  /** When it was measured, never after it arrived. */
  readonly measuredAt: number;
  readonly value: number;
  /** How much older it is than what the device sent before, or than its own arrival: what is late fires nothing. */
  readonly lateMs: number;
}

/**
 * The change of a condition: values went outside (`began`), were so for long enough (`fired`), came back before that
 * (`dropped`) or after it (`ended`).
 */
export type Change = 'began' | 'fired' | 'dropped' | 'ended';

/** Where a machine stands; what is kept of one that is not `inside`. */
export interface RangeState {
  readonly phase: 'inside' | 'pending' | 'firing';
  /** Which bound was crossed; null inside. */
  readonly side: Side | null;
  /** When the values that are outside began to be. */
  readonly since: number;
  /** The newest value and the one furthest outside; of no meaning inside. */
  readonly value: number;
  readonly extreme: number;
}

const NONE: readonly Change[] = [];
const NEVER = Number.NEGATIVE_INFINITY;
const MINUTE_MS = 60_000;

/**
 * One rule on one field of one device: knows no clock and does nothing but count. It fires when every value of the rule's
 * time was outside on the same side, and ends with the first that is inside again by the margin.
 *
 * Readings may come out of order. One that is older than the newest neither fires nor ends anything; while values are
 * outside and the rule's time is not over, it moves their beginning: back where it was outside too, and to the newest
 * reading where it was not.
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
  /** The newest measurement that is known not to have been outside on this side. */
  #clearAt = NEVER;

  /** Begins inside, or where another one stood that had taken readings up to `newestAt`. */
  constructor(bounds: Bounds, kept: RangeState | null = null, newestAt = NEVER) {
    this.#bounds = bounds;
    this.#forMs = bounds.forMinutes * MINUTE_MS;
    this.#newestAt = newestAt;
    if (kept === null) {
      // Nor the newest itself counts, which a start shows again: the rule may be newer than that.
      this.#newestAt = newestAt + 1;
      this.#clearAt = newestAt;
      return;
    }
    // Readings from before that come again must not move it.
    this.#clearAt = kept.since;
    ({ phase: this.#phase, side: this.#side, since: this.#since, value: this.#value, extreme: this.#extreme } = kept);
  }

  get isInside(): boolean {
    return this.#phase === 'inside';
  }

  get state(): RangeState {
    return { phase: this.#phase, side: this.#side, since: this.#since, value: this.#value, extreme: this.#extreme };
  }

  /** The value furthest outside of the last one that ended. */
  get endedExtreme(): number {
    return this.#endedExtreme;
  }

  /** Takes a reading that has the field, in the order of arrival; returns what changed, in order. */
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

  /** A machine that is inside takes readings up to then that were inside, in order, as one. */
  passInside(measuredAt: number): void {
    this.#newestAt = measuredAt;
    this.#clearAt = measuredAt;
  }

  /**
   * Forgets the times of earlier readings, to be called where they can't be compared with those to come: a clock was set.
   * What fires goes on; what was pending is dropped.
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
    // 6.2 and a margin of 0.1 are 6.3, which binary fractions make 6.300000000000001.
    return this.#side === 'low' ? shown >= withoutNoise(low! + margin) : shown <= withoutNoise(high! - margin);
  }

  #further(value: number): number {
    return this.#side === 'low' ? Math.min(this.#extreme, value) : Math.max(this.#extreme, value);
  }
}
