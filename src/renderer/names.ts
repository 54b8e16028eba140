import { deviceName } from '../shared/display-text.ts';
import type { DeviceSummary } from '../shared/owner-api.ts';

const known = new WeakMap<DeviceSummary, string>();

/** `deviceName`, remembered for each summary: a list asks for it at every sort, and cleaning a name takes a while. */
export function nameOf(device: DeviceSummary): string {
  let name = known.get(device);
  if (name === undefined) {
    name = deviceName(device);
    known.set(device, name);
  }
  return name;
}
