import type { JournalEntry } from '../../shared/owner-data/journal.ts';

/** An entry with the number that it has in the charts and in the list below them. */
export interface Mark {
  readonly number: number;
  readonly entry: JournalEntry;
}

/** The entries in view, numbered from the oldest. */
export function marksIn(
  entries: readonly JournalEntry[],
  { from, to }: { readonly from: number; readonly to: number },
): Mark[] {
  return entries
    .filter(({ at }) => at >= from && at <= to)
    .toSorted((a, b) => a.at - b.at || a.id - b.id)
    .map((entry, index) => ({ number: index + 1, entry }));
}

/** Entries of every few days: their lines in charts of weeks would hide the seldom ones. */
const ROUTINE: ReadonlySet<string | undefined> = new Set(['toppedUp', 'dosed', 'phCorrected', 'cleaned']);

/** Whether an entry is marked in charts of weeks. */
export function isMainEvent({ act }: JournalEntry): boolean {
  return !ROUTINE.has(act?.kind);
}
