import { z } from 'zod';
import { cycle, writtenCycle } from '../owner-data/cycles.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

/** The ranges of a cycle's present stage are rules of its place, which follow it. */
export const CYCLE_METHODS = {
  /** All crop cycles, in no order. */
  cycles: { role: 'viewer', input: nothing, output: z.strictObject({ cycles: z.array(cycle) }) },
  /** Writes a cycle again, or a new one where `id` is null. */
  writeCycle: { role: 'owner', input: writtenCycle, output: cycle },
  /** Its harvests and other log entries stay. */
  deleteCycle: { role: 'owner', input: z.strictObject({ id: z.uuid() }), output: nothing },
} as const satisfies Methods;
