import type { PresetRange } from '../../../shared/alerts/presets.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { Cycle, StageRange } from '../../../shared/owner-data/cycles.ts';
import { addDays, daysBetween } from '../../../shared/owner-data/days.ts';

/** The fields for which a stage may set a range. */
export const FIELDS = ['ph', 'ec', 'tempWater', 'tempAmbient', 'humidity', 'vpd'] as const;
export type FieldOfStage = (typeof FIELDS)[number];

/** The bounds of a range, and those of its range by night. */
const BOUNDS = ['low', 'high', 'nightLow', 'nightHigh'] as const;
export type Bound = (typeof BOUNDS)[number];
type Typed = Readonly<Record<Bound, string>>;

/** A stage as typed. */
export interface StageForm {
  readonly name: string;
  readonly from: string;
  /** Whether ranges by night are shown and apply. */
  readonly hasNights: boolean;
  readonly ranges: Readonly<Record<FieldOfStage, Typed>>;
}

/** A crop cycle as typed. */
export interface CycleForm {
  readonly crop: string;
  readonly variety: string;
  /** The id of a device or of a group. */
  readonly place: string;
  readonly plantedAt: string;
  /** The planting day that the days of the stages were last computed from. */
  readonly stagesFrom: string;
  readonly plants: string;
  readonly areaM2: string;
  readonly endedAt: string;
  readonly stages: readonly StageForm[];
}

export type CycleFault =
  | 'crop'
  | 'place'
  | 'day'
  | 'plants'
  | 'area'
  | 'stageName'
  | 'range'
  | 'overlap'
  | 'beforePlanting'
  | 'endBeforePlanting'
  | 'afterEnd';

/** Returns ranges as they appear in the form. */
export function rangesOf(
  ranges: readonly (Pick<PresetRange, 'field' | 'low' | 'high'> & Pick<StageRange, 'night'>)[],
): Readonly<Record<FieldOfStage, Typed>> {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
  const entries = FIELDS.map((field) => {
    const range = ranges.find((each) => each.field === field);
    const { low, high, night } = range ?? {};
    const typed = { low: text(low), high: text(high), nightLow: text(night?.low), nightHigh: text(night?.high) };
    return [field, typed] as const;
  });
  return Object.fromEntries(entries) as Record<FieldOfStage, Typed>;
}

/**
 * Returns the form of a cycle. A new cycle gets the crop, the place and the stages of `last`, each stage as many days
 * after planting.
 */
export function formOf(cycle: Cycle | null, last: Cycle | null, today: string): CycleForm {
  const from = cycle ?? last;
  const placeOf = ({ place }: Cycle) => (place.kind === 'device' ? place.device : place.group);
  const stages = (from?.stages ?? []).map((stage) => ({
    ...stage,
    ...{ hasNights: stage.ranges.some(({ night }) => night !== undefined), ranges: rangesOf(stage.ranges) },
  }));
  const form = planted({ stages, stagesFrom: from?.plantedAt ?? today }, cycle?.plantedAt ?? today);
  return {
    crop: from?.crop ?? '',
    variety: from?.variety ?? '',
    place: from === null ? '' : placeOf(from),
    ...form,
    plants: from?.plants?.toString() ?? '',
    areaM2: from?.areaM2?.toString() ?? '',
    endedAt: cycle?.endedAt ?? '',
  };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Ignores years that are still being typed, such as "0002-03-01". */
const FIRST_DAY = '1900-01-01';

/** Moves the day of planting and, by the same number of days, the stages. */
export function planted(
  { stages, stagesFrom }: Pick<CycleForm, 'stages' | 'stagesFrom'>,
  plantedAt: string,
): Pick<CycleForm, 'stages' | 'stagesFrom' | 'plantedAt'> {
  if (!DAY.test(plantedAt) || plantedAt < FIRST_DAY) return { stages, stagesFrom, plantedAt };
  const days = daysBetween(stagesFrom, plantedAt);
  const moved = (from: string) => (DAY.test(from) ? addDays(from, days) : from);
  return { stages: stages.map((stage) => ({ ...stage, from: moved(stage.from) })), stagesFrom: plantedAt, plantedAt };
}
const isEmpty = ({ low, high }: { low: number | null; high: number | null }) => low === null && high === null;
const numberIn = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim().replace(',', '.')));

/** Returns the cycle of a form, or the first fault in the form. */
export function cycleOf(
  form: CycleForm,
  before: Cycle | null,
): { readonly cycle: Input<'writeCycle'> } | { readonly fault: CycleFault } {
  const { plantedAt, endedAt } = form;
  const [plants, areaM2] = [numberIn(form.plants), numberIn(form.areaM2)];
  if (form.crop.trim() === '') return { fault: 'crop' };
  if (form.place === '') return { fault: 'place' };
  if (!DAY.test(plantedAt) || form.stages.some(({ from }) => !DAY.test(from))) return { fault: 'day' };
  if (plants !== null && !(Number.isInteger(plants) && plants >= 1 && plants <= 1e6)) return { fault: 'plants' };
  if (areaM2 !== null && !(areaM2 > 0 && areaM2 <= 1e6)) return { fault: 'area' };
  if (form.stages.some(({ name }) => name.trim() === '')) return { fault: 'stageName' };
  const stages = form.stages.map(({ name, from, hasNights, ranges }) => ({
    ...{ name: name.trim(), from },
    ranges: FIELDS.flatMap((field): StageRange[] => {
      const [low, high, nightLow, nightHigh] = BOUNDS.map((bound) => numberIn(ranges[field][bound]));
      const day = { low: low ?? null, high: high ?? null };
      const night = { low: nightLow ?? null, high: nightHigh ?? null };
      if (!hasNights || isEmpty(night)) return isEmpty(day) ? [] : [{ field, ...day }];
      return [{ field, ...day, night }];
    }),
  }));
  const isRange = ({ low, high }: { low: number | null; high: number | null }) =>
    !isEmpty({ low, high }) &&
    !Number.isNaN(low ?? 0) &&
    !Number.isNaN(high ?? 0) &&
    (low === null || high === null || low < high);
  const areRanges = (range: StageRange) => isRange(range) && (range.night === undefined || isRange(range.night));
  if (!stages.every(({ ranges }) => ranges.every(areRanges))) return { fault: 'range' };
  if (stages.some(({ from }, index) => index > 0 && from <= stages[index - 1]!.from)) return { fault: 'overlap' };
  if (stages.some(({ from }) => from < plantedAt)) return { fault: 'beforePlanting' };
  if (endedAt !== '' && endedAt < plantedAt) return { fault: 'endBeforePlanting' };
  if (endedAt !== '' && stages.some(({ from }) => from > endedAt)) return { fault: 'afterEnd' };
  const isDevice = form.place.length === 64;
  return {
    cycle: {
      id: before?.id ?? null,
      crop: form.crop.trim(),
      variety: form.variety.trim(),
      place: isDevice ? { kind: 'device', device: form.place } : { kind: 'group', group: form.place },
      zone: before?.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...{ plantedAt, plants, areaM2, stages },
      endedAt: endedAt === '' ? null : endedAt,
    },
  };
}
