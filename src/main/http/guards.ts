import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { isPrivateAddress } from '../../shared/private-address.ts';
import type { ErrorText } from '../../shared/protocol/errors.ts';

/**
 * The guards of the local endpoint. It has no authentication, so any web page that is open on the owner's machine could
 * try to reach it, and a proxy on this machine could forward strangers' requests to it. Devices use an IP address as
 * the host and send none of the headers that mark such requests.
 */

const HOST = /^(\[[^\]]*\]|[^:[\]]+)(?::[0-9]*)?$/;

/**
 * Checks the host and the origin of a request. Returns the error to refuse it with, or null. `allowedHosts` are
 * lowercase names.
 */
export function guardLocalRequest(request: IncomingMessage, allowedHosts: readonly string[]): ErrorText | null {
  const name = hostName(request);
  if (name === null) return 'host_not_allowed';
  const isListed = isListedHost(allowedHosts, name);
  // A proxy can be reached from the internet at a public address, so the owner has to list it.
  if (!isListed && name !== 'localhost' && !isPrivateLiteral(name)) return 'host_not_allowed';
  if (isForwarded(request) && !isListed) return 'forwarded_request';
  return isFromElsewhere(request) ? 'origin_not_allowed' : null;
}

/**
 * The same check for the door, which is on a network. It accepts no proxy, and a host name must be one of its
 * certificate's names. A browser may follow a link to it from any page, since such a request carries no cookie.
 */
export function guardDoorRequest(request: IncomingMessage, isOwnName: (name: string) => boolean): ErrorText | null {
  const name = hostName(request);
  if (name === null || !(isLiteral(name) || name === 'localhost' || (!isIPv4(name) && isOwnName(name)))) {
    return 'host_not_allowed';
  }
  if (isForwarded(request)) return 'forwarded_request';
  const { origin, host } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `https://${host?.toLowerCase()}`) return 'origin_not_allowed';
  if (request.headers['sec-fetch-site'] !== 'cross-site') return null;
  const isLink = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
  return isLink ? null : 'origin_not_allowed';
}

/**
 * The same check for the gate. A browser sends Origin with each POST, under any name of the gate, and devices send
 * none. So no web page on the network can register a device while joining is open.
 */
export function guardGateRequest({ method, headers }: IncomingMessage): ErrorText | null {
  return method === 'POST' && headers.origin !== undefined ? 'origin_not_allowed' : null;
}

/** Returns the host of a request, in lowercase and without the port; null if there is none or more than one. */
export function hostName({ headers, headersDistinct }: IncomingMessage): string | null {
  if ((headersDistinct.host?.length ?? 0) !== 1) return null;
  return HOST.exec(headers.host ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Returns whether the host name of a request is this machine. */
export function isLoopbackName(name: string): boolean {
  const address = plainAddress(name);
  return name === 'localhost' || address === '::1' || address?.startsWith('127.') === true;
}

/**
 * Returns whether a host is an IP address. DNS rebinding needs a name, so an address is safe from it (and devices reach
 * a tunnel by an address). 0.0.0.0 and [::] are excluded: on some systems a page reaches loopback with them.
 */
export function isLiteral(name: string): boolean {
  const address = plainAddress(name);
  return address !== null && address !== '0.0.0.0' && address !== '::';
}

function isPrivateLiteral(name: string): boolean {
  const address = plainAddress(name);
  return address !== null && isPrivateAddress(address);
}

/**
 * Returns the address of an IP literal in one spelling, with IPv4-mapped addresses as IPv4; null if it is not a
 * literal.
 */
function plainAddress(name: string): string | null {
  if (isIPv4(name)) return name;
  if (!name.startsWith('[') || name.includes('%') || !isIPv6(name.slice(1, -1))) return null;
  const address = new URL(`http://${name}/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return address;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * Returns whether the owner listed the host of a request. A listed IPv6 address has no brackets, and may be in another
 * spelling.
 */
export function isListedHost(allowedHosts: readonly string[], name: string): boolean {
  if (allowedHosts.includes(name)) return true;
  if (!name.startsWith('[')) return false;
  const address = plainAddress(name);
  return address !== null && allowedHosts.some((each) => plainAddress(`[${each}]`) === address);
}

/** The words before `ip` or `address` in names of headers that hold a client's address. */
const CLIENTS = [
  ...[
    'client',
    'user',
    'proxyuser',
    'viewer',
    'remote',
    'real',
    'source',
    'src',
    'originating',
    'origin',
    'connecting',
  ],
  ...['connection', 'socket', 'external', 'public', 'peer'],
];

/**
 * The headers that proxies and userspace VPNs add when they forward a client's request to this machine's loopback
 * address.
 */
const FORWARDED = new RegExp(
  `^(?:${[
    ...['forwarded', 'x-forwarded(?:-.*)?', 'x-original-forwarded-.*', 'x-real-ip', 'via', 'cdn-loop'],
    ...[
      'tailscale-.*',
      'cf-.*',
      'cloudfront-.*',
      'x-amz-cf-.*',
      'x-amzn-trace-id',
      'x-arr-.*',
      'x-appengine-.*',
      'x-vercel-.*',
    ],
    // Other headers with a client's address: Client-IP, X-Azure-SocketIP, X-Envoy-External-Address,
    // X-Original-Remote-Addr …
    ...['(?:x-)?(?:.*-)?forward(?:ed)?-for', 'x-original-.*'],
    `(?:.*-)?(?:${CLIENTS.join('|')})-?(?:ip|addr|address)`,
  ].join('|')})$`,
);

/** Returns whether the headers show that a proxy forwarded the request. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  // Some proxies write underscores.
  for (const name in headers) if (FORWARDED.test(name.replaceAll('_', '-'))) return true;
  return false;
}

/** Returns whether a browser marks the request as coming from another site. */
function isFromElsewhere(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined) {
    const from = authority(origin);
    if (from === null || from !== authority(`http://${host}`)) return true;
  }
  return request.headers['sec-fetch-site'] === 'cross-site';
}

/** Returns host and port of a URL, with the default port written out; null if it is no URL, as in `Origin: null`. */
function authority(text: string): string | null {
  const url = URL.parse(text);
  return url && `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}
