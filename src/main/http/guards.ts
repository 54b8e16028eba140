import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { isPrivateAddress } from '../../shared/private-address.ts';
import type { ErrorText } from '../../shared/protocol/errors.ts';

/**
 * The guards of the local endpoint. It has no authentication, so any web page open on the owner's machine could try to
 * reach it, and a proxy on this machine could bring strangers to it. Devices name it by an address and send none of the
 * headers that tell such requests.
 */

const HOST = /^(\[[^\]]*\]|[^:[\]]+)(?::[0-9]*)?$/;

/**
 * Checks who a request says it is for and where it comes from. Returns what it is refused with, or null.
 * `allowedHosts` are names in lowercase.
 */
export function guardLocalRequest(request: IncomingMessage, allowedHosts: readonly string[]): ErrorText | null {
  const name = hostName(request);
  if (name === null) return 'host_not_allowed';
  const isListed = isListedHost(allowedHosts, name);
  // A public address is where a proxy is reached from the internet, so its owner has to list it.
  if (!isListed && name !== 'localhost' && !isPrivateLiteral(name)) return 'host_not_allowed';
  if (isForwarded(request) && !isListed) return 'forwarded_request';
  return isFromElsewhere(request) ? 'origin_not_allowed' : null;
}

/**
 * The same for the door, which is on a network: it knows no proxy, and a name has to be one of its certificate's. A browser
 * may follow a link to it from anywhere, which brings no cookie along.
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
 * The same for the gate. A browser sends Origin with each POST, whatever name its page reached the gate by, and no device sends
 * it: so no page on the network registers a device of its own while joining is open.
 */
export function guardGateRequest({ method, headers }: IncomingMessage): ErrorText | null {
  return method === 'POST' && headers.origin !== undefined ? 'origin_not_allowed' : null;
}

/** The host that a request names, in lowercase and without the port; null where it names none, or more than one. */
export function hostName({ headers, headersDistinct }: IncomingMessage): string | null {
  if ((headersDistinct.host?.length ?? 0) !== 1) return null;
  return HOST.exec(headers.host ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Whether a host name of a request is the machine itself. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.startsWith('127.') || plainAddress(name) === '::1';
}

/**
 * Whether a host is an IP address. DNS rebinding needs a name, so an address is safe from it (it is also how devices reach a
 * tunnel); 0.0.0.0 and [::] reach loopback from a page on some systems.
 */
export function isLiteral(name: string): boolean {
  const address = plainAddress(name);
  return address !== null && address !== '0.0.0.0' && address !== '::';
}

function isPrivateLiteral(name: string): boolean {
  const address = plainAddress(name);
  return address !== null && isPrivateAddress(address);
}

/** The address of an IP literal in one spelling, an IPv4 address in IPv6 as IPv4; null where it is none. */
function plainAddress(name: string): string | null {
  if (isIPv4(name)) return name;
  if (!name.startsWith('[') || name.includes('%') || !isIPv6(name.slice(1, -1))) return null;
  const address = new URL(`http://${name}/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped === null) return address;
  const [high, low] = mapped.slice(1).map((part) => Number.parseInt(part, 16)) as [number, number];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Whether the owner listed the host of a request. A listed IPv6 address has no brackets, and may be spelt in another way. */
export function isListedHost(allowedHosts: readonly string[], name: string): boolean {
  if (allowedHosts.includes(name)) return true;
  if (!name.startsWith('[')) return false;
  const address = plainAddress(name);
  return allowedHosts.some((each) => each.includes(':') && plainAddress(`[${each}]`) === address);
}

/** The form of a client's address in headers. */
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
 * The headers that proxies and userspace VPNs add when they carry somebody else's request to this machine's loopback
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
    // Whatever else says where a client is: Client-IP, X-Azure-SocketIP, X-Envoy-External-Address, X-Original-Remote-Addr …
    ...['(?:x-)?(?:.*-)?forward(?:ed)?-for', 'x-original-.*'],
    `(?:.*-)?(?:${CLIENTS.join('|')})-?(?:ip|addr|address)`,
  ].join('|')})$`,
);

/** Whether a request was carried by a proxy, as its headers say. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  // Some write underscores.
  for (const name in headers) if (FORWARDED.test(name.replaceAll('_', '-'))) return true;
  return false;
}

/** Whether a browser marks the request as another page's. */
function isFromElsewhere(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin !== undefined && authority(origin) !== authority(`http://${host}`)) return true;
  return request.headers['sec-fetch-site'] === 'cross-site';
}

/** Host and port of a URL, the scheme's own port written out; null where it has none, as in `Origin: null`. */
function authority(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || url.host === '') return null;
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}
