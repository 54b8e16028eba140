import { type Correction, correct, correctedValue, correctionAt } from '../../shared/measures/correction.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../shared/protocol/fields.ts';
import type { StoredFields } from './reading.ts';
import type { FieldSums, Span, StepSums, StoresView } from './stores-view.ts';

/**
 * Returns the sums of a span like `StoresView.sums`, but of corrected values. A step in which a correction begins is
 * the sum of its parts before and after. Of hours whose readings retention deleted, only sums are left: such an hour is
 * corrected as a whole, with the correction in force at its start.
 */
export async function correctedSums(
  stores: StoresView,
  id: string,
  span: Span,
  stepMs: number,
  corrections: readonly Correction[],
): Promise<StepSums[]> {
  const steps = new Map<number, StepSums>();
  const starts = new Set(corrections.map(({ from }) => BigInt(from)));
  const inner = [...starts].filter((from) => from > span.from && from <= span.to).sort((a, b) => (a < b ? -1 : 1));
  const bounds = [span.from, ...inner];
  for (const [index, from] of bounds.entries()) {
    const to = (inner[index] ?? span.to + 1n) - 1n;
    for (const step of await stores.sums(id, { ...span, from, to }, stepMs)) {
      const corrected = correctStep(step, Number(from), corrections);
      const before = steps.get(step.time);
      steps.set(step.time, before === undefined ? corrected : added(before, corrected));
    }
  }
  return [...steps.values()].sort((a, b) => a.time - b.time);
}

/** Returns the fields of a reading with its plain values corrected. */
export function correctFields(fields: StoredFields, time: number, corrections: readonly Correction[]): StoredFields {
  if (corrections.length === 0) return fields;
  return perFieldName((name) => {
    const value = fields[name];
    return typeof value === 'number' ? correctedValue(corrections, name, time, value) : value;
  });
}

/** Corrects a step. For all of its readings, the same corrections must be in force as at `time`. */
function correctStep(step: StepSums, time: number, corrections: readonly Correction[]): StepSums {
  if (corrections.length === 0) return step;
  const fields = {} as Record<FieldName, FieldSums>;
  for (const name of FIELD_NAMES) {
    const sums = step.fields[name];
    const correction = correctionAt(corrections, name, time);
    const by = (value: number | null) => (value === null ? null : correct(correction, value));
    // A slope is never negative, so the minimum stays the minimum.
    fields[name] = { ...sums, min: by(sums.min), max: by(sums.max), mean: by(sums.mean) };
  }
  return { ...step, fields };
}

function added(a: StepSums, b: StepSums): StepSums {
  const fields = {} as Record<FieldName, FieldSums>;
  for (const name of FIELD_NAMES) fields[name] = addedField(a.fields[name], b.fields[name]);
  return { time: a.time, readings: a.readings + b.readings, fields };
}

function addedField(a: FieldSums, b: FieldSums): FieldSums {
  const sealed = a.sealed + b.sealed;
  if (a.count === 0 || b.count === 0) return { ...(a.count === 0 ? b : a), sealed };
  const count = a.count + b.count;
  return {
    ...{ count, sealed },
    min: Math.min(a.min!, b.min!),
    max: Math.max(a.max!, b.max!),
    mean: a.mean! + (b.mean! - a.mean!) * (b.count / count),
  };
}
