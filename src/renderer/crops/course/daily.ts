import type { FieldData } from '../../charts/series/chart-data.ts';

/**
 * Returns the means of whole days. A day is `dayLength` long, the first begins at `start`; both are in the unit of the
 * data's times. The changes during each day would hide the course over weeks. A day without values is a gap. A mean is at
 * the middle of its day; that of the last day at its last value if that is earlier, as it may not be ahead of now.
 */
export function dailyMeans(data: FieldData, start: number, dayLength: number): FieldData {
  const days = new Map<number, { sum: number; count: number; min: number; max: number }>();
  let last = start;
  for (const [index, time] of data.times.entries()) {
    const [mean, count] = [data.mean[index], data.count[index]!];
    if (mean == null || count === 0) continue;
    last = time;
    const day = Math.floor((time - start) / dayLength);
    const sums = days.get(day) ?? { sum: 0, count: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    sums.sum += mean * count;
    sums.count += count;
    sums.min = Math.min(sums.min, data.min[index]!);
    sums.max = Math.max(sums.max, data.max[index]!);
    days.set(day, sums);
  }
  const means: FieldData = { ...data, times: [], mean: [], min: [], max: [], count: [], stepMs: dayLength };
  let before: number | null = null;
  for (const [day, { sum, count, min, max }] of [...days].toSorted(([a], [b]) => a - b)) {
    const at = start + (day + 0.5) * dayLength;
    if (before !== null && day > before + 1) push(means, at - dayLength, [null, null, null], 0);
    push(means, Math.min(at, last), [sum / count, min, max], count);
    before = day;
  }
  return means;
}

type Values = readonly [mean: number | null, min: number | null, max: number | null];

function push(data: FieldData, time: number, [mean, min, max]: Values, count: number): void {
  data.times.push(time);
  data.mean.push(mean);
  data.min.push(min);
  data.max.push(max);
  data.count.push(count);
}
