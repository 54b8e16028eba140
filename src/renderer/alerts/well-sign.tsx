import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alert } from '../../shared/alerts/alert.ts';
import { openAlerts, worstFirst } from '../../shared/alerts/open-alerts.ts';
import { shownSide } from '../../shared/alerts/shown-range.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { deviceStatus } from '../../shared/wellness/status.ts';
import type { Wellness } from '../../shared/wellness/wellness.ts';
import { useLink } from '../api/node-connection.ts';
import { useAlerts } from '../api/queries/alerts.ts';
import { useScales } from '../devices/use-scales.ts';
import { useFromNow } from '../now.ts';
import { useWellness } from './use-wellness.ts';
import classes from './well-sign.module.css';

const NO_ALERTS: readonly Alert[] = [];

type Shown = Wellness | 'unknown';

/** Returns the wellness of a device as far as this page knows it: `unknown` if its node is not reachable. */
function useShown(device: DeviceSummary): Shown {
  const wellness = useWellness(device);
  return useLink().state === 'lost' ? 'unknown' : wellness;
}

interface DeviceProps {
  readonly device: DeviceSummary;
  /** Whether a value is out of its range, and there may be no alert for it yet. */
  readonly isOutside?: boolean;
}

function stateOf(shown: Shown, isOutside: boolean): Shown | 'outside' {
  return isOutside && (shown === 'well' || shown === 'unwatched') ? 'outside' : shown;
}

/** A sign with a shape and colour for the wellness of a device. Screen readers read the words. */
export function WellDot({ device, isOutside = false }: DeviceProps) {
  const { t } = useTranslation('app');
  const shown = stateOf(useShown(device), isOutside);
  const words = t(`wellness.${shown}`);
  return (
    <span className={classes.dot} data-wellness={shown} title={words}>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

/** The wellness in words, with what is wrong. */
export function WellSign({ device, isOutside = false }: DeviceProps) {
  const state = stateOf(useShown(device), isOutside);
  const { t } = useTranslation('app');
  const wrong = useWhatIsWrong(device);
  return <Sign state={state}>{state === 'needsYou' ? wrong : t(`wellness.${state}`)}</Sign>;
}

/** A sign with words. */
export function Sign({ state, children }: { state: Shown | 'outside'; children: ReactNode }) {
  return (
    <span className={classes.sign} data-wellness={state}>
      <span className={classes.dot} data-wellness={state} aria-hidden="true" />
      {children}
    </span>
  );
}

/** Returns the worst problem of a device, in a few words, such as "pH low". */
function useWhatIsWrong(device: DeviceSummary): string {
  const { t } = useTranslation('app');
  const scales = useScales(device);
  const alerts = useAlerts().data ?? NO_ALERTS;
  const [worst] = worstFirst(openAlerts(alerts).filter((alert) => alert.device === device.id));
  const isSilent = useFromNow(1000, (_now, known) => deviceStatus(device, known) === 'silent');
  if (worst?.kind === 'range' && worst.field !== null) {
    const scale = scales[worst.field];
    const field = t(`fieldShort.${scale.label}`);
    return t(shownSide(scale, worst.side ?? 'low') === 'low' ? 'wellness.low' : 'wellness.high', { field });
  }
  if (isSilent) return t('status.silent');
  return t(device.clockNotSet ? 'badge.clock' : 'wellness.needsYou');
}
