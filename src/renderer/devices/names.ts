import { deviceName } from '../../shared/display-text.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';

const known = new WeakMap<DeviceSummary, string>();

/** Returns `deviceName`, cached per summary: a list needs it for every sort, and cleaning a name is slow. */
export function nameOf(device: DeviceSummary): string {
  let name = known.get(device);
  if (name === undefined) {
    name = deviceName(device);
    known.set(device, name);
  }
  return name;
}
