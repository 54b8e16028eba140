import { z } from 'zod';
import { timeMs } from '../../shared/owner-data/values.ts';
import type { StateFileKind } from '../state-files/state-file.ts';

const head = z.object({
  size: z.int().min(0),
  /** Lowercase hex. */
  root: z.string().regex(/^[0-9a-f]{64}$/),
  at: timeMs,
  /** Since when the store does not continue it; null: it does. */
  brokenSince: timeMs.nullable().default(null),
});

const content = z.object({
  version: z.literal(1),
  /** The newest tree of each store that a checkpoint was signed for. */
  private: head.nullable(),
  public: head.nullable(),
});

/** The file of heads, beside the stores: it shows if a store was put back to an earlier state. */
export const LOG_HEADS_FILE: StateFileKind<typeof content> = {
  name: 'log-heads.json',
  schema: content,
  empty: { version: 1, private: null, public: null },
};
