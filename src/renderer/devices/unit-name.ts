import type { TFunction } from 'i18next';
import { UNITS, type UnitId } from '../../shared/measures/units.ts';

/** A unit as menus name it, in the chosen language; '' for pH. The headers of files have names that never change. */
export function unitName(t: TFunction<'app'>, unit: UnitId): string {
  return unit === 'ppm500' || unit === 'ppm700' ? t(`unit.${unit}`) : UNITS[unit].header;
}
