import { useCallback, useMemo } from 'react';
import {
  type AnyField,
  DERIVED_NAMES,
  type DerivedBy,
  derivedOfStep,
  mayBeDerived,
  perAnyField,
  sourcesOf,
} from '../../shared/measures/derived.ts';
import type { History } from '../../shared/owner-api/readings.ts';
import type { DeviceNotes } from '../../shared/owner-data/notes.ts';
import type { FieldName } from '../../shared/protocol/fields.ts';
import { useChoicesThere } from '../api/queries/choices.ts';
import type { MergedHistory, OpenedCounts, OpenedHistory } from './merge-opened.ts';

/** The part of a device that decides its derived values. */
interface Measuring {
  readonly id: string;
  readonly notes: Pick<DeviceNotes, 'units'>;
}

/** Returns a function for the settings that the derived values of a device depend on. */
export function useDerivedByOf(): (device: Measuring) => DerivedBy {
  const { climate } = useChoicesThere();
  return useCallback(({ id, notes: { units } }) => ({ units, leafOffset: climate[id]?.leafOffset ?? null }), [climate]);
}

/** Returns these settings for one device. The object stays the same until they change. */
export function useDerivedBy(device: Measuring | undefined): DerivedBy {
  const units = device?.notes.units;
  const leafOffset = useChoicesThere().climate[device?.id ?? '']?.leafOffset ?? null;
  return useMemo(() => ({ units: units ?? {}, leafOffset }), [units, leafOffset]);
}

const NOTHING_OPENED: OpenedCounts = { opened: 0, failed: {} };
type Series = OpenedHistory['fields'][AnyField];

/**
 * Adds the derived fields to a history. The value of a reading is derived from its own values. The value of a step is
 * derived from the means of the step, so its lowest and highest value are the same. A step has one only if nearly all
 * of its readings have all source fields.
 */
export function withDerived(history: History & Partial<Pick<MergedHistory, 'openings'>>, by: DerivedBy): OpenedHistory {
  const fields = { ...history.fields } as Record<AnyField, Series>;
  const openings = perAnyField((field): OpenedCounts => history.openings?.[field as FieldName] ?? NOTHING_OPENED);
  for (const name of DERIVED_NAMES) {
    const sources = sourcesOf(name).map((source) => history.fields[source]);
    const counts = history.times.map((_, index) => sources.map(({ count }) => count[index]!));
    const mean = history.times.map((_, index) => {
      const stepOf = (source: FieldName) => {
        const { count, mean: means } = history.fields[source];
        return { count: count[index]!, mean: means[index] };
      };
      return derivedOfStep(name, stepOf, by);
    });
    const isNothing = mean.every((value) => value === null);
    fields[name] = {
      ...{ mean, min: mean, max: mean },
      count: mean.map((value, index) => (value === null ? 0 : Math.min(...counts[index]!))),
      sealed: history.times.map((_, index) =>
        mayBeDerived(name, by) ? Math.max(...sources.map(({ sealed }) => sealed[index]!)) : 0,
      ),
    };
    const opened = Math.max(...sourcesOf(name).map((source) => openings[source].opened));
    openings[name] = { opened: isNothing ? 0 : opened, failed: {} };
  }
  return { ...history, fields, openings };
}
