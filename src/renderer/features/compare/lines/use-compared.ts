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
  /** undefined if they are not here yet. */
  readonly history: OpenedHistory | undefined;
  /** The values are those of another range, until those of this one are here. */
  readonly isOld: boolean;
  readonly error: unknown;
  /** The rules for its ranges, at the node that knows it. */
  readonly ranges: readonly RangeRule[];
  /** The ranges of the stages of crop cycles there, past and present. */
  readonly stages: readonly StageRange[];
}

/** A line of the comparison. */
export interface Line {
  readonly id: LineId;
  /** Its place among all lines, which its colour follows. */
  readonly place: number;
  readonly device: ListedDevice;
  readonly scale: FieldScale;
  readonly allowed: Allowed;
  /** null if they have not arrived yet. */
  readonly data: FieldData | null;
  readonly isOld: boolean;
  readonly error: unknown;
}

const NOTHING: DeviceValues = { history: undefined, isOld: false, error: null, ranges: [], stages: [] };

/** The values of the lines; `onValues` takes those of a device as they come. A line of an unknown device is left out. */
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

/** The `listKey` of a line's device. */
export function lineKey({ device, node }: LineId): string {
  return node === undefined ? device : `${device}@${node}`;
}

/** The span of all lines' values, Unix milliseconds; null if there are none. */
export function spanOf(lines: readonly Line[]): { readonly from: number; readonly to: number } | null {
  const times = lines.flatMap(({ data }) => (data === null || data.times.length === 0 ? [] : [data]));
  if (times.length === 0) return null;
  return {
    from: Math.min(...times.map((data) => data.times[0]! - (data.stepMs ?? 0) / 2)),
    to: Math.max(...times.map((data) => data.times.at(-1)! + (data.stepMs ?? 0) / 2)),
  };
}
