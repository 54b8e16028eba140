import type { OpeningFault } from '../../shared/crypto/keyring/opening.ts';
import { type Correction, correctedValue } from '../../shared/measures/correction.ts';
import type { AnyField } from '../../shared/measures/derived.ts';
import type { History } from '../../shared/owner-api/readings.ts';
import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import type { TimeRange } from '../api/queries/readings.ts';
import type { OpenedSeries } from './opened-series.ts';

/** The number of sealed values of a field that were opened in a history, and why others were not. */
export interface OpenedCounts {
  readonly opened: number;
  readonly failed: Readonly<Partial<Record<OpeningFault, number>>>;
}

/** The data of a chart, including opened values. `sealed` counts the values that were not tried. */
export interface MergedHistory extends History {
  readonly openings: Readonly<Record<FieldName, OpenedCounts>>;
}

/** The data of a chart with opened values and the derived fields. */
export interface OpenedHistory extends Omit<History, 'fields'> {
  readonly fields: Readonly<Record<AnyField, History['fields'][FieldName]>>;
  readonly openings: Readonly<Record<AnyField, OpenedCounts>>;
}

/** The span in which values of a history are still sealed; both times inclusive. */
export interface Missing {
  readonly from: number;
  readonly to: number;
  /** About how many readings have sealed values there. */
  readonly readings: number;
}

/** One field of a history while opened values are merged into it. */
class FieldMerge {
  readonly min: (number | null)[];
  readonly max: (number | null)[];
  readonly mean: (number | null)[];
  readonly count: number[];
  /** The numbers of values that are still to be opened. */
  readonly sealed: number[];
  opened = 0;
  readonly failed: Partial<Record<OpeningFault, number>> = {};

  constructor(series: History['fields'][FieldName]) {
    this.min = [...series.min];
    this.max = [...series.max];
    this.mean = [...series.mean];
    this.count = [...series.count];
    this.sealed = [...series.sealed];
  }

  put(index: number, value: number | OpeningFault): void {
    if (this.sealed[index]! > 0) this.sealed[index]!--;
    if (typeof value === 'string') {
      this.failed[value] = (this.failed[value] ?? 0) + 1;
      return;
    }
    this.opened++;
    const count = this.count[index]! + 1;
    const mean = this.mean[index] ?? 0;
    this.count[index] = count;
    this.mean[index] = mean + (value - mean) / count;
    this.min[index] = Math.min(this.min[index] ?? Number.POSITIVE_INFINITY, value);
    this.max[index] = Math.max(this.max[index] ?? Number.NEGATIVE_INFINITY, value);
  }
}

/**
 * Merges opened values into the steps or readings of a history. `missing` is the span in which the node counts more
 * sealed values than were opened or failed; this includes readings that arrived late. `range` is the requested range of
 * the history. The node has already corrected the history's values; `corrections` correct the opened ones.
 */
export function mergeOpened(
  history: History,
  range: TimeRange,
  series: OpenedSeries,
  corrections: readonly Correction[] = [],
): { readonly history: MergedHistory; readonly missing: Missing | null } {
  const { times, stepMs } = history;
  // Readings of the same time are adjacent, so the first one is enough to find the others.
  const entryAt = new Map<number, number>();
  for (let index = times.length - 1; index >= 0; index--) entryAt.set(times[index]!, index);
  const merges = FIELD_NAMES.map((field) => new FieldMerge(history.fields[field]));
  series.forEach(range.from ?? 0, range.to ?? Number.POSITIVE_INFINITY, (time, field, value) => {
    let index = entryAt.get(stepMs === null ? time : Math.floor(time / stepMs) * stepMs);
    if (index === undefined) return;
    const merge = merges[field]!;
    if (stepMs === null) {
      const first = index;
      while (merge.sealed[index] === 0 && times[index + 1] === time) index++;
      // The reading arrived after this history was made. The next history includes it.
      if (merge.sealed[index] === 0 || times[index] !== times[first]) return;
    }
    merge.put(index, typeof value === 'string' ? value : correctedValue(corrections, FIELD_NAMES[field]!, time, value));
  });
  const perField = <T>(of: (merge: FieldMerge) => T) =>
    Object.fromEntries(FIELD_NAMES.map((field, index) => [field, of(merges[index]!)])) as Record<FieldName, T>;
  return {
    history: {
      ...history,
      fields: perField(({ min, max, mean, count, sealed }) => ({ min, max, mean, count, sealed })),
      openings: perField(({ opened, failed }) => ({ opened, failed })),
    },
    missing: missingOf(history, range, merges),
  };
}

function missingOf({ times, stepMs }: History, range: TimeRange, merges: readonly FieldMerge[]): Missing | null {
  let first: number | null = null;
  let last = 0;
  let readings = 0;
  for (const [index] of times.entries()) {
    const most = merges.reduce((least, { sealed }) => Math.max(least, sealed[index]!), 0);
    if (most === 0) continue;
    first ??= index;
    last = index;
    readings += most;
  }
  if (first === null) return null;
  return {
    from: Math.max(times[first]!, range.from ?? 0),
    to: Math.min(times[last]! + (stepMs === null ? 0 : stepMs - 1), range.to ?? Number.POSITIVE_INFINITY),
    readings,
  };
}
