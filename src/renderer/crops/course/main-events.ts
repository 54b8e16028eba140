import type { JournalEntry } from '../../../shared/owner-data/journal.ts';

/** Entries of every few days: their lines in the charts would hide the seldom ones. */
const ROUTINE: ReadonlySet<string | undefined> = new Set(['toppedUp', 'dosed', 'phCorrected', 'cleaned']);

/** Whether an entry is marked in charts of weeks. */
export function isMainEvent({ act }: JournalEntry): boolean {
  return !ROUTINE.has(act?.kind);
}
