import type { TFunction } from 'i18next';
import { UNITS, type UnitId } from '../../shared/measures/units.ts';

/**
 * Returns the name of a unit for menus, in the chosen language; '' for pH. The headers of exported files have fixed
 * names.
 */
export function unitName(t: TFunction<'app'>, unit: UnitId): string {
  return unit === 'ppm500' || unit === 'ppm700' ? t(`unit.${unit}`) : UNITS[unit].header;
}
