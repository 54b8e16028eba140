import type { TimeRange } from '../../api/queries/readings.ts';
import type { View } from '../view.ts';
import { CALENDAR_RANGES, type CalendarRange, calendarRange } from './calendar-ranges.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The ranges that end now. `all` is the span of the device's readings. */
export const MOVING_RANGES = ['1h', '8h', '24h', '7d', '30d', '1y', 'all'] as const;
type MovingRange = (typeof MOVING_RANGES)[number];
/** All ranges with a name. */
export const PRESETS = [...MOVING_RANGES, ...CALENDAR_RANGES] as const;
export type Preset = MovingRange | CalendarRange;
const WIDTHS: Readonly<Record<Exclude<MovingRange, 'all'>, number>> = {
  '1h': HOUR,
  '8h': 8 * HOUR,
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '1y': 365 * DAY,
};

/** The range of the charts. A preset follows the time, a custom range (Unix milliseconds) is fixed. */
export type ChartRange =
  | { readonly kind: 'preset'; readonly preset: Preset }
  | { readonly kind: 'custom'; readonly from: number; readonly to: number };

/** A narrower range is of no use: readings come once a minute, at most about once a second. */
export const NARROWEST_MS = 5000;
/**
 * A wider range is of no use. The limit is twice the span of the readings, but at least a year and at most a century.
 */
const WIDEST_AT_LEAST_MS = 365 * DAY;
const WIDEST_AT_MOST_MS = 100 * 365 * DAY;
/** The latest time of a Date, in Unix milliseconds. */
const LAST_MS = 8_640_000_000_000_000;
/** A moving view is queried again after it has moved by two of this many steps per width. */
const STEPS_PER_WIDTH = 60;
/**
 * A moving range ends at the next multiple of this or a smaller step, so that the query's key does not change with
 * every tick.
 */
const LONGEST_STEP_MS = MINUTE;

/** Returns whether a range is named after the calendar. */
export function isCalendar(preset: Preset): preset is CalendarRange {
  return (CALENDAR_RANGES as readonly Preset[]).includes(preset);
}

/**
 * Returns the span that a range shows at `now`, and the span of its query. `span` is the span of the device's readings,
 * null without any; `firstWeekday` is 1 for Monday to 7 for Sunday.
 */
export function resolveRange(
  range: ChartRange,
  now: number,
  span: View | null,
  firstWeekday = 1,
): { view: View; query: TimeRange } {
  if (range.kind === 'custom') return { view: range, query: { from: range.from, to: range.to } };
  if (isCalendar(range.preset)) {
    const view = calendarRange(range.preset, now, firstWeekday);
    return { view, query: { from: view.from, to: view.to >= now ? null : view.to } };
  }
  if (range.preset === 'all') {
    const from = span?.from ?? now - DAY;
    return { view: widen(from, Math.max(span?.to ?? now, from)), query: { from: null, to: null } };
  }
  const width = WIDTHS[range.preset];
  const step = Math.min(tickMs(range), LONGEST_STEP_MS);
  // Charts, counts, lists and exports use the same span, which is as wide as its name says. There are no readings after
  // now.
  const to = Math.max(width, Math.ceil(now / step) * step);
  return { view: { from: to - width, to }, query: { from: to - width, to: null } };
}

/** Returns whether a query was for a view. A preset may have moved on by a few steps since. */
export function isAskedFor(asked: TimeRange, { from, to }: View): boolean {
  if (asked.from === null) return false;
  const lead = from - asked.from;
  return lead >= 0 && lead <= (2 * (to - from)) / STEPS_PER_WIDTH && (asked.to === null || asked.to === to);
}

/** Returns the moving range of a width in milliseconds; null if there is none. */
export function presetOfWidth(width: number): Preset | null {
  return MOVING_RANGES.find((preset) => preset !== 'all' && WIDTHS[preset] === width) ?? null;
}

/**
 * The time of a pixel grows in this many steps per doubling, so that a slowly growing view does not query all the time.
 */
const STEPS_PER_DOUBLING = 4;

/** Returns the milliseconds of each of `points` points of a view. */
export function pixelMs({ from, to }: View, points: number): number {
  const exact = Math.max(1, (to - from) / points);
  return Math.floor(2 ** (Math.floor(Math.log2(exact) * STEPS_PER_DOUBLING) / STEPS_PER_DOUBLING));
}

/**
 * Returns how often a range's view moves, in milliseconds: by a thousandth of its width; calendar ranges move every
 * minute.
 */
export function tickMs(range: ChartRange): number {
  if (range.kind === 'custom' || range.preset === 'all') return 2000;
  return isCalendar(range.preset) ? MINUTE : Math.max(2000, WIDTHS[range.preset] / 1000);
}

/**
 * Returns a range around the middle of `view`; `factor` 0.5 shows half of it, 2 twice as much. undefined if that would
 * be too narrow or too wide. `span` as in `resolveRange`.
 */
export function zoomed(view: View, factor: number, now: number, span: View | null): ChartRange | undefined {
  const middle = (view.from + view.to) / 2;
  const before = view.to - view.from;
  const all = span === null ? 0 : 2 * (Math.max(span.to, now) - span.from);
  const widest = Math.min(Math.max(all, WIDEST_AT_LEAST_MS), WIDEST_AT_MOST_MS);
  const width = factor < 1 ? Math.max(before * factor, NARROWEST_MS) : Math.min(before * factor, widest);
  if (factor < 1 ? width >= before : width <= before) return undefined;
  return shifted(middle - width / 2, middle + width / 2, now);
}

/** Returns a range of the same width, moved by a part of it; negative is earlier. */
export function panned(view: View, part: number, now: number): ChartRange {
  const move = (view.to - view.from) * part;
  return shifted(view.from + move, view.to + move, now);
}

/** Returns the range between two times in any order; undefined if it is too narrow. */
export function rangeBetween(a: number, b: number): ChartRange | undefined {
  const from = Math.max(0, Math.floor(Math.min(a, b)));
  const to = Math.min(LAST_MS, Math.ceil(Math.max(a, b)));
  if (!(to - from >= NARROWEST_MS)) return undefined;
  return { kind: 'custom', from, to };
}

// There are no readings after now. But a device's clock may be fast, so half of the view may be in the future.
function shifted(from: number, to: number, now: number): ChartRange {
  const width = to - from;
  const latest = now + width / 2;
  const end = Math.round(Math.min(Math.max(to, width), Math.max(latest, 0), LAST_MS));
  return { kind: 'custom', from: Math.max(0, Math.round(end - width)), to: Math.max(end, NARROWEST_MS) };
}

function widen(from: number, to: number): View {
  const margin = to - from < MINUTE ? 30 * MINUTE : 0;
  return { from: Math.max(0, from - margin), to: to + margin };
}

/** Returns a local time in the format of `<input type="datetime-local">`, to the second. */
export function toLocalInput(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Parses such a text to Unix milliseconds; null if it is not a time that the node accepts. */
export function fromLocalInput(text: string): number | null {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}
