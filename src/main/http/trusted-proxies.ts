import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { ErrorText } from '../../shared/protocol/errors.ts';
import { isForwarded } from './guards.ts';

/** The load balancers whose X-Forwarded-For header a listener trusts. */
export class TrustedProxies {
  readonly #proxies = new BlockList();

  /** `networks` are addresses, and networks such as 10.0.0.0/8. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(bits), family);
    }
  }

  /** Returns whether an address is a trusted proxy. */
  readonly has = (address: string): boolean => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#proxies.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };

  /**
   * Refuses a request that an untrusted proxy forwarded, since it hides the sender. In X-Forwarded-For of a trusted one
   * only the client is kept: the last address that is not a trusted proxy, since a client may have written the
   * addresses before it.
   */
  readonly guard = (request: IncomingMessage): ErrorText | null => {
    if (!isForwarded(request)) return null;
    if (!this.has(request.socket.remoteAddress ?? '')) return 'forwarded_request';
    const told = String(request.headers['x-forwarded-for'] ?? '').split(',');
    const client = told.map(withoutPort).findLast((address) => !this.has(address)) ?? '';
    // If the client is unknown, the proxy's own address counts.
    if (isIP(client) === 0) delete request.headers['x-forwarded-for'];
    else request.headers['x-forwarded-for'] = client;
    return null;
  };
}

function withoutPort(text: string): string {
  const told = text.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(told) ?? [];
  return plainAddress(bracketed ?? plain ?? told);
}

/** Returns an IPv4-mapped IPv6 address as IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
