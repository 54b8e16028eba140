import type { DeviceSummary } from '../../../shared/owner-api.ts';

/**
 * What the owner must know of a device first. Silence is told by when its last reading arrived, never by its own
 * clock; a device that the owner noted as inactive or lost is expected to be silent.
 */
export type DeviceStatus = 'online' | 'silent' | 'waiting' | 'inactive' | 'lost' | 'foreign';

const INACTIVE = 1;
const LOST = 2;

/**
 * The status at `now`, Unix milliseconds of the node's clock; `waiting` is registered but without a reading yet,
 * `foreign` somebody else's, of which nothing is expected.
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
