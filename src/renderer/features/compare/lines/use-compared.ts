import { useCallback, useMemo, useState } from 'react';
import type { RangeRule } from '../../../../shared/alerts/rule.ts';
import { type Allowed, allowedOf } from '../../../../shared/alerts/shown-range.ts';
import type { FieldScale } from '../../../../shared/measures/field-scale.ts';
import type { StageRange } from '../../../../shared/wellness/stage-ranges.ts';
import { useRuleWords } from '../../../alerts/rules/rule-words.ts';
import { type FieldData, fieldData } from '../../../charts/series/chart-data.ts';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { useScalesOf } from '../../../devices/use-scales.ts';
import type { OpenedHistory } from '../../../opening/merge-opened.ts';
import { isSameLine, type LineId } from './lines-url.ts';

/** The values of a device over the range. */
export interface DeviceValues {
  /** undefined until the values have arrived. */
  readonly history: OpenedHistory | undefined;
  /** Whether the values are still those of the previous range. */
  readonly isOld: boolean;
  readonly error: unknown;
  /** The rules for the device's ranges, at the node that knows the device. */
  readonly ranges: readonly RangeRule[];
  /** The ranges of the stages of crop cycles at that node, past and present. */
  readonly stages: readonly StageRange[];
}

/** A line of the comparison. */
export interface Line {
  readonly id: LineId;
  /** The index of the line among all lines. It determines the colour. */
  readonly place: number;
  readonly device: ListedDevice;
  readonly scale: FieldScale;
  readonly allowed: Allowed;
  /** null until the values have arrived. */
  readonly data: FieldData | null;
  readonly isOld: boolean;
  readonly error: unknown;
}

const NOTHING: DeviceValues = { history: undefined, isOld: false, error: null, ranges: [], stages: [] };

/**
 * Returns the compared lines, and `onValues`, which accepts the values of a device. Lines of unknown devices are left
 * out.
 */
export function useCompared(ids: readonly LineId[], devices: readonly ListedDevice[]) {
  const scalesOf = useScalesOf();
  const { rangeText } = useRuleWords();
  const [values, setValues] = useState<Readonly<Record<string, DeviceValues>>>({});
  const onValues = useCallback(
    (key: string, next: DeviceValues) => setValues((before) => ({ ...before, [key]: next })),
    [],
  );
  const known = useMemo(() => new Map(devices.map((device) => [listKey(device), device])), [devices]);
  const lines = useMemo(
    () =>
      ids.flatMap((id, place): Line[] => {
        const device = known.get(lineKey(id));
        if (device === undefined) return [];
        const scale = scalesOf(device)[id.field];
        const { history, isOld, error, ranges, stages } = values[lineKey(id)] ?? NOTHING;
        const allowed = allowedOf(scale, ranges, rangeText, stages);
        const data = history === undefined ? null : fieldData(history, scale, device.usualIntervalMs);
        return [{ id, place, device, scale, allowed, data, isOld, error }];
      }),
    [ids, known, scalesOf, rangeText, values],
  );
  const unknown = useMemo(() => ids.filter((id) => !lines.some((line) => isSameLine(line.id, id))), [ids, lines]);
  return { lines, unknown, onValues };
}

/** Returns the `listKey` of a line's device. */
export function lineKey({ device, node }: LineId): string {
  return node === undefined ? device : `${device}@${node}`;
}

/** Returns the span of all lines' values, Unix milliseconds; null if there are no values. */
export function spanOf(lines: readonly Line[]): { readonly from: number; readonly to: number } | null {
  const times = lines.flatMap(({ data }) => (data === null || data.times.length === 0 ? [] : [data]));
  if (times.length === 0) return null;
  return {
    from: Math.min(...times.map((data) => data.times[0]! - (data.stepMs ?? 0) / 2)),
    to: Math.max(...times.map((data) => data.times.at(-1)! + (data.stepMs ?? 0) / 2)),
  };
}
