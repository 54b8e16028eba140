import { networkInterfaces } from 'node:os';
import { isPrivateAddress } from '../../../shared/private-address.ts';

/** An address of this machine on one of its networks, as other machines there reach it. */
export interface OwnAddress {
  readonly address: string;
  /** The network interface by the system's name for it. */
  readonly interface: string;
  /** `internet`: an address that is routed worldwide. */
  readonly scope: 'lan' | 'internet';
}

/** This machine's addresses, without those that only hold on one link. */
export function ownAddresses(): OwnAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? [])
      .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
      .map(({ address }) => ({ address, interface: name, scope: isPrivateAddress(address) ? 'lan' : 'internet' })),
  );
}

/** Networks that are inside this machine, as container runtimes and virtual machines name them. */
const VIRTUAL = /^(?:docker|podman|cni|veth|br-|virbr|lxc|lxd|vmnet|vboxnet|bridge\d|vEthernet|VMware|VirtualBox)/i;

/**
 * This machine's addresses, those first that others can be expected to reach: IPv4 of a LAN, of a tunnel, of this machine's
 * inside, then IPv6.
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
