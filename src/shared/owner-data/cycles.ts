import { z } from 'zod';
import { isZone } from './days.ts';
import { day } from './tasks.ts';
import { anyField, deviceId } from './values.ts';

export const MAX_CYCLES = 300;
const MAX_STAGES = 20;
const MAX_PLANTS = 1_000_000;
const MAX_AREA_M2 = 1_000_000;

const name = z.string().trim().min(1).max(100);
const limit = z.number().min(-1e9).max(1e9).nullable();

const isRange = ({ low, high }: { readonly low: number | null; readonly high: number | null }) =>
  low === null || high === null ? low !== high : low < high;
const NO_RANGE = { error: 'low must be below high, and one of them there' };

/**
 * The right range of a field in a stage, in the reference unit; null if there is no such bound. `night` is the range by
 * night; if it is missing, the range holds by day and by night.
 */
const stageRange = z
  .strictObject({
    ...{ field: anyField, low: limit, high: limit },
    night: z.strictObject({ low: limit, high: limit }).refine(isRange, NO_RANGE).optional(),
  })
  .refine(isRange, NO_RANGE);
export type StageRange = z.infer<typeof stageRange>;

/** A stage of a crop, from the beginning of a day until the next stage. */
const stage = z.strictObject({
  name,
  from: day,
  ranges: z
    .array(stageRange)
    .refine((list) => new Set(list.map(({ field }) => field)).size === list.length, { error: 'a field twice' }),
});
export type Stage = z.infer<typeof stage>;

const place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('device'), device: deviceId }),
  z.strictObject({ kind: z.literal('group'), group: z.uuid() }),
]);

const shape = z.strictObject({
  id: z.uuid(),
  /** The names of the crop and its variety, as the owner wrote them. */
  crop: name,
  variety: z.string().trim().max(100),
  place,
  /** The time zone of its days, such as "America/Sao_Paulo". It stays the same even if the node is moved. */
  zone: z.string().max(60).refine(isZone, { error: 'there is no such time zone' }),
  plantedAt: day,
  plants: z.int().min(1).max(MAX_PLANTS).nullable(),
  areaM2: z.number().positive().max(MAX_AREA_M2).nullable(),
  /** In the order of their days. */
  stages: z.array(stage).max(MAX_STAGES),
  /** Its last day; null while the crop grows. */
  endedAt: day.nullable(),
});
export type Cycle = z.infer<typeof shape>;

/** Adds the faults of a cycle's days. */
function checkDays({ plantedAt, stages, endedAt }: Omit<Cycle, 'id'>, context: z.RefinementCtx): void {
  const refuse = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] });
  if (stages.some(({ from }, index) => index > 0 && from <= stages[index - 1]!.from))
    refuse('stages overlap: each must begin on a later day than the one before', 'stages');
  if (stages.some(({ from }) => from < plantedAt)) refuse('a stage begins before the planting', 'stages');
  if (endedAt !== null && endedAt < plantedAt) refuse('it ends before the planting', 'endedAt');
  if (endedAt !== null && stages.some(({ from }) => from > endedAt)) refuse('a stage begins after the end', 'stages');
}

export const cycle = shape.superRefine(checkDays);
/** A cycle as the owner writes it; `id` is null for a new one. */
export const writtenCycle = shape.extend({ id: z.uuid().nullable() }).superRefine(checkDays);
