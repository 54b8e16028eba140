import { networkInterfaces } from 'node:os';

/** An IPv4 address of this machine that is not loopback, or null where it has none. */
export function outsideAddress(): string | null {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { address, family, internal } of addresses ?? []) {
      if (family === 'IPv4' && !internal) return address;
    }
  }
  return null;
}
