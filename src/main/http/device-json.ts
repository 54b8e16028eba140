import type { DeviceResponse } from '../../shared/protocol/device.ts';
import { stringifyJson64 } from '../../shared/protocol/json64.ts';
import type { RegisteredDevice } from '../store/port.ts';

/** The properties of a device that responses use. */
type ShownDevice = Omit<RegisteredDevice, 'ownerName' | 'publishTo' | 'privacyPolicy'>;

/** Returns a device as JSON text for responses. */
export function deviceJson(device: ShownDevice): string {
  const { id, mac, ownerPubkey, name, type, location, hardware, createdAt } = device;
  return stringifyJson64({
    id,
    mac,
    ownerPubkey,
    name,
    type,
    location,
    // Always ACTIVE: the status that the owner sets exists only in the app.
    status: 0,
    hardware: hardware as DeviceResponse['hardware'],
    createdAt,
  } satisfies DeviceResponse);
}
