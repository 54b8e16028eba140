import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
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
  if (!isHostAllowed(request, allowedHosts)) return 'host_not_allowed';
  if (isForwarded(request) && !allowedHosts.includes(hostName(request)!)) return 'forwarded_request';
  return isFromElsewhere(request) ? 'origin_not_allowed' : null;
}

/**
 * The same for the door, which is on a network: it knows no proxy, and a name has to be one of its certificate's. A browser
 * may follow a link to it from anywhere, which brings no cookie along.
 */
export function guardDoorRequest(request: IncomingMessage, isOwnName: (name: string) => boolean): ErrorText | null {
  const name = hostName(request);
  if (!isHostAllowed(request, name !== null && !isIPv4(name) && isOwnName(name) ? [name] : [])) {
    return 'host_not_allowed';
  }
  if (isForwarded(request)) return 'forwarded_request';
  const { origin, host } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `https://${host?.toLowerCase()}`) return 'origin_not_allowed';
  if (request.headers['sec-fetch-site'] !== 'cross-site') return null;
  const isLink = request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate';
  return isLink ? null : 'origin_not_allowed';
}

/** The host that a request names, in lowercase and without the port; null where it names none, or more than one. */
function hostName({ headers, headersDistinct }: IncomingMessage): string | null {
  if ((headersDistinct.host?.length ?? 0) !== 1) return null;
  return HOST.exec(headers.host ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * DNS rebinding needs a name, so an IP literal is safe (it is also how devices reach a tunnel); 0.0.0.0 and [::] reach
 * loopback from a page on some systems.
 */
function isHostAllowed(request: IncomingMessage, allowedHosts: readonly string[]): boolean {
  const name = hostName(request);
  if (name === null) return false;
  if (name.startsWith('[')) return isIPv6(name.slice(1, -1)) && !name.includes('%') && !isUnspecifiedIPv6(name);
  if (isIPv4(name)) return name !== '0.0.0.0';
  return name === 'localhost' || allowedHosts.includes(name);
}

/** Every spelling of ::, also as an IPv4-mapped 0.0.0.0. */
function isUnspecifiedIPv6(literal: string): boolean {
  const canonical = new URL(`http://${literal}/`).hostname;
  return canonical === '[::]' || canonical === '[::ffff:0:0]';
}

/** What proxies and userspace VPNs add when they carry a request of somebody else's to this machine's loopback address. */
const FORWARDED = new RegExp(
  `^(?:${[
    ...['forwarded', 'x-forwarded(?:-.*)?', 'x-original-forwarded-.*', 'x-real-ip', 'via', 'cdn-loop'],
    ...['(?:true|x|x-cluster|fly)-client-ip', 'tailscale-.*', 'cf-.*'],
  ].join('|')})$`,
);

function isForwarded({ headers }: IncomingMessage): boolean {
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
