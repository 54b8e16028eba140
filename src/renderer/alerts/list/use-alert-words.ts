import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { shownLimit, shownSide } from '../../../shared/alerts/shown-range.ts';
import { shortId } from '../../../shared/display-text.ts';
import { openedText, valueText, withUnit } from '../../../shared/format/scaled.ts';
import { PERCENT_FULL } from '../../../shared/measures/field-scale.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { nameOf } from '../../devices/names.ts';
import { useScalesOf } from '../../devices/use-scales.ts';
import { useFormat } from '../../format/format.ts';
import { useShownText } from '../../format/shown-text.ts';

/** The subject of an alert. */
export type AlertSubject = Pick<Alert, 'kind' | 'device' | 'field' | 'store' | 'side' | 'limit'>;

const NO_UNITS = { notes: { units: {} } };

/** Returns functions that describe alerts in words, in the units that the owner chose. */
export function useAlertWords() {
  const { t } = useTranslation('app');
  const format = useFormat();
  const shownText = useShownText();
  const scalesOf = useScalesOf();
  const devices = useOverview().data?.devices;
  return useMemo(() => {
    const byId = new Map(devices?.map((device) => [device.id, device]));
    const deviceName = (id: string | null): string => {
      const device = id === null ? undefined : byId.get(id);
      return device === undefined ? (id === null ? '' : shortId(id)) : nameOf(device);
    };
    const scaleOf = ({ device, field }: Pick<Alert, 'device' | 'field'>) =>
      field === null ? null : scalesOf(byId.get(device ?? '') ?? NO_UNITS)[field];
    /** Returns the text of a value in the unit that the device sends. `isOpened`: the value was sealed. */
    const value = (alert: Pick<Alert, 'device' | 'field'>, sent: number, isOpened = false): string => {
      const scale = scaleOf(alert);
      if (scale === null) return format.number(sent);
      return shownText(isOpened ? openedText : valueText, scale, scale.toShown(sent));
    };
    const limit = (alert: AlertSubject, sent: number): string => {
      const scale = scaleOf(alert);
      return scale === null ? format.number(sent) : withUnit(format.number(shownLimit(scale, sent)), scale.symbol);
    };
    const fieldOf = (alert: Pick<Alert, 'device' | 'field'>): string => {
      const scale = scaleOf(alert);
      return scale === null ? '' : t(`field.${scale.label}`);
    };
    const title = (alert: AlertSubject): string => {
      const name = deviceName(alert.device);
      const store = alert.store ?? 'private';
      switch (alert.kind) {
        case 'range': {
          const scale = scaleOf(alert);
          const side = scale === null ? (alert.side ?? 'low') : shownSide(scale, alert.side ?? 'low');
          const words = { name, field: fieldOf(alert), limit: alert.limit === null ? '' : limit(alert, alert.limit) };
          return t(side === 'low' ? 'alert.low' : 'alert.high', words);
        }
        case 'fieldSilent':
        case 'emptySoon':
        case 'leavesSoon':
          return t(`alert.${alert.kind}`, { name, field: fieldOf(alert) });
        case 'silent':
          return t('alert.silent', { name });
        case 'clockNotSet':
          return t('alert.clockNotSet', { name });
        case 'knocking':
          return t('alert.knocking', { name });
        case 'batteryLow':
        case 'sensorFailed':
          return t(`alert.${alert.kind}`, { name });
        case 'gateLost':
        case 'backupOverdue':
        case 'diskLow':
          return t(`alert.${alert.kind}`);
        case 'logBroken':
          return t(`alert.logBroken.${alert.store ?? 'other'}`);
        case 'storeMissing':
        case 'storeRefuses':
        case 'rejected':
          return t(`alert.${alert.kind}.${store}`);
      }
    };
    /** Returns what the owner can do about a value; null if that is not known. */
    const toDo = (alert: AlertSubject): string | null => {
      const scale = scaleOf(alert);
      if (alert.kind === 'emptySoon') return t('needs.toDo.tank');
      if (alert.kind !== 'range' || scale === null) return null;
      const isLow = shownSide(scale, alert.side ?? 'low') === 'low';
      if (alert.field === 'ph') return t('needs.toDo.ph');
      if (alert.field === 'ec') return t(isLow ? 'needs.toDo.ecLow' : 'needs.toDo.ecHigh');
      return alert.field === 'waterLevel' && scale.unit === PERCENT_FULL && isLow ? t('needs.toDo.tank') : null;
    };
    return { title, value, toDo, deviceName, fieldOf, isKnown: (id: string | null) => id !== null && byId.has(id) };
  }, [t, format, shownText, scalesOf, devices]);
}
