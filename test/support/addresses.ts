import { networkInterfaces } from 'node:os';

/** Returns an IPv4 address of this machine that is not loopback; null if it has none. */
export function outsideAddress(): string | null {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { address, family, internal } of addresses ?? []) {
      if (family === 'IPv4' && !internal) return address;
    }
  }
  return null;
}
