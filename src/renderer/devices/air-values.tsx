import { useTranslation } from 'react-i18next';
import { withUnit } from '../../shared/format/scaled.ts';
import { dewPoint, vapourPressureDeficit } from '../../shared/measures/air.ts';
import { convert } from '../../shared/measures/units.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import { useFormat } from '../format/format.ts';
import { shownNumber } from '../format/values.ts';
import { useNewest } from '../opening/opened.ts';
import { useScales } from './use-scales.ts';

/** The air values that follow from a device's newest temperature and humidity, with their names; empty if one is missing. */
export function useAirValues(device: DeviceSummary): readonly { readonly name: string; readonly text: string }[] {
  const { t } = useTranslation('app');
  const format = useFormat();
  const shown = useNewest(device);
  const scale = useScales(device).tempAmbient;
  const [sent, humidity] = [shownNumber(shown('tempAmbient')), shownNumber(shown('humidity'))];
  const choice = device.notes.units.tempAmbient;
  if (sent === null || humidity === null || (choice !== undefined && 'label' in choice)) return [];
  const unit = choice?.sent ?? 'celsius';
  const celsius = convert(sent, unit, 'celsius');
  const [vpd, dew] = [vapourPressureDeficit(celsius, humidity), dewPoint(celsius, humidity)];
  if (vpd === null || dew === null) return [];
  const dewShown = scale.toShown(convert(dew, 'celsius', unit));
  return [
    { name: t('derived.vpd'), text: withUnit(format.rounded(vpd, 2, 2), 'kPa') },
    { name: t('derived.dewPoint'), text: withUnit(format.rounded(dewShown, 1, 1), scale.symbol) },
  ];
}
