import { CommandError, EXIT } from './exit-codes.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Reads a typed time: `2h` ago, a day, or an ISO 8601 time (local without a zone). Returns Unix milliseconds. Throws
 * CommandError.
 */
export function readTime(text: string, now: number): number {
  const ago = /^(\d{1,9})([smhdw])$/.exec(text);
  if (ago !== null) return Math.max(0, now - Number(ago[1]) * UNITS[ago[2]!]!);
  // JavaScript would read a day without a time as UTC.
  const at = new Date(text.length === 10 ? `${text}T00:00:00` : text).getTime();
  if (!isDay(TIME.exec(text)) || Number.isNaN(at) || at < 0)
    throw new CommandError(`${text} is not a time: write 2h, 3d, 2026-05-01 or 2026-05-01T12:00`, EXIT.usage);
  return at;
}

/** Returns whether the calendar has such a day. JavaScript would read the 30th of February as the 2nd of March. */
function isDay(match: RegExpExecArray | null): boolean {
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
}

/** Throws CommandError if `--since` is later than `--until`. */
export function refuseEmptyRange({ since, until }: { readonly since?: string; readonly until?: string }): void {
  if (since === undefined || until === undefined) return;
  const now = Date.now();
  if (readTime(since, now) > readTime(until, now))
    throw new CommandError(`--since ${since} is later than --until ${until}`, EXIT.usage);
}
