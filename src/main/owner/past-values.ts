import type { DeviceSummary } from '../../shared/owner-api.ts';
import { FIELD_NAMES } from '../../shared/protocol/fields.ts';
import type { MergedReading } from '../store/merged-readings.ts';
import type { KnownDevice } from '../store/owner-devices.ts';
import { Rollup } from '../store/rollup.ts';
import { HOUR_MS } from '../store/unsigned.ts';
import type { QueryState } from './queries.ts';
import { perField, toFieldValue } from './reading-values.ts';

type Newest = DeviceSummary['newest'];
type Sparkline = DeviceSummary['sparkline'];

/** A field that none of the latest readings has is looked for in the last month of hourly sums. */
const LOOK_BACK_HOURS = 31 * 24;
const SPARKLINE_HOURS = 24;
/** Where the clock is not set there are no sums by arrival: a sparkline is made of at most so many readings. */
const SPARKLINE_READINGS = 2000;

/** When the sparklines of now begin: a whole hour, in Unix milliseconds. */
export function sparklineStart(now: number): number {
  return (Math.floor(now / HOUR_MS) - SPARKLINE_HOURS + 1) * HOUR_MS;
}

/** A sparkline that shows nothing. */
export function noSparkline(startAt: number): Sparkline {
  return { startAt, stepMs: HOUR_MS, values: {} };
}

/** The hourly means of the day from `startAt` on. */
export function sparkline(state: QueryState, known: KnownDevice, startAt: number): Sparkline {
  const steps = Array.from({ length: SPARKLINE_HOURS }, () => new Rollup());
  const first = startAt / HOUR_MS;
  if (state.summaries.axis(known) === 'timestamp') {
    state.hours.addTo(known.numbers, first, first + SPARKLINE_HOURS - 1, (hour) => steps[hour - first]!);
  } else {
    for (const reading of state.readings.latest(known.numbers, 'received', SPARKLINE_READINGS)) {
      steps[Math.floor((reading.receivedAt - startAt) / HOUR_MS)]?.addReading(reading.fields, 0);
    }
  }
  const values: Sparkline['values'] = {};
  for (const [index, name] of FIELD_NAMES.entries()) {
    if (steps.some(({ count }) => count[index]! > 0)) values[name] = steps.map((step) => step.mean(index));
  }
  return { ...noSparkline(startAt), values };
}

/** The first value of each field in readings that are given newest first. */
export function newestOf(readings: readonly MergedReading[]): Newest {
  return perField((index) => {
    const reading = readings.find(({ fields }) => fields[index] !== null);
    if (reading === undefined) return null;
    const { seq, keyVersion, receivedAt } = reading;
    return { value: toFieldValue(reading.fields[index]!), seq: seq.toString(), keyVersion, receivedAt };
  });
}

/**
 * The newest value, of the last month by timestamp, of each field that `newest` has none of. By arrival, where there are
 * no sums to look in, none.
 */
export function olderNewest(state: QueryState, known: KnownDevice, newest: Newest): Newest {
  const older = perField((): Newest[keyof Newest] => null);
  const missing = FIELD_NAMES.map((name, index) => ({ name, index })).filter(({ name }) => newest[name] === null);
  const span = state.summaries.axis(known) === 'received' ? null : state.summaries.span(known);
  if (missing.length === 0 || span === null) return older;
  const last = Math.floor(span.to / HOUR_MS);
  for (const { name, index } of missing) {
    const lookIn = (to: number) => state.hours.latestWith(index, known.numbers, last - LOOK_BACK_HOURS, to);
    for (let hour = lookIn(last); hour !== null && older[name] === null; hour = lookIn(hour - 1)) {
      const from = BigInt(hour * HOUR_MS);
      const inHour = { axis: 'timestamp', from, to: from + BigInt(HOUR_MS - 1) } as const;
      older[name] = newestOf(state.readings.page(known.numbers, inHour, null, HOUR_MS).reverse())[name];
    }
  }
  return older;
}
