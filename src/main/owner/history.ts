import type { History, Input } from '../../shared/owner-api.ts';
import type { SENSOR_FIELDS } from '../../shared/protocol/fields.ts';
import type { KnownDevice } from '../store/owner-devices.ts';
import type { Span } from '../store/reading-ranges.ts';
import { Rollup } from '../store/rollup.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import type { QueryState } from './queries.ts';
import { perField } from './reading-values.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Widths of steps; those above an hour are whole hours, so that hourly sums add up to them. Beyond: doubled. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY_MS),
];
/**
 * Steps under an hour read every reading, so beyond so many they become hours: at once where hours give enough points,
 * at last in any case.
 */
const READ_ONE_BY_ONE = 25_000;
const READ_ONE_BY_ONE_AT_MOST = 200_000;
const ENOUGH_POINTS = 250;

/**
 * The data of a chart. Readings whose timestamps lie outside of the device's span (see Summaries.span) have no place on
 * it. Long steps are added up from hourly sums. By arrival there is no index: short steps look at all readings of the
 * device, half a million in some 30 ms.
 */
export function history(state: QueryState, input: Input<'history'>): History {
  const known = state.device(input.id);
  const axis = state.summaries.axis(known);
  const span = state.summaries.span(known);
  const from = Math.max(input.from ?? 0, span?.from ?? 0);
  const to = Math.min(input.to ?? Number.POSITIVE_INFINITY, span?.to ?? 0);
  if (span === null || from > to) return { axis, ...toSeries([], null) };
  const range: Span = { axis, from: BigInt(from), to: BigInt(to) };
  if (state.readings.count(known.numbers, range, input.maxPoints + 1) <= input.maxPoints) {
    return { axis, ...single(state, known, range, input.maxPoints) };
  }
  const stepMs = chooseStep(state, known, range, input.maxPoints);
  const steps = new Map<number, Rollup>();
  const stepAt = (time: number) => {
    const index = Math.floor(time / stepMs);
    let step = steps.get(index);
    if (step === undefined) {
      step = new Rollup();
      steps.set(index, step);
    }
    return step;
  };
  for (const part of partsOf(range, stepMs)) {
    if ('hours' in part) state.hours.addTo(known.numbers, ...part.hours, (hour) => stepAt(hour * HOUR_MS));
    else if ('arrivals' in part) state.arrivals.addTo(known, ...part.arrivals, stepAt);
    else state.readings.forEach(known.numbers, part.span, (row) => stepAt(row[0]).addReading(row, 1));
  }
  const ordered = [...steps].sort(([a], [b]) => a - b).map(([index, step]) => [index * stepMs, step] as const);
  return { axis, ...toSeries(ordered, stepMs) };
}

function single(state: QueryState, known: KnownDevice, range: Span, limit: number) {
  const readings = state.readings.page(known.numbers, range, null, limit);
  const points = readings.map(({ timestamp, receivedAt, fields }) => {
    const point = new Rollup();
    point.addReading(fields, 0);
    return [range.axis === 'timestamp' ? Number(timestamp) : receivedAt, point] as const;
  });
  return toSeries(
    points.sort(([a], [b]) => a - b),
    null,
  );
}

function chooseStep(state: QueryState, known: KnownDevice, range: Span, maxPoints: number): number {
  const from = Number(range.from);
  const to = Number(range.to);
  const points = (stepMs: number) => Math.floor(to / stepMs) - Math.floor(from / stepMs) + 1;
  let step = STEPS_MS.find((stepMs) => points(stepMs) <= maxPoints);
  if (step === undefined) {
    step = STEPS_MS.at(-1)! * 2;
    while (points(step) > maxPoints) step *= 2;
  }
  if (step >= HOUR_MS) return step;
  const most = points(HOUR_MS) >= ENOUGH_POINTS ? READ_ONE_BY_ONE : READ_ONE_BY_ONE_AT_MOST;
  return state.readings.countRows(known.numbers, range, most + 1) > most ? HOUR_MS : step;
}

type Part =
  | { readonly hours: readonly [from: number, to: number] }
  | { readonly arrivals: readonly [from: number, to: number] }
  | { readonly span: Span };

/** Whole hours where steps are made of them, and the rest by its readings. */
function partsOf(range: Span, stepMs: number): Part[] {
  const from = Number(range.from);
  const to = Number(range.to);
  const firstHour = Math.ceil(from / HOUR_MS);
  const endHour = Math.floor((to + 1) / HOUR_MS);
  if (stepMs < HOUR_MS || firstHour >= endHour) return [{ span: range }];
  if (range.axis === 'received') return [{ arrivals: [from, to] }];
  const parts: Part[] = [{ hours: [firstHour, endHour - 1] }];
  const first = firstHour * HOUR_MS;
  const end = endHour * HOUR_MS;
  if (from < first) parts.push({ span: { ...range, to: BigInt(first - 1) } });
  if (end <= to) parts.push({ span: { ...range, from: BigInt(end) } });
  return parts;
}

function toSeries(points: readonly (readonly [time: number, values: Rollup])[], stepMs: number | null) {
  const bound = (count: number, value: number) => (count === 0 ? null : value);
  return {
    stepMs,
    times: points.map(([time]) => time),
    fields: perField((field) => ({
      min: points.map(([, { count, min }]) => bound(count[field]!, min[field]!)),
      max: points.map(([, { count, max }]) => bound(count[field]!, max[field]!)),
      mean: points.map(([, step]) => step.mean(field)),
      count: points.map(([, { count }]) => count[field]!),
      sealed: points.map(([, { sealed }]) => sealed[field]!),
    })),
  } satisfies Omit<History, 'axis'> & { fields: Record<(typeof SENSOR_FIELDS)[number]['name'], unknown> };
}
