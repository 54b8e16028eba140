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
