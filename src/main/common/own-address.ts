import { networkInterfaces } from 'node:os';

/** Returns whether this machine has an address now. The zone of a link-local address names its interface. */
export function isOwnAddress(address: string): boolean {
  const [plain, zone] = address.split('%', 2);
  return Object.entries(networkInterfaces()).some(([name, list]) =>
    (list ?? []).some((each) => {
      if (each.address === plain) return zone === undefined || zone === name || zone === String(each.scopeid);
      // All of 127/8 belongs to this machine.
      return plain!.startsWith('127.') && each.internal && each.family === 'IPv4';
    }),
  );
}
