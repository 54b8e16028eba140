import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The keys of a node's demo devices are derived from its public key. So a later start continues with the same devices,
 * and the node can always distinguish them from the owner's. Anyone could compute them; they protect nothing.
 */

/** The number of demo devices of a node. */
export const DEMO_DEVICES = 3;

/**
 * The distances from the sensor of a simulated device to the water in an empty and in a full tank, in mm. Its water
 * levels lie between them.
 */
export const DEMO_TANK = { empty: 320, full: 50 } as const;

/** Returns 32 bytes for a node's demo. `nodePublicKey` is in lowercase hex. */
export function demoSecret(nodePublicKey: string, label: string): Uint8Array {
  return sha256(utf8ToBytes(`wellhouse demo ${nodePublicKey} ${label}`));
}

/** Returns the seed of a demo device. Its number starts at 0. */
export function demoDeviceSeed(nodePublicKey: string, number: number): Uint8Array {
  return demoSecret(nodePublicKey, `device ${number}`);
}
