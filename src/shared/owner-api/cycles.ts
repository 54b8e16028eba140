import { z } from 'zod';
import { cycle, writtenCycle } from '../owner-data/cycles.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

/** The ranges of a cycle's present stage become rules of its place. They change with the stage. */
export const CYCLE_METHODS = {
  /** Returns all crop cycles, in no particular order. */
  cycles: { role: 'viewer', input: nothing, output: z.strictObject({ cycles: z.array(cycle) }) },
  /** Replaces a cycle, or adds one if `id` is null. */
  writeCycle: { role: 'owner', input: writtenCycle, output: cycle },
  /** Deletes a cycle. Its harvests and other log entries stay. */
  deleteCycle: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
} as const satisfies Methods;
