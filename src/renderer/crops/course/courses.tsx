import { useCallback, useEffect, useMemo, useState } from 'react';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { type Allowed, allowedOf, type Range } from '../../../shared/alerts/shown-range.ts';
import { ANY_FIELDS, type AnyField } from '../../../shared/measures/derived.ts';
import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { spanOfCycle } from '../../../shared/owner-data/cycle-states.ts';
import type { Cycle } from '../../../shared/owner-data/cycles.ts';
import type { StageRange } from '../../../shared/wellness/stage-ranges.ts';
import { type TimeRange, useCourse } from '../../api/queries/readings.ts';
import { type FieldData, fieldData } from '../../charts/series/chart-data.ts';
import { nameOf } from '../../devices/names.ts';
import type { Scales } from '../../devices/use-scales.ts';
import type { OpenedHistory } from '../../opening/merge-opened.ts';
import { OpeningBar } from '../../opening/opening-bar.tsx';
import { useOpenedHistory } from '../../opening/use-opened-history.ts';

/** The values of a device over weeks or months. */
interface Course {
  /** undefined if the values are not loaded yet. */
  readonly history: OpenedHistory | undefined;
  readonly error: unknown;
}

/** A field of a device over time. */
export interface CourseLine {
  readonly device: DeviceSummary;
  readonly field: AnyField;
  readonly scale: FieldScale;
  readonly data: FieldData;
  readonly allowed: Allowed;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the range in which to query the values of a cycle: until its end, or until the end of this hour. So a running
 * cycle is queried once an hour.
 */
export function courseRange(cycle: Cycle, now: number): TimeRange {
  const { from, to } = spanOfCycle(cycle, Math.ceil((now + 1) / HOUR_MS) * HOUR_MS);
  return { from, to };
}

interface LoaderProps {
  readonly device: DeviceSummary;
  readonly range: TimeRange;
  readonly onCourse: (id: string, course: Course) => void;
}

/** Queries the values of one device and opens them. Shows only the progress of that. */
export function CourseLoader({ device, range, onCourse }: LoaderProps) {
  const { id } = device;
  const asked = useCourse(id, range);
  const opened = useOpenedHistory(device, asked.data, asked.isPlaceholderData, range.from);
  const { history } = opened;
  const { error } = asked;
  useEffect(() => onCourse(id, { history, error }), [id, history, error, onCourse]);
  if (opened.opening.state === 'idle') return null;
  return (
    <div>
      {nameOf(device)} <OpeningBar opening={opened.opening} onStart={opened.start} onStop={opened.stop} />
    </div>
  );
}

/** Returns the loaded values of devices, and the function with which their loaders report them. */
export function useCourses() {
  const [courses, setCourses] = useState<Readonly<Record<string, Course>>>({});
  const onCourse = useCallback(
    (id: string, course: Course) => setCourses((before) => ({ ...before, [id]: course })),
    [],
  );
  return useMemo(() => ({ courses, onCourse }), [courses, onCourse]);
}

/**
 * Returns the lines of a device: one for each field that has values, with its right ranges by `rules` and by the
 * `stages` of crop cycles.
 */
export function linesOf(
  device: DeviceSummary,
  { history }: Course,
  scales: Scales,
  { rules, stages }: { readonly rules: readonly RangeRule[]; readonly stages: readonly StageRange[] },
  rangeText: (scale: FieldScale, range: Range) => string,
): CourseLine[] {
  if (history === undefined) return [];
  return ANY_FIELDS.flatMap((field): CourseLine[] => {
    const scale = scales[field];
    const data = fieldData(history, scale, device.usualIntervalMs);
    if (data.times.length === 0 && data.sealed.length === 0) return [];
    return [{ device, field, scale, data, allowed: allowedOf(scale, rules, rangeText, stages) }];
  });
}

/**
 * Groups lines that share a chart: those with the same field label and unit. The groups are in the order of their first
 * lines.
 */
export function byField<Line extends Pick<CourseLine, 'scale'>>(lines: readonly Line[]): Line[][] {
  return [...Map.groupBy(lines, ({ scale: { label, symbol } }) => `${label} ${symbol}`).values()];
}
