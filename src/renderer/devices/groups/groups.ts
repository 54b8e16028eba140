import type { DeviceGroup } from '../../../shared/owner-data/choices.ts';

/** The devices of a group; `group` is null for those that are in none. */
export interface GroupSection<Device> {
  readonly group: DeviceGroup | null;
  readonly devices: readonly Device[];
}

/**
 * Returns the devices by group, in the order of the groups. The order inside of a group is that of `devices`. Empty
 * groups are left out.
 */
export function inGroups<Device extends { readonly id: string }>(
  groups: readonly DeviceGroup[],
  devices: readonly Device[],
): GroupSection<Device>[] {
  const groupOf = new Map(groups.flatMap((group) => group.devices.map((id) => [id, group.id] as const)));
  const sections = groups.map((group): GroupSection<Device> => {
    return { group, devices: devices.filter(({ id }) => groupOf.get(id) === group.id) };
  });
  const rest = { group: null, devices: devices.filter(({ id }) => !groupOf.has(id)) };
  return [...sections, rest].filter((section) => section.devices.length > 0);
}

/** Returns the groups with a device only in the given one; null removes it from all. */
export function withDeviceIn(groups: readonly DeviceGroup[], device: string, groupId: string | null): DeviceGroup[] {
  return groups.map((group) => {
    const others = group.devices.filter((id) => id !== device);
    return { ...group, devices: group.id === groupId ? [...others, device] : others };
  });
}

/** Returns the groups with one of them moved a position earlier (-1) or later (1), if possible. */
export function withMoved(groups: readonly DeviceGroup[], id: string, step: -1 | 1): DeviceGroup[] {
  const from = groups.findIndex((group) => group.id === id);
  const to = from + step;
  const moved = [...groups];
  if (from === -1 || to < 0 || to >= groups.length) return moved;
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}

/** Returns the groups with a device in the group of this name, which is added if there is none. `newId` is a UUID. */
export function withPlace(groups: readonly DeviceGroup[], device: string, name: string, newId: string): DeviceGroup[] {
  const found = groups.find((group) => group.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return withDeviceIn(groups, device, found.id);
  return [...withDeviceIn(groups, device, null), { id: newId, name, isCollapsed: false, devices: [device] }];
}
