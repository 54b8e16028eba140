import { z } from 'zod';
import { MAX_ENTRY_LENGTH } from './limits.ts';
import { deviceId, timeMs } from './values.ts';

/** The owner's note at a time, such as "changed nutrients". */
export const journalEntry = z.strictObject({
  id: z.int().min(1),
  /** null for all devices. */
  device: deviceId.nullable(),
  /** When it happened. */
  at: timeMs,
  text: z.string().trim().min(1).max(MAX_ENTRY_LENGTH),
  /** When it was written last. */
  updatedAt: timeMs,
});
export type JournalEntry = z.infer<typeof journalEntry>;
