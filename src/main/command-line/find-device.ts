import { deviceName } from '../../shared/display-text.ts';
import type { Output } from '../../shared/owner-api/contract.ts';
import { CommandError, EXIT } from './exit-codes.ts';
import type { NodeLink } from './own-node.ts';

/** The names of a device. */
interface Nameable {
  readonly id: string;
  /** The name that the device sent. */
  readonly name: string;
  readonly notes: { readonly displayName: string | null };
}

/**
 * Returns the device with the typed id, start of an id, or name. Case counts only if two names differ by it. Throws
 * CommandError if there is no such device or more than one; the message then lists them with their ids.
 */
export function pickDevice<D extends Nameable>(devices: readonly D[], typed: string): D {
  if (typed.trim() === '') throw new CommandError('no device is named', EXIT.usage, '"devices" lists them');
  const names = (device: D) => [deviceName(device), device.notes.displayName, device.name];
  const lower = typed.toLowerCase();
  const found = [
    devices.filter(({ id }) => id === lower),
    devices.filter((device) => names(device).includes(typed)),
    devices.filter((device) => names(device).some((name) => name?.toLowerCase() === lower)),
    /^[0-9a-f]+$/.test(lower) ? devices.filter(({ id }) => id.startsWith(lower)) : [],
  ].find((each) => each.length > 0);
  if (found === undefined) {
    throw new CommandError(
      `no device has the name ${typed}, or an id that begins with it`,
      EXIT.usage,
      '"devices" lists them',
      'no_device',
    );
  }
  if (found.length > 1) {
    const candidates = found.map((device) => `${deviceName(device)} ${device.id}`).join(', ');
    throw new CommandError(
      `${typed} names ${found.length} devices: ${candidates}`,
      EXIT.usage,
      'name one by its id',
      'several_devices',
    );
  }
  return found[0]!;
}

type OverviewDevice = Output<'overview'>['devices'][number];

/** Finds a device of a node, including hidden ones, like `pickDevice`. */
export async function findDevice(link: NodeLink, typed: string): Promise<OverviewDevice> {
  return pickDevice((await namesOfDevices(link)).list, typed);
}

/**
 * Returns the devices of a node, including hidden ones, and a function for their names. For a forgotten device it
 * returns the id.
 */
export async function namesOfDevices(link: NodeLink) {
  const { devices, hidden } = await link.call('overview', { dayStart: new Date().setHours(0, 0, 0, 0) });
  const list = [...devices, ...hidden];
  const names = new Map(list.map((device) => [device.id, deviceName(device)]));
  return { list, nameOf: (id: string) => names.get(id) ?? id };
}
