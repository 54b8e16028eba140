import { z } from 'zod';
import { journalEntry, writtenEntry } from '../owner-data/journal.ts';
import { deviceId, timeMs } from '../owner-data/values.ts';
import { LOGS, type Methods } from './method.ts';
import { nothing } from './values.ts';

/** The most entries in one answer: the newest of the range. */
export const MAX_ENTRIES = 2000;

export const JOURNAL_METHODS = {
  /** Returns entries between two times, both inclusive (null is unbounded), oldest first. `device` null means any device. */
  journal: {
    role: 'viewer',
    input: z.strictObject({ device: deviceId.nullable(), from: timeMs.nullable(), to: timeMs.nullable() }),
    output: z.strictObject({
      entries: z.array(journalEntry),
      /** Whether older entries of the range were left out. */
      isCut: z.boolean(),
    }),
  },
  /**
   * Replaces an entry, or adds one if `id` is null. A viewer who may log can add entries, except calibrations, because those
   * change what others see. A viewer of some devices must name one of them. Otherwise the call is `forbidden`.
   */
  writeJournalEntry: {
    role: 'viewer',
    asks: LOGS,
    input: writtenEntry.safeExtend({ id: journalEntry.shape.id.nullable() }),
    output: journalEntry,
  },
  deleteJournalEntry: { role: 'owner', input: journalEntry.pick({ id: true }), output: nothing },
} as const satisfies Methods;
