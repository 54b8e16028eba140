import { networkInterfaces } from 'node:os';

/** Whether this machine has an address just now. The zone of a link-local one names its interface. */
export function isOwnAddress(address: string): boolean {
  const [plain, zone] = address.split('%', 2);
  return Object.entries(networkInterfaces()).some(([name, list]) =>
    (list ?? []).some((each) => {
      if (each.address === plain) return zone === undefined || zone === name || zone === String(each.scopeid);
      // The whole of 127/8 is this machine's own.
      return plain!.startsWith('127.') && each.internal && each.family === 'IPv4';
    }),
  );
}
