import { useEffect } from 'react';
import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import { type TimeRange, useHistory } from '../../../api/queries/readings.ts';
import { nameOf } from '../../../devices/names.ts';
import { OpeningBar } from '../../../opening/opening-bar.tsx';
import { useOpenedHistory } from '../../../opening/use-opened-history.ts';
import classes from '../compare.module.css';
import type { DeviceValues } from './use-compared.ts';

/** Points a line has at most: a page-wide chart has about as many pixels. */
const POINTS = 1000;

interface Props {
  readonly device: DeviceSummary;
  readonly query: TimeRange;
  /** Changes with the owner's choice of a range. */
  readonly choice: unknown;
  readonly onValues: (device: string, values: DeviceValues) => void;
}

/** Asks for the values of one device and opens them; shows no more than how far that is. */
export function DeviceValuesLoader({ device, query, choice, onValues }: Props) {
  const { id } = device;
  const asked = useHistory(id, query, POINTS);
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
