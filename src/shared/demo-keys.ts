import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { publicKeyOf } from './crypto/ed25519.ts';
import { bytesToHex } from './crypto/hex.ts';

/**
 * The keys of a node's demo devices follow from its own public key, so that a later start goes on with the same devices,
 * and so that the node can tell them from the owner's at any time. Anybody could work them out; they protect nothing.
 */

/** How many demo devices a node has. */
export const DEMO_DEVICES = 3;

/** 32 bytes that belong to a node's demo; `nodePublicKey` in lowercase hex. */
export function demoSecret(nodePublicKey: string, label: string): Uint8Array {
  return sha256(utf8ToBytes(`wellhouse demo ${nodePublicKey} ${label}`));
}

/** The seed of a demo device, by its number from 0. */
export function demoDeviceSeed(nodePublicKey: string, number: number): Uint8Array {
  return demoSecret(nodePublicKey, `device ${number}`);
}

/** The ids of a node's demo devices in lowercase hex. */
export function demoDeviceIds(nodePublicKey: string): string[] {
  return Array.from({ length: DEMO_DEVICES }, (_, number) =>
    bytesToHex(publicKeyOf(demoDeviceSeed(nodePublicKey, number))),
  );
}
