import { shortestFloat32 } from '../float32.ts';

/** Numbers, times and sizes in the chosen language. */
export interface Format {
  /**
   * A reading's value: the shortest decimal of its float32 (6.2, never 6.199999809), with at least `least` decimals.
   */
  number(value: number, least?: number): string;
  /** A computed value, such as a mean, with at most `digits` and at least `least` decimals. */
  rounded(value: number, digits: number, least?: number): string;
  /** A count. */
  integer(value: number): string;
  /** Local time of day to the second; from Unix milliseconds. */
  time(ms: number): string;
  /** The local day; from Unix milliseconds. */
  date(ms: number): string;
  /** Local day and time to the second; from Unix milliseconds. */
  dateTime(ms: number): string;
  /**
   * Local day and time to the second, without the current year, so that a table's column stays narrow; from Unix
   * milliseconds.
   */
  shortDateTime(ms: number): string;
  /** An elapsed time, from milliseconds: "12 sec ago". */
  age(elapsedMs: number): string;
  /** A span in at most two units, from milliseconds: "2 hr 5 min". */
  duration(ms: number): string;
  /** A size in powers of 1000: "1.2 MB". */
  bytes(count: number): string;
}

/** The most decimals of a value. */
const MOST_DECIMALS = 12;
/** The limits beyond which a value has an exponent. */
const TOO_LARGE = 1e9;
const TOO_SMALL = 1e-6;

/** Returns whether a value is so large or small that it needs an exponent. */
export function needsExponent(value: number): boolean {
  const size = Math.abs(value);
  return size !== 0 && (size >= TOO_LARGE || size < TOO_SMALL);
}

/** Returns, for a whole number, the shortest number with the same float32; otherwise the number itself. */
function fewestDigits(value: number): number {
  if (!Number.isInteger(value) || Math.fround(value) !== value) return value;
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === value) return candidate;
  }
  return value;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SPANS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/**
 * Locales whose ages have the same units as their spans: otherwise "2 hr. ago" of en-US and "há 5 seg." of pt-BR would
 * be next to "2 hr" and "5 s". Other languages use no region for both: "2 hrs" of en-GB would be next to "2 hr ago".
 */
const RELATIVE_LOCALES: Readonly<Record<string, string>> = { en: 'en-GB', pt: 'pt-PT' };

/**
 * Returns the format of hour and minute in a locale. Times of 24 hours have equal widths: "9:39" next to "09:41" would
 * look like another kind.
 */
export function hourAndMinute(locale: string): Pick<Intl.DateTimeFormatOptions, 'hour' | 'minute'> {
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return { hour: hourCycle === 'h23' || hourCycle === 'h24' ? '2-digit' : 'numeric', minute: '2-digit' };
}

/** Creates a formatter for a locale (a BCP 47 tag). That is slow: keep it. */
export function createFormat(locale: string): Format {
  const scientific = new Intl.NumberFormat(locale, { notation: 'scientific', maximumSignificantDigits: 9 });
  const integer = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const decimals = new Map<string, Intl.NumberFormat>();
  const timeOfDay = { ...hourAndMinute(locale), second: '2-digit' } as const;
  const day = { month: 'short', day: 'numeric' } as const;
  const time = new Intl.DateTimeFormat(locale, timeOfDay);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const dateTime = new Intl.DateTimeFormat(locale, { year: 'numeric', ...day, ...timeOfDay });
  const ofThisYear = new Intl.DateTimeFormat(locale, { ...day, ...timeOfDay });
  const units = new Map<string, Intl.NumberFormat>();

  const language = locale.split('-')[0]!;
  const relative = new Intl.RelativeTimeFormat(RELATIVE_LOCALES[language] ?? language, {
    numeric: 'auto',
    style: 'short',
  });
  const withUnit = (value: number, unit: string, digits: number): string => {
    const key = `${unit}/${digits}`;
    let format = units.get(key);
    if (format === undefined) {
      format = new Intl.NumberFormat(language === 'pt' ? locale : language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: digits,
      });
      units.set(key, format);
    }
    return format.format(value);
  };

  const withDecimals = (value: number, least: number, most: number): string => {
    const key = `${least}/${most}`;
    let format = decimals.get(key);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: most });
      decimals.set(key, format);
    }
    return format.format(value);
  };

  const magnitude = (value: number, least: number): string =>
    needsExponent(value) ? scientific.format(fewestDigits(value)) : withDecimals(value, least, MOST_DECIMALS);

  return {
    number: (value, least = 0) => magnitude(shortestFloat32(value), least),
    rounded: (value, digits, least = 0) =>
      Math.abs(value) >= TOO_LARGE ? magnitude(value, 0) : withDecimals(value, Math.min(least, digits), digits),
    integer: (value) => integer.format(value),
    time: (ms) => unbroken(time.format(ms)),
    date: (ms) => date.format(ms),
    dateTime: (ms) => unbroken(dateTime.format(ms)),
    shortDateTime: (ms) => unbroken((isOfAnotherYear(ms) ? dateTime : ofThisYear).format(ms)),
    age: (elapsedMs) => {
      const elapsed = Math.max(0, elapsedMs);
      const [unit, size] = SPANS.find(([, span]) => elapsed >= span) ?? SPANS[3];
      return relative.format(-Math.floor(elapsed / size), unit);
    },
    duration: (ms) => {
      const total = Math.max(0, Math.round(ms / SECOND)) * SECOND;
      const first = SPANS.findIndex(([, span]) => total >= span);
      if (first === -1) return withUnit(0, 'second', 0);
      const [unit, size] = SPANS[first]!;
      const parts = [withUnit(Math.floor(total / size), unit, 0)];
      const next = SPANS[first + 1];
      if (next !== undefined) {
        const rest = Math.floor((total % size) / next[1]);
        if (rest > 0) parts.push(withUnit(rest, next[0], 0));
      }
      return parts.join(' ');
    },
    bytes: (count) => {
      // Intl does not abbreviate "byte" but abbreviates the larger units, so sizes below 1000 are in kilobytes.
      const step = count < 1000 ? 1 : Math.min(BYTE_UNITS.length, Math.floor(Math.log10(count) / 3));
      const value = count / 1000 ** step;
      return withUnit(value, BYTE_UNITS[step - 1]!, value >= 100 ? 0 : 1);
    },
  };
}

/** Joins a time of day and its AM or PM by a no-break space: Intl writes a space that may break. */
function unbroken(text: string): string {
  return text.replace(/(?<=\d) (?=[ap]\.?\s?m\.?)/i, '\u00a0');
}

/** Returns whether `shortDateTime` writes a time with its year. */
export function isOfAnotherYear(ms: number): boolean {
  return new Date(ms).getFullYear() !== new Date().getFullYear();
}

/**
 * Returns the locale of dates and numbers: the browser's own region if it is of the chosen language (en-GB writes days
 * before months, en-US after), otherwise the language alone.
 */
export function localeFor(language: string, preferred: readonly string[]): string {
  const spoken = (tag: string): string => tag.split('-')[0]!.toLowerCase();
  return preferred.find((tag) => spoken(tag) === spoken(language)) ?? language;
}
