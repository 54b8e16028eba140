import { useCallback, useMemo, useState } from 'react';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { type Allowed, allowedOf } from '../../../alerts/rules/shown-range.ts';
import { useRangesOf } from '../../../alerts/rules/use-ranges.ts';
import { type FieldData, fieldData } from '../../../charts/series/chart-data.ts';
import { useScalesOf } from '../../../devices/use-scales.ts';
import type { OpenedHistory } from '../../../opening/merge-opened.ts';
import { isSameLine, type LineId } from './lines-url.ts';

/** What is known of a device's values over the range. */
export interface DeviceValues {
  /** undefined: not here yet. */
  readonly history: OpenedHistory | undefined;
  /** The values are those of another range, until those of this one are here. */
  readonly isOld: boolean;
  readonly error: unknown;
}

/** A line of the comparison. */
export interface Line {
  readonly id: LineId;
  /** Its place among all lines, which its colour follows. */
  readonly place: number;
  readonly device: DeviceSummary;
  readonly scale: FieldScale;
  readonly allowed: Allowed;
  /** null: not here yet. */
  readonly data: FieldData | null;
  readonly isOld: boolean;
  readonly error: unknown;
}

const NOTHING: DeviceValues = { history: undefined, isOld: false, error: null };

/** The values of the lines; `onValues` takes those of a device as they come. A line of an unknown device is left out. */
export function useCompared(ids: readonly LineId[], devices: readonly DeviceSummary[]) {
  const scalesOf = useScalesOf();
  const rangesOf = useRangesOf();
  const { rangeText } = useRuleWords();
  const [values, setValues] = useState<Readonly<Record<string, DeviceValues>>>({});
  const onValues = useCallback(
    (device: string, next: DeviceValues) => setValues((before) => ({ ...before, [device]: next })),
    [],
  );
  const known = useMemo(() => new Map(devices.map((device) => [device.id, device])), [devices]);
  const lines = useMemo(
    () =>
      ids.flatMap((id, place): Line[] => {
        const device = known.get(id.device);
        if (device === undefined) return [];
        const scale = scalesOf(device)[id.field];
        const allowed = allowedOf(scale, rangesOf(device), rangeText);
        const { history, isOld, error } = values[id.device] ?? NOTHING;
        const data = history === undefined ? null : fieldData(history, scale, device.usualIntervalMs);
        return [{ id, place, device, scale, allowed, data, isOld, error }];
      }),
    [ids, known, scalesOf, rangesOf, rangeText, values],
  );
  const unknown = useMemo(() => ids.filter((id) => !lines.some((line) => isSameLine(line.id, id))), [ids, lines]);
  return { lines, unknown, onValues };
}

/** What the values of all lines span, Unix milliseconds; null where there are none. */
export function spanOf(lines: readonly Line[]): { readonly from: number; readonly to: number } | null {
  const times = lines.flatMap(({ data }) => (data === null || data.times.length === 0 ? [] : [data]));
  if (times.length === 0) return null;
  return {
    from: Math.min(...times.map((data) => data.times[0]! - (data.stepMs ?? 0) / 2)),
    to: Math.max(...times.map((data) => data.times.at(-1)! + (data.stepMs ?? 0) / 2)),
  };
}
