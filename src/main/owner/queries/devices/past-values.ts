import type { Correction } from '../../../../shared/measures/correction.ts';
import type { DeviceSummary, NewestValue } from '../../../../shared/owner-api/devices.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { isDatedAhead, UPTIME_BELOW_MS } from '../../../common/device-clock.ts';
import { correctedSums, correctFields } from '../../../store/corrected-sums.ts';
import { HOUR_MS } from '../../../store/counts.ts';
import type { Reading } from '../../../store/reading.ts';
import type { Axis, KnownDevice, MergedReading, StepSums, StoresView } from '../../../store/stores-view.ts';
import { Sums } from '../../../store/sums.ts';
import { perField, toFieldValue } from '../reading-values.ts';
import { freshest, unchangedSince } from './freshness.ts';

type Newest = DeviceSummary['newest'];
type Sparkline = DeviceSummary['sparkline'];

/** A field that none of the latest readings has is searched in the last month of hourly sums. */
const LOOK_BACK_HOURS = 31 * 24;
const SPARKLINE_STEPS = 24;
const SPARKLINE_HOURS = SPARKLINE_STEPS;
/**
 * The widths of steps for a device whose readings of the day are all within the last hours: hours would be one point.
 */
const SHORT_STEPS_MS = [60_000, 5 * 60_000];
/**
 * How far back an unchanged value is followed: a week and an hour, because the first hour is not known to the minute.
 */
const UNCHANGED_MS = (7 * 24 + 1) * HOUR_MS;
/** A value that was present in the first day of that time was probably present before it, too. */
const LIMIT_MS = 24 * HOUR_MS;
/** If the clock is not set, there are no sums by arrival: a sparkline uses at most so many readings. */
const SPARKLINE_READINGS = 2000;

/** Returns when the present sparklines begin: a whole hour, in Unix milliseconds. */
export function sparklineStart(now: number): number {
  return startOf(now, HOUR_MS);
}

/** Returns an empty sparkline. */
export function noSparkline(startAt: number): Sparkline {
  return { startAt, stepMs: HOUR_MS, values: {} };
}

/**
 * Returns the hourly means of the day until `now`, beginning at a whole step. For a device that has sent for less than
 * two hours, the means are of minutes.
 */
export async function sparkline(
  stores: StoresView,
  { id, corrections }: Pick<KnownDevice, 'id' | 'corrections'>,
  axis: Axis,
  now: number,
): Promise<Sparkline> {
  const day = sparklineStart(now);
  const end = day + SPARKLINE_HOURS * HOUR_MS - 1;
  const latest = axis === 'received' ? await stores.latest(id, 'received', SPARKLINE_READINGS) : null;
  const first =
    latest === null
      ? Number((await stores.timestamps(id, BigInt(day), BigInt(end)))?.first ?? day)
      : Math.min(...latest.map(({ receivedAt }) => receivedAt));
  const stepMs = SHORT_STEPS_MS.find((each) => first >= startOf(now, each)) ?? HOUR_MS;
  const startAt = startOf(now, stepMs);
  const span = { axis, from: BigInt(startAt), to: BigInt(end) };
  const steps =
    latest === null ? await correctedSums(stores, id, span, stepMs, corrections) : sumsBy(latest, stepMs, corrections);
  const byTime = new Map(steps.map((step) => [step.time, step.fields]));
  const times = Array.from({ length: SPARKLINE_STEPS }, (_, index) => startAt + index * stepMs);
  const values: Sparkline['values'] = {};
  for (const name of FIELD_NAMES) {
    const means = times.map((time) => byTime.get(time)?.[name].mean ?? null);
    if (means.some((mean) => mean !== null)) values[name] = means;
  }
  return { startAt, stepMs, values };
}

/** Returns when the last steps of a width begin, including the one with `now`. */
function startOf(now: number, stepMs: number): number {
  return (Math.floor(now / stepMs) - SPARKLINE_STEPS + 1) * stepMs;
}

