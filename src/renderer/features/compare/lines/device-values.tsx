import { useEffect } from 'react';
import { useRanges } from '../../../alerts/rules/use-ranges.ts';
import { useStageSpans } from '../../../alerts/rules/use-stage-spans.ts';
import { type TimeRange, useHistory } from '../../../api/queries/readings.ts';
import { pixelMs } from '../../../charts/range/chart-range.ts';
import type { View } from '../../../charts/view.ts';
import { type ListedDevice, listKey } from '../../../devices/listed.ts';
import { nameOf } from '../../../devices/names.ts';
import { OpeningBar } from '../../../opening/opening-bar.tsx';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';
import classes from '../compare.module.css';
import type { DeviceValues } from './use-compared.ts';

interface Props {
  readonly device: ListedDevice;
  readonly query: TimeRange;
  readonly view: View;
  /** The maximum number of points per line. */
  readonly points: number;
  /** Changes when the owner chooses another range. */
  readonly choice: unknown;
  /** `key` is the `listKey` of the device. */
  readonly onValues: (key: string, values: DeviceValues) => void;
}

/** Loads the values of one device and opens sealed ones. Renders only the progress of opening. */
export function DeviceValuesLoader({ device, query, view, points, choice, onValues }: Props) {
  const { id } = device;
  const asked = useHistory(id, query, { maxPoints: points, pixelMs: pixelMs(view, points) });
  const opened = useOpenedHistory(device, asked.data, asked.isPlaceholderData, choice);
  const { history } = opened;
  const { isPlaceholderData: isOld, error } = asked;
  const key = listKey(device);
  const ranges = useRanges(device);
  const stages = useStageSpans(device);
  useEffect(
    () => onValues(key, { history, isOld, error, ranges, stages }),
    [key, history, isOld, error, ranges, stages, onValues],
  );
  if (opened.opening.state === 'idle') return null;
  return (
    <div className={classes.opening}>
      <span>{nameOf(device)}</span>
      <OpeningBar opening={opened.opening} onStart={opened.start} onStop={opened.stop} />
    </div>
  );
}
