import { HOUR_MS } from '../../counts.ts';
import type { Span, StepSums } from '../../stores-view.ts';
import { Sums } from '../../sums.ts';
import type { ArrivalHours } from './arrival-hours.ts';
import type { DeviceNumbers } from './devices.ts';
import type { MergedHours } from './merged-hours.ts';
import type { MergedReadings } from './merged-readings.ts';
import type { RetainedHours } from './retained-hours.ts';

/** The data from which a span's sums are made. */
export interface StepSources {
  readonly readings: MergedReadings;
  readonly hours: MergedHours;
  readonly retained: RetainedHours;
  readonly arrivals: ArrivalHours;
}

interface Device {
  readonly id: string;
  readonly numbers: DeviceNumbers;
}

/**
 * Returns the sums of a span by steps, in ascending order; its times must be below 2^53. Long steps are added up from
 * hourly sums. There is no index by arrival: short steps read all readings of the device, half a million in about 30
 * ms.
 */
export function sumsByStep(sources: StepSources, { id, numbers }: Device, span: Span, stepMs: number): StepSums[] {
  const steps = new Map<number, Sums>();
  const stepAt = (time: number) => {
    const index = Math.floor(time / stepMs);
    let step = steps.get(index);
    if (step === undefined) {
      step = new Sums();
      steps.set(index, step);
    }
    return step;
  };
  for (const part of partsOf(span, stepMs)) {
    if ('hours' in part) addHours(sources, numbers, part.hours, (hour) => stepAt(hour * HOUR_MS));
    else if ('arrivals' in part) sources.arrivals.addTo(id, numbers, ...part.arrivals, stepAt);
    else sources.readings.forEach(numbers, part.span, (row) => stepAt(row[0]).addValues(row, 1));
  }
  return [...steps].sort(([a], [b]) => a - b).map(([index, step]) => step.toStep(index * stepMs));
}

/**
 * Adds hours, including those with only sums. If one store still has an hour's readings and the other has only sums,
 * the one with more readings counts: their overlap is unknown.
 */
function addHours(
  { hours, retained }: StepSources,
  numbers: DeviceNumbers,
  [from, to]: readonly [from: number, to: number],
  target: (hour: number) => Sums,
): void {
  const kept = retained.between(numbers, from, to);
  const beside = new Map<number, Sums>();
  hours.addTo(numbers, from, to, (hour) => {
    if (!kept.has(hour)) return target(hour);
    const sums = beside.get(hour) ?? new Sums();
    beside.set(hour, sums);
    return sums;
  });
  for (const [hour, sums] of kept) {
    const other = beside.get(hour);
    target(hour).add(other !== undefined && other.readings > sums.readings ? other : sums);
  }
}

/** Returns the number of readings in a span: from sums for whole hours, counted one by one for the rest. */
export function countSpan({ readings, hours }: StepSources, numbers: DeviceNumbers, span: Span): number {
  const all = Number.MAX_SAFE_INTEGER;
  const hour = BigInt(HOUR_MS);
  const firstHour = (span.from + hour - 1n) / hour;
  const endHour = (span.to + 1n) / hour;
  if (span.axis === 'received' || firstHour >= endHour) return readings.count(numbers, span, all);
  const sums = new Sums();
  hours.addTo(numbers, Number(firstHour), Number(endHour) - 1, () => sums);
  const edges = [
    { ...span, to: firstHour * hour - 1n },
    { ...span, from: endHour * hour },
  ];
  return edges
    .filter(({ from, to }) => from <= to)
    .reduce((total, edge) => total + readings.count(numbers, edge, all), sums.readings);
}

type Part =
  | { readonly hours: readonly [from: number, to: number] }
  | { readonly arrivals: readonly [from: number, to: number] }
  | { readonly span: Span };

/** Splits a span into whole hours, if steps consist of them, and the rest. */
function partsOf(span: Span, stepMs: number): Part[] {
  const from = Number(span.from);
  const to = Number(span.to);
  const firstHour = Math.ceil(from / HOUR_MS);
  const endHour = Math.floor((to + 1) / HOUR_MS);
  if (stepMs % HOUR_MS !== 0 || firstHour >= endHour) return [{ span }];
  if (span.axis === 'received') return [{ arrivals: [from, to] }];
  const parts: Part[] = [{ hours: [firstHour, endHour - 1] }];
  const first = firstHour * HOUR_MS;
  const end = endHour * HOUR_MS;
  if (from < first) parts.push({ span: { ...span, to: BigInt(first - 1) } });
  if (end <= to) parts.push({ span: { ...span, from: BigInt(end) } });
  return parts;
}
