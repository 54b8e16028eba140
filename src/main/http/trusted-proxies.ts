import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { ErrorText } from '../../shared/protocol/errors.ts';
import { isForwarded } from './guards.ts';

/** The load balancers that a listener believes when they name their client. */
export class TrustedProxies {
  readonly #proxies = new BlockList();

  /** `networks`: addresses, and networks such as 10.0.0.0/8. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(bits), family);
    }
  }

  /** Whether an address is one of them. */
  readonly has = (address: string): boolean => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#proxies.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  };

  /**
   * Refuses a request that somebody else than they forwarded, as it hides who sent it. Of a forwarded one only the client
   * remains in X-Forwarded-For: the address before the last of the proxies, since a client may have written the others.
   */
  readonly guard = (request: IncomingMessage): ErrorText | null => {
    if (!isForwarded(request)) return null;
    if (!this.has(request.socket.remoteAddress ?? '')) return 'forwarded_request';
    const told = String(request.headers['x-forwarded-for'] ?? '').split(',');
    const client = told.map(withoutPort).findLast((address) => !this.has(address)) ?? '';
    // Without a client that can be told, the proxy itself is counted.
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

/** An IPv4 address in IPv6 as IPv4. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
