import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';

/** An address of this machine on one of its networks, as other machines there reach it. */
export interface OwnAddress {
  readonly address: string;
  /** The network interface by the system's name for it. */
  readonly interface: string;
  /** `internet`: an address that is routed worldwide. */
  readonly scope: 'lan' | 'internet';
}

/** Addresses that no router passes on to the internet: RFC 1918, 6598, 3927, 4193. */
const LAN = new BlockList();
LAN.addSubnet('10.0.0.0', 8, 'ipv4');
LAN.addSubnet('172.16.0.0', 12, 'ipv4');
LAN.addSubnet('192.168.0.0', 16, 'ipv4');
LAN.addSubnet('100.64.0.0', 10, 'ipv4');
LAN.addSubnet('169.254.0.0', 16, 'ipv4');
LAN.addSubnet('fc00::', 7, 'ipv6');

/** This machine's addresses, without those that only hold on one link. */
export function ownAddresses(): OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address, family }) => {
        const isLan = LAN.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4');
        return { address, interface: name, scope: isLan ? ('lan' as const) : ('internet' as const) };
      }),
  );
}
