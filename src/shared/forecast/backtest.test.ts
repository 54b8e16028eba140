import { expect, it } from 'vitest';
import { type Point, rateOf, timeLeft } from './rate.ts';

// Simulated tanks: the test compares each forecast with the later course.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = 1_700_000_000_000 - (1_700_000_000_000 % DAY);

/** Returns numbers from 0 to 1 that depend only on a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Tank {
  /** Every half hour, like a node's sums. */
  readonly points: readonly Point[];
  readonly now: number;
  /** When the tank is empty if nobody fills it, in days from now. */
  readonly emptyIn: number;
}

/**
 * Returns a tank in per cent: plants drink by day, days differ, the tank is filled from time to time and may leak; its
 * sensor is noisy and has gaps.
 */
function tankOf(seed: number): Tank {
  const next = random(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const perDay = 2 + 12 * next();
  const leak = next() < 0.2 ? 1 + 3 * next() : 0;
  const byDay = 0.3 + 0.6 * next();
  const noise = 0.1 + 0.5 * next();
  const differs = 0.05 + 0.1 * next();
  const refillEvery = next() < 0.6 ? 1.2 + 2 * next() : Number.POSITIVE_INFINITY;
  const gapAt = next() < 0.4 ? START + 3 * DAY * next() : Number.POSITIVE_INFINITY;
  const gap = HOUR * (2 + 10 * next());
  const now = START + 3 * DAY + Math.floor(24 * next()) * HOUR;
  const days = Array.from({ length: 60 }, () => 1 + differs * normal());
  let level = 60 + 35 * next();
  let filledAt = START + refillEvery * DAY * next();
  const points: Point[] = [];
  for (let at = START; ; at += HOUR / 2) {
    const hour = (at % DAY) / HOUR;
    const daylight = Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI)) * Math.PI;
    const drinks = perDay * (byDay * daylight + 1 - byDay) * days[Math.floor((at - START) / DAY)]!;
    level -= (drinks + leak) / 48;
    if (at > now) {
      if (level <= 0) return { points, now, emptyIn: (at - now) / DAY };
      continue;
    }
    if (at - filledAt > refillEvery * DAY || level < 12) {
      level = 90 + 8 * next();
      filledAt = at;
    }
    if (at < gapAt || at > gapAt + gap) points.push({ at, value: level + noise * normal() });
  }
}

/** Returns the means of whole hours, which alerts use. The time of each is the beginning of its hour. */
function hourly(points: readonly Point[]): Point[] {
  const hours = Map.groupBy(points, ({ at }) => at - (at % HOUR));
  return [...hours].map(([at, of]) => ({ at, value: of.reduce((sum, { value }) => sum + value, 0) / of.length }));
}

it.each([
  ['half hours', (points: readonly Point[]) => points],
  ['hours', hourly],
])('holds in 90 %% of cases what it says of simulated tanks by %s, and says something of most', (_, seen) => {
  let said = 0;
  let held = 0;
  const widths: number[] = [];
  const COUNT = 400;
  for (let seed = 1; seed <= COUNT; seed++) {
    const { points: all, now, emptyIn } = tankOf(seed);
    const points = seen(all);
    const rate = rateOf(points, now);
    const left = rate === null ? null : timeLeft(points.at(-1)!.value, 0, rate);
    if (left === null) continue;
    said += 1;
    widths.push(left.to / left.from);
    if (emptyIn >= left.from && emptyIn <= left.to) held += 1;
  }
  const width = widths.toSorted((a, b) => a - b)[widths.length >> 1]!;
  expect(held / said).toBeGreaterThanOrEqual(0.9);
  expect(said / COUNT).toBeGreaterThan(0.6);
  expect(width).toBeLessThan(2.2);
});
