import type { DeviceSummary } from '../owner-api/devices.ts';

/**
 * The status of a device. Whether it is silent depends on the arrival of its last reading, never on its own clock. A
 * device that the owner marked as inactive or lost is expected to be silent.
 */
export type DeviceStatus = 'online' | 'silent' | 'waiting' | 'inactive' | 'lost' | 'foreign';

const INACTIVE = 1;
const LOST = 2;

/**
 * Returns the status at `now`, Unix milliseconds of the node's clock. `waiting`: registered, but no reading yet;
 * `foreign`: another owner's device.
 */
export function deviceStatus(
  device: Pick<DeviceSummary, 'lastReceivedAt' | 'silentAfterMs' | 'notes' | 'mine'>,
  now: number,
): DeviceStatus {
  if (!device.mine) return 'foreign';
  if (device.notes.status === LOST) return 'lost';
  if (device.notes.status === INACTIVE) return 'inactive';
  if (device.lastReceivedAt === null) return 'waiting';
  return now - device.lastReceivedAt > device.silentAfterMs ? 'silent' : 'online';
}

/** Returns which stores have a device, in one word. */
export function storesOf(device: Pick<DeviceSummary, 'stores'>): 'private' | 'public' | 'both' {
  return device.stores.length > 1 ? 'both' : device.stores[0]!.store;
}
