import { z } from 'zod';
import { MAX_ENTRY_LENGTH } from './limits.ts';
import type { Methods } from './method.ts';
import { deviceId, nothing, timeMs } from './values.ts';

/** The most entries that one answer has: the newest of a range. */
export const MAX_ENTRIES = 2000;

/** What the owner noted at a time, such as "changed nutrients". */
export const journalEntry = z.strictObject({
  id: z.int().min(1),
  /** null: of all devices. */
  device: deviceId.nullable(),
  /** When it happened. */
  at: timeMs,
  text: z.string().trim().min(1).max(MAX_ENTRY_LENGTH),
  /** When it was written last. */
  updatedAt: timeMs,
});
export type JournalEntry = z.infer<typeof journalEntry>;

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
  /** Writes an entry again, or a new one where `id` is null. */
  writeJournalEntry: {
    role: 'owner',
    input: journalEntry.omit({ id: true, updatedAt: true }).extend({ id: journalEntry.shape.id.nullable() }),
    output: journalEntry,
  },
  deleteJournalEntry: { role: 'owner', input: journalEntry.pick({ id: true }), output: nothing },
} as const satisfies Methods;
