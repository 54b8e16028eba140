import type { Correction } from '../../../shared/measures/correction.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { History } from '../../../shared/owner-api/readings.ts';
import { correctedSums, correctFields } from '../../store/corrected-sums.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { Span, StepSums, StoresView } from '../../store/stores-view.ts';
import { Sums } from '../../store/sums.ts';
import { knownDevice, type QueryScope } from './queries.ts';
import { perField } from './reading-values.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * The widths of steps. Those above an hour are whole hours, so that hourly sums add up to them. Wider steps are doubled
 * from the last one.
 */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 4, 7, 14, 28].map((days) => days * DAY_MS),
];
/**
 * Steps under an hour need every reading. Above `READ_ONE_BY_ONE` readings, steps become hours if hours give enough
 * points; above `READ_ONE_BY_ONE_AT_MOST`, always.
 */
const READ_ONE_BY_ONE = 25_000;
const READ_ONE_BY_ONE_AT_MOST = 200_000;
const ENOUGH_POINTS = 250;
/** So few readings are always drawn one by one; more of them only if there are at most `MOST_PER_PIXEL` to a pixel. */
const FEW = 50;
const MOST_PER_PIXEL = 3;
/**
 * With fewer pixels for a day, the daily rise and fall would be a zigzag that hides everything else, so steps are days.
 */
const LEAST_PER_DAY = 8;

/**
 * Returns the data of a chart. Readings whose timestamps are outside of the device's span (see Summaries.span) are left
 * out.
 */
export async function history({ stores, memory }: QueryScope, input: Input<'history'>): Promise<History> {
  const known = await knownDevice(stores, input.id);
  const axis = await memory.summaries.axis(stores, known);
  const whole = await memory.summaries.span(stores, known);
  const from = Math.max(input.from ?? 0, whole?.from ?? 0);
  const to = Math.min(input.to ?? Number.POSITIVE_INFINITY, whole?.to ?? 0);
  if (whole === null || from > to) return { axis, ...toSeries([], null) };
  const span: Span = { axis, from: BigInt(from), to: BigInt(to) };
  const { maxPoints, pixelMs = 0, asSent = false } = input;
  const corrections = asSent ? [] : known.corrections;
  const sums = (stepMs: number) => correctedSums(stores, input.id, span, stepMs, corrections);
  if (axis === 'timestamp' && from < ((await stores.keptFrom(input.id)) ?? 0)) {
    const stepMs = Math.max(HOUR_MS, await chooseStep(stores, input.id, span, { maxPoints, pixelMs }));
    return { axis, ...toSeries(await sums(stepMs), stepMs) };
  }
  const most = pixelMs === 0 ? maxPoints : Math.min(maxPoints, Math.max(FEW, crowd((to - from) / pixelMs)));
  if ((await stores.count(input.id, span, most + 1)) <= most) {
    return { axis, ...toSeries(await singlePoints(stores, input.id, span, most, corrections), null) };
  }
  const stepMs = await chooseStep(stores, input.id, span, { maxPoints, pixelMs });
  return { axis, ...toSeries(await sums(stepMs), stepMs) };
}

/** Returns how many readings so many pixels show one by one. */
function crowd(pixels: number): number {
  return Math.floor(MOST_PER_PIXEL * pixels);
}

/** Returns each reading of a span as its own step. */
async function singlePoints(
  stores: StoresView,
  id: string,
  span: Span,
  limit: number,
  corrections: readonly Correction[],
): Promise<StepSums[]> {
  const readings = await stores.page(id, span, null, limit);
  const points = readings.map(({ timestamp, receivedAt, fields }) => {
    const sums = new Sums();
    const time = span.axis === 'timestamp' ? Number(timestamp) : receivedAt;
    sums.addReading(correctFields(fields, time, corrections));
    return sums.toStep(time);
  });
  return points.sort((a, b) => a.time - b.time);
}

/** The resolution of a chart. */
interface Resolution {
  readonly maxPoints: number;
  /** 0 if it is unknown. */
  readonly pixelMs: number;
}

async function chooseStep(
  stores: StoresView,
  id: string,
  span: Span,
  { maxPoints, pixelMs }: Resolution,
): Promise<number> {
  const from = Number(span.from);
  const to = Number(span.to);
  const points = (stepMs: number) => Math.floor(to / stepMs) - Math.floor(from / stepMs) + 1;
  const least = pixelMs * LEAST_PER_DAY > DAY_MS ? Math.max(pixelMs, DAY_MS) : pixelMs;
  let step = STEPS_MS.find((stepMs) => stepMs >= least && points(stepMs) <= maxPoints);
  if (step === undefined) {
    step = STEPS_MS.at(-1)! * 2;
    while (step < least || points(step) > maxPoints) step *= 2;
  }
  if (step >= HOUR_MS) return step;
  const most = points(HOUR_MS) >= ENOUGH_POINTS ? READ_ONE_BY_ONE : READ_ONE_BY_ONE_AT_MOST;
  return (await stores.estimate(id, span, most + 1)) > most ? HOUR_MS : step;
}

function toSeries(points: readonly StepSums[], stepMs: number | null): Omit<History, 'axis'> {
  return {
    stepMs,
    times: points.map(({ time }) => time),
    fields: perField((name) => {
      const sums = points.map(({ fields }) => fields[name]);
      return {
        min: sums.map(({ min }) => min),
        max: sums.map(({ max }) => max),
        mean: sums.map(({ mean }) => mean),
        count: sums.map(({ count }) => count),
        sealed: sums.map(({ sealed }) => sealed),
      };
    }),
  };
}
