import { HOUR_MS } from '../../../src/main/store/counts.ts';
import type { NewReading } from '../../../src/main/store/reading.ts';
import type { HeldCounts, Span } from '../../../src/main/store/stores-view.ts';
import type { StoreName } from '../../../src/shared/protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../../../src/shared/protocol/fields.ts';

/** A reading and the store that it comes from. */
export interface Kept extends NewReading {
  readonly store: StoreName;
}

/** The contents of both stores for one device, as plain lists. */
export class MergedModel {
  readonly #kept: Record<StoreName, Map<bigint, Kept>> = { private: new Map(), public: new Map() };

  append(store: StoreName, readings: readonly NewReading[]): void {
    const kept = this.#kept[store];
    for (const each of readings) if (!kept.has(each.seq)) kept.set(each.seq, { ...each, store });
  }

  /** Every row of both stores. */
  get rows(): Kept[] {
    return [...this.#kept.private.values(), ...this.#kept.public.values()];
  }

  /** The counts of one store: readings, and plain and sealed values of each field. */
  heldIn(store: StoreName): HeldCounts {
    const kept = [...this.#kept[store].values()];
    const fields = FIELD_NAMES.map((name) => {
      const plain = kept.filter((each) => typeof each.fields[name] === 'number').length;
      const sealed = kept.filter((each) => each.fields[name] instanceof Uint8Array).length;
      return [name, { plain, sealed }];
    });
    return { store, count: kept.length, fields: Object.fromEntries(fields) };
  }

  countIn(store: StoreName): number {
    return this.#kept[store].size;
  }

  /** The readings of a span in the order of its axis. */
  inSpan({ axis, from, to }: Span): Kept[] {
    const isIn = (reading: Kept) => timeOf(axis, reading) >= from && timeOf(axis, reading) <= to;
    return this.inOrder(axis).filter(isIn);
  }

  /** All readings in the order of an axis, the private store's where both have one. */
  inOrder(axis: Span['axis']): Kept[] {
    const merged = [...new Map([...this.#kept.public, ...this.#kept.private]).values()];
    const bySeq = (a: Kept, b: Kept) => compare(a.seq, b.seq);
    if (axis === 'received') return merged.sort(bySeq);
    return merged.sort((a, b) => compare(a.timestamp, b.timestamp) || bySeq(a, b));
  }

  /** How many rows both stores have that the public one received at a time or later. */
  inBoth(since: number): number {
    const others = [...this.#kept.public.values()];
    return others.filter(({ seq, receivedAt }) => receivedAt >= since && this.#kept.private.has(seq)).length;
  }

  /** The sums of a span by steps, without the means. */
  sums(span: Span, stepMs: number) {
    const steps = new Map<number, Kept[]>();
    for (const each of this.inSpan(span)) {
      const time = Math.floor(Number(timeOf(span.axis, each)) / stepMs) * stepMs;
      steps.set(time, [...(steps.get(time) ?? []), each]);
    }
    const ordered = [...steps].sort(([a], [b]) => a - b);
    return ordered.map(([time, readings]) => ({ time, readings: readings.length, fields: sumFields(readings) }));
  }

  /** The newest reading with a value of a field within two hours. */
  newestWith(field: FieldName, fromHour: number, toHour: number): Kept | null {
    const span = {
      axis: 'timestamp',
      from: BigInt(fromHour * HOUR_MS),
      to: BigInt((toHour + 1) * HOUR_MS - 1),
    } as const;
    return this.inSpan(span).findLast(({ fields }) => fields[field] !== null) ?? null;
  }
}

/** Where a reading lies on an axis. */
export function timeOf(axis: Span['axis'], { timestamp, receivedAt }: NewReading): bigint {
  return axis === 'timestamp' ? timestamp : BigInt(receivedAt);
}

export function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sumFields(readings: readonly Kept[]) {
  const sumField = (name: FieldName) => {
    const values = readings.map(({ fields }) => fields[name]);
    const plain = values.filter((value) => typeof value === 'number');
    return {
      count: plain.length,
      sealed: values.filter((value) => value instanceof Uint8Array).length,
      min: plain.length === 0 ? null : Math.min(...plain),
      max: plain.length === 0 ? null : Math.max(...plain),
      mean: plain.length === 0 ? null : plain.reduce((sum, value) => sum + value, 0) / plain.length,
    };
  };
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, sumField(name)])) as Record<
    FieldName,
    ReturnType<typeof sumField>
  >;
}
