import type { AnyField } from '../../../../shared/measures/derived.ts';
import { daysOf } from '../../../../shared/owner-data/cycle-states.ts';
import type { LogSums } from '../../../../shared/owner-data/cycle-sums.ts';
import { dayOf } from '../../../../shared/owner-data/days.ts';
import type { KnownCycle } from '../../../crops/course/use-cycle.ts';

/** A quantity in which two cycles may differ. */
export type Subject =
  | { readonly kind: 'harvest' | 'perPlant' | 'perArea' | 'days' | 'water' }
  | { readonly kind: 'dose'; readonly product: string; readonly unit: string }
  | { readonly kind: 'stageDays'; readonly stage: string }
  /** A share of the time, 0 to 1. */
  | { readonly kind: 'inRange'; readonly stage: string; readonly field: AnyField };

/** A quantity with its values in both cycles. */
export interface Difference {
  readonly subject: Subject;
  /** null if the value is unknown, or the cycle has nothing of the kind. */
  readonly values: readonly [number | null, number | null];
  /** The unit of harvests: kg if any harvest was weighed. */
  readonly harvestUnit: 'kg' | 'pieces';
  /**
   * The size of the difference, 0 to 1: relative to the greater value, or in shares of the time. 0 if a value is
   * unknown.
   */
  readonly weight: number;
}

type Compared = Pick<KnownCycle, 'cycle' | 'sums' | 'stages'>;

/** Returns the results of two cycles side by side: harvest, days, water and doses, then the stages, matched by name. */
export function differencesOf(a: Compared, b: Compared, now: number): Difference[] {
  const both = [a, b] as const;
  const harvestUnit = both.some(({ sums }) => sums.harvestKg > 0) ? 'kg' : 'pieces';
  const harvestOf = ({ harvestKg, harvestPieces }: LogSums) => (harvestUnit === 'kg' ? harvestKg : harvestPieces);
  const row = (subject: Subject, amountOf: (of: Compared) => number | null): Difference => {
    const values = [amountOf(a), amountOf(b)] as const;
    return { subject, values, harvestUnit, weight: weightOf(subject, values) };
  };
  const per = (count: number | null, { sums }: Compared) => (count === null ? null : harvestOf(sums) / count);
  const doses = new Map(
    both.flatMap(({ sums }) => sums.doses.map(({ product, unit }) => [`${product} ${unit}`, { product, unit }])),
  );
  const sameName = (name: string, other: string) => name.trim().toLowerCase() === other.trim().toLowerCase();
  const names = both
    .flatMap(({ stages }) => stages.map(({ name }) => name))
    .filter((name, index, all) => all.findIndex((each) => sameName(each, name)) === index);
  const stageOf = (of: Compared, name: string) => of.stages.find((stage) => sameName(stage.name, name));
  return [
    row({ kind: 'harvest' }, ({ sums }) => harvestOf(sums)),
    row({ kind: 'perPlant' }, (of) => per(of.cycle.plants, of)),
    row({ kind: 'perArea' }, (of) => per(of.cycle.areaM2, of)),
    row({ kind: 'days' }, ({ cycle }) => daysOf(cycle, dayOf(now, cycle.zone))),
    row({ kind: 'water' }, ({ sums }) => sums.waterLitres),
    ...[...doses.values()].map(({ product, unit }) =>
      row(
        { kind: 'dose', product, unit },
        ({ sums }) => sums.doses.find((dose) => dose.product === product && dose.unit === unit)?.total ?? 0,
      ),
    ),
    ...names.flatMap((stage) => {
      const fields = new Set(both.flatMap((of) => [...(stageOf(of, stage)?.shares.keys() ?? [])]));
      return [
        row({ kind: 'stageDays', stage }, (of) => stageOf(of, stage)?.days ?? null),
        ...[...fields].map((field) =>
          row({ kind: 'inRange', stage, field }, (of) => stageOf(of, stage)?.shares.get(field) ?? null),
        ),
      ];
    }),
  ].filter(({ values }) => values.some((value) => value !== null));
}

function weightOf({ kind }: Subject, [a, b]: Difference['values']): number {
  if (a === null || b === null) return 0;
  const apart = Math.abs(a - b);
  if (kind === 'inRange') return apart;
  const most = Math.max(a, b);
  return most === 0 ? 0 : apart / most;
}

const NOTABLE = 0.1;
const MOST_REASONS = 4;

/**
 * Returns the largest differences that may explain unequal harvests: in doses, water, stage lengths and time in range.
 */
export function reasonsOf(differences: readonly Difference[]): Difference[] {
  return differences
    .filter(
      ({ subject, weight }) => weight >= NOTABLE && ['water', 'dose', 'inRange', 'stageDays'].includes(subject.kind),
    )
    .toSorted((x, y) => y.weight - x.weight)
    .slice(0, MOST_REASONS);
}
