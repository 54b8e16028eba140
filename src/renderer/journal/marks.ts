import type { JournalEntry } from '../../shared/owner-data/journal.ts';

/** An entry, with its number in the charts and in the list below them. */
export interface Mark {
  readonly number: number;
  readonly entry: JournalEntry;
}

const NONE: readonly Mark[] = [];

/** Returns the entries in view, numbered from the oldest. If there are none, it is always the same array. */
export function marksIn(
  entries: readonly JournalEntry[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly Mark[] {
  const inView = entries.filter(({ at }) => at >= from && at <= to);
  if (inView.length === 0) return NONE;
  return inView.toSorted((a, b) => a.at - b.at || a.id - b.id).map((entry, index) => ({ number: index + 1, entry }));
}

/** The kinds of entries that are written every few days. In charts of weeks, their lines would hide the rare ones. */
const ROUTINE: ReadonlySet<string | undefined> = new Set(['toppedUp', 'dosed', 'phCorrected', 'cleaned']);

/** Returns whether an entry is marked in charts of weeks. */
export function isMainEvent({ act }: JournalEntry): boolean {
  return !ROUTINE.has(act?.kind);
}
