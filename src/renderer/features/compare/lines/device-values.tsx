import { useEffect } from 'react';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { type TimeRange, useHistory } from '../../../api/queries/readings.ts';
import { pixelMs, type View } from '../../../charts/range/chart-range.ts';
import { nameOf } from '../../../devices/names.ts';
import { OpeningBar } from '../../../opening/opening-bar.tsx';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';
import classes from '../compare.module.css';
import type { DeviceValues } from './use-compared.ts';

interface Props {
  readonly device: DeviceSummary;
  readonly query: TimeRange;
  readonly view: View;
  /** How many a line may have. */
  readonly points: number;
  /** Changes with the owner's choice of a range. */
  readonly choice: unknown;
  readonly onValues: (device: string, values: DeviceValues) => void;
}

/** Asks for the values of one device and opens them; shows no more than how far that is. */
export function DeviceValuesLoader({ device, query, view, points, choice, onValues }: Props) {
  const { id } = device;
  const asked = useHistory(id, query, { maxPoints: points, pixelMs: pixelMs(view, points) });
  const opened = useOpenedHistory(device, asked.data, asked.isPlaceholderData, choice);
  const { history } = opened;
  const { isPlaceholderData: isOld, error } = asked;
  useEffect(() => onValues(id, { history, isOld, error }), [id, history, isOld, error, onValues]);
  if (opened.opening.state === 'idle') return null;
  return (
    <div className={classes.opening}>
      <span>{nameOf(device)}</span>
      <OpeningBar opening={opened.opening} onStart={opened.start} onStop={opened.stop} />
    </div>
  );
}