function sumsBy(readings: readonly Reading[], stepMs: number, corrections: readonly Correction[]): StepSums[] {
  const steps = new Map<number, Sums>();
  for (const { receivedAt, fields } of readings) {
    const time = Math.floor(receivedAt / stepMs) * stepMs;
    const sums = steps.get(time) ?? new Sums();
    sums.addReading(correctFields(fields, receivedAt, corrections));
    steps.set(time, sums);
  }
  return [...steps].map(([time, sums]) => sums.toStep(time));
}

/** Returns the newest value of each field, measured or entered. `readings` are newest first. */
export function newestOf(readings: readonly MergedReading[], axis: Axis): Newest {
  return perField((name) => {
    const found = freshest(readings, name);
    if (found === null) return null;
    const { reading, isEntered } = found;
    const since = unchangedSince(readings, name);
    return {
      value: toFieldValue(reading.fields[name]),
      seq: reading.seq.toString(),
      keyVersion: reading.keyVersion,
      receivedAt: reading.receivedAt,
      measuredAt: measuredAt(reading, axis),
      isEntered,
      unchangedSince: since === null ? null : (measuredAt(since, axis) ?? since.receivedAt),
      isUnchangedLonger: false,
    };
  });
}

/**
 * Returns when a reading was measured by the device's clock; null if that is not set, or the reading is dated ahead.
 */
function measuredAt(reading: Reading, axis: Axis): number | null {
  const { timestamp, receivedAt } = reading;
  if (axis === 'received' || timestamp < UPTIME_BELOW_MS || isDatedAhead(reading)) return null;
  // Clocks may be slightly wrong, but nothing is measured after it arrived.
  return Math.min(Number(timestamp), receivedAt);
}

/**
 * Returns the newest value of each field that `newest` has no value for, from the month before the timestamp `last`.
 */
export async function olderNewest(stores: StoresView, id: string, newest: Newest, last: number): Promise<Newest> {
  const older = perField((): Newest[keyof Newest] => null);
  const lastHour = Math.floor(last / HOUR_MS);
  const isMeasuring = FIELD_NAMES.some((name) => newest[name] !== null);
  for (const name of FIELD_NAMES) {
    if (newest[name] !== null) continue;
    const reading = await stores.newestWith(id, name, lastHour - LOOK_BACK_HOURS, lastHour);
    const value = reading === null ? null : newestOf([reading], 'timestamp')[name];
    // If a device measures other fields, but no pH in all its latest readings, its pH was entered.
    if (value !== null) older[name] = { ...value, isEntered: name === 'ph' && isMeasuring };
  }
  return older;
}

type Unchanged = Pick<NewestValue, 'unchangedSince' | 'isUnchangedLonger'>;

/**
 * Returns since when each of some fields has had its newest value, from the hourly sums before the latest readings,
 * which all have it. The value has been the same at least since then; the search goes back a week. Only for devices
 * that are ordered by timestamp.
 */
export async function unchangedBefore(
  stores: StoresView,
  id: string,
  newest: Newest,
  steady: readonly FieldName[],
): Promise<ReadonlyMap<FieldName, Unchanged>> {
  const known = steady.flatMap((name) => newest[name]?.unchangedSince ?? []);
  if (known.length === 0) return new Map();
  const to = Math.max(...known);
  const from = Math.max(0, to - UNCHANGED_MS);
  const span = { axis: 'timestamp', from: BigInt(from), to: BigInt(to) } as const;
  const hours = (await stores.sums(id, span, HOUR_MS)).toReversed();
  const found = new Map<FieldName, Unchanged>();
  for (const name of steady) {
    const { value, unchangedSince } = newest[name]!;
    const having = hours.map(({ time, fields }) => ({ time, ...fields[name] })).filter(hasValue);
    const changed = having.findIndex(({ sealed, min, max }) => sealed > 0 || min !== value || max !== value);
    const first = having[(changed === -1 ? having.length : changed) - 1];
    // The first such value may be at the end of the hour.
    if (first === undefined) continue;
    found.set(name, {
      unchangedSince: Math.min(unchangedSince!, first.time + HOUR_MS - 1),
      isUnchangedLonger: changed === -1 && first.time <= from + LIMIT_MS,
    });
  }
  return found;
}

function hasValue({ count, sealed }: { readonly count: number; readonly sealed: number }): boolean {
  return count > 0 || sealed > 0;
}
