import { isPrivateAddress } from '../private-address.ts';

// Decides by the host name alone whether a server is on this machine or its network; sends no query.

/** Names that the public DNS never resolves. Routers give them to machines of the home network. */
const LAN_NAMES = /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|home\.arpa|localdomain)$/;

/** Returns whether a URL's host is this machine or in a private network. */
export function isOnLan(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (isPrivateAddress(mappedIPv4(name) ?? name)) return true;
  const isAddress = name.includes(':') || /^[\d.]+$/.test(name);
  return !isAddress && (!name.includes('.') || LAN_NAMES.test(name));
}

/** Returns the IPv4 address in an IPv4-mapped IPv6 address: `::ffff:10.0.0.1` or, in a URL, `::ffff:a00:1`. */
function mappedIPv4(address: string): string | null {
  const mapped = /^::ffff:(?:([\d.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(address);
  if (mapped === null) return null;
  const [, dotted, ...groups] = mapped;
  return (
    dotted ??
    groups
      .map((group) => Number.parseInt(group, 16))
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  );
}

/** Returns whether a URL sends its content unencrypted to a server outside this network. */
export function isPlainBeyondLan({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === 'http:' && !isOnLan(hostname);
}
