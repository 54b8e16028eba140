import { z } from 'zod';
import { timeMs } from '../../shared/owner-data/values.ts';
import type { StateFileKind } from '../state-files/state-file.ts';

const head = z.object({
  size: z.int().min(0),
  /** Lowercase hex. */
  root: z.string().regex(/^[0-9a-f]{64}$/),
  at: timeMs,
  /** Since when the store does not continue this tree; null if it does. */
  brokenSince: timeMs.nullable().default(null),
});

const content = z.object({
  version: z.literal(1),
  /** The newest tree of each store with a signed checkpoint. */
  private: head.nullable(),
  public: head.nullable(),
});

/** The file of heads. It is separate from the stores, so it shows if a store was reset to an earlier state. */
export const LOG_HEADS_FILE: StateFileKind<typeof content> = {
  name: 'log-heads.json',
  schema: content,
  empty: { version: 1, private: null, public: null },
};
