import { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '../../../shared/private-address.ts';

/** An address of this machine on one of its networks, for other machines there. */
export interface OwnAddress {
  readonly address: string;
  /** The system's name of the network interface. */
  readonly interface: string;
  /** `internet`: an address that is routed worldwide. */
  readonly scope: 'lan' | 'internet';
}

/** Returns this machine's addresses, without link-local ones. */
export function ownAddresses(): OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address }) => ({ address, interface: name, scope: isPrivateAddress(address) ? 'lan' : 'internet' })),
  );
}

/** The names of networks inside this machine, as container runtimes and virtual machines make them. */
const VIRTUAL = /^(?:docker|podman|cni|veth|br-|virbr|lxc|lxd|vmnet|vboxnet|bridge\d|vEthernet|VMware|VirtualBox)/i;

/**
 * Returns this machine's addresses, those first that others most likely reach: IPv4 of a LAN, of a tunnel, of networks
 * inside this machine, then IPv6.
 */
export function sortedAddresses(): OwnAddress[] {
  const rank = ({ address, interface: name }: OwnAddress): number => {
    if (address.includes(':')) return 4;
    if (address.startsWith('169.254.')) return 3;
    if (VIRTUAL.test(name)) return 2;
    return /^(?:192\.168|10)\./.test(address) ? 0 : 1;
  };
  return ownAddresses().sort((one, other) => rank(one) - rank(other));
}
