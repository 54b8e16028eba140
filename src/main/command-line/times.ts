import { CommandError, EXIT } from './exit-codes.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time as it is typed: `2h` ago, a day, or a time as in ISO 8601 (local where no zone is said). In Unix milliseconds. */
export function readTime(text: string, now: number): number {
  const ago = /^(\d{1,9})([smhdw])$/.exec(text);
  if (ago !== null) return Math.max(0, now - Number(ago[1]) * UNITS[ago[2]!]!);
  // A day alone would be taken as one in UTC.
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : Date.parse(text);
  if (Number.isNaN(at) || at < 0)
    throw new CommandError(`${text} is no time: write 2h, 3d, 2026-05-01 or 2026-05-01T12:00`, EXIT.usage);
  return at;
}
