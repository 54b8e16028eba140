import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';
import { inGroups } from '../../devices/groups/groups.ts';

/** A row of the list next to the page: the name of a group, or a device. */
export type NavRow<Device> =
  /** `group` is null if the following devices are in no group. */
  | { readonly kind: 'group'; readonly group: DeviceGroup | null; readonly count: number }
  | { readonly kind: 'device'; readonly device: Device };

/**
 * Returns the rows of the list: the owner's devices, by group if there are groups, then all others. A collapsed group
 * still shows the device whose page is open.
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
