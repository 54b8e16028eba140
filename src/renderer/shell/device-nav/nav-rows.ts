import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { inGroups } from '../../devices/groups/groups.ts';

/** A row of the list beside the page: the name of a group, or a device. */
export type NavRow<Device> =
  /** `group` null: what follows is in none. */
  | { readonly kind: 'group'; readonly group: DeviceGroup | null; readonly count: number }
  | { readonly kind: 'device'; readonly device: Device };

/**
 * The rows of the list: the owner's devices by group where there are groups, then all others. Of a collapsed group the
 * device that is open stays.
 */
export function navRows<Device extends { readonly id: string }>(
  groups: readonly DeviceGroup[],
  mine: readonly Device[],
  others: readonly Device[],
  isActive: (device: Device) => boolean,
): NavRow<Device>[] {
  const row = (device: Device): NavRow<Device> => ({ kind: 'device', device });
  if (groups.length === 0) return [...mine, ...others].map(row);
  const sections = inGroups(groups, mine).flatMap(({ group, devices }): NavRow<Device>[] => {
    const shown = group?.isCollapsed ? devices.filter(isActive) : devices;
    return [{ kind: 'group', group, count: devices.length }, ...shown.map(row)];
  });
  return [...sections, ...others.map(row)];
}
