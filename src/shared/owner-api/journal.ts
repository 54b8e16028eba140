import { z } from 'zod';
import { journalEntry, writtenEntry } from '../owner-data/journal.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { LOGS, type Methods } from './method.ts';
import { nothing } from './values.ts';

/** The most entries that one answer has: the newest of a range. */
export const MAX_ENTRIES = 2000;

export const JOURNAL_METHODS = {
  /** Entries between two times, both inclusive (null is unbounded), oldest first: of one device and of all, or of any. */
  journal: {
    role: 'viewer',
    input: z.strictObject({ device: deviceId.nullable(), from: timeMs.nullable(), to: timeMs.nullable() }),
    output: z.strictObject({
      entries: z.array(journalEntry),
      /** Older ones of the range were left out. */
      isCut: z.boolean(),
    }),
  },
  /**
   * Writes an entry again, or a new one where `id` is null. A viewer who may log adds entries, and no calibrations: those
   * change what others see. One who sees some devices alone names one of them. Else it is `forbidden`.
   */
  writeJournalEntry: {
    role: 'viewer',
    asks: LOGS,
    input: writtenEntry.safeExtend({ id: journalEntry.shape.id.nullable() }),
    output: journalEntry,
  },
  deleteJournalEntry: { role: 'owner', input: journalEntry.pick({ id: true }), output: nothing },
} as const satisfies Methods;
