import type { View } from '../../charts/view.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HOURS = [1, 2, 3, 6, 12];
const DAYS = [1, 2, 3, 7, 14, 28, 56, 182, 364];

/** Returns at most `most` round times of a view in local time, and the step between them, in milliseconds. */
export function timeTicks({ from, to }: View, most: number): { readonly ticks: number[]; readonly step: number } {
  const width = to - from;
  const hours = HOURS.find((count) => width / (count * HOUR) <= most);
  const midnight = new Date(from);
  midnight.setHours(0, 0, 0, 0);
  const ticks: number[] = [];
  if (hours !== undefined) {
    const step = hours * HOUR;
    for (let at = midnight.getTime(); at <= to; at += step) if (at >= from) ticks.push(at);
    return { ticks, step };
  }
  const days = DAYS.find((count) => width / (count * DAY) <= most) ?? DAYS.at(-1)!;
  // Counted by calendar days: a day has 23 or 25 hours when the clocks change.
  for (; midnight.getTime() <= to; midnight.setDate(midnight.getDate() + days)) {
    if (midnight.getTime() >= from) ticks.push(midnight.getTime());
  }
  return { ticks, step: days * DAY };
}

/** Returns about `count` round numbers from `least` to `greatest`, and the step between them. */
export function valueTicks(least: number, greatest: number, count: number): { ticks: number[]; step: number } {
  const rough = (greatest - least) / count;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5].find((part) => part * size >= rough) ?? 10);
  const first = Math.ceil(least / step);
  const ticks = Array.from({ length: Math.floor(greatest / step) - first + 1 }, (_, index) => (first + index) * step);
  return { ticks, step };
}
