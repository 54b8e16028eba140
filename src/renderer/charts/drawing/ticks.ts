import { hourAndMinute } from '../../../shared/format/format.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MONTH = 28 * DAY;
const YEAR = 365 * DAY;

function createFormats(locale: string) {
  const time = hourAndMinute(locale);
  return {
    second: new Intl.DateTimeFormat(locale, { ...time, second: '2-digit' }),
    minute: new Intl.DateTimeFormat(locale, time),
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }),
    month: new Intl.DateTimeFormat(locale, { month: 'short' }),
    year: new Intl.DateTimeFormat(locale, { year: 'numeric' }),
  };
}

/** To create them is slow, and the charts of a page share them. */
const formatsOf = new Map<string, ReturnType<typeof createFormats>>();

/**
 * Returns a function for the labels of ticks on an axis of local time, `stepMs` apart (Unix milliseconds). A label has
 * the finer part and, at the first tick or when it changes, the day or year below it.
 */
export function createTimeTicks(locale: string): (ticks: readonly number[], stepMs: number) => string[] {
  const formats = formatsOf.get(locale) ?? createFormats(locale);
  formatsOf.set(locale, formats);
  const isNew = (tick: number, before: number | undefined, coarse: Intl.DateTimeFormat) =>
    before === undefined || coarse.format(tick) !== coarse.format(before);
  return (ticks, stepMs) => {
    if (stepMs >= YEAR) return ticks.map((tick) => formats.year.format(tick));
    const fine =
      stepMs < MINUTE ? formats.second : stepMs < DAY ? formats.minute : stepMs < MONTH ? formats.day : formats.month;
    const coarse = stepMs < DAY ? formats.day : formats.year;
    return ticks.map((tick, index) => {
      const text = fine.format(tick);
      return isNew(tick, ticks[index - 1], coarse) ? `${text}\n${coarse.format(tick)}` : text;
    });
  };
}

const MOST_DECIMALS = 6;

/**
 * Returns a function for the labels of ticks on an axis of numbers, `step` apart. All have the same number of decimals:
 * as many as the step needs, at most 6.
 */
export function createNumberTicks(locale: string): (ticks: readonly number[], step: number) => string[] {
  return (ticks, step) => {
    const digits = decimalsFor(step);
    const format = new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      ...(ticks.some((tick) => Math.abs(tick) >= 1e7) ? { notation: 'scientific', maximumFractionDigits: 3 } : {}),
    });
    return ticks.map((tick) => format.format(tick));
  };
}

/** Returns how many decimals are needed to write the step exactly: 2 for 0.25. */
function decimalsFor(step: number): number {
  for (let digits = 0; digits < MOST_DECIMALS; digits++) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return MOST_DECIMALS;
}
