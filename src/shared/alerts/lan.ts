import { isPrivateAddress } from '../private-address.ts';

// What is on this machine or in its neighbourhood, by the name alone: nobody is asked.

/** Names that the public DNS never answers, and that routers give to what is in the house. */
const LAN_NAMES = /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|home\.arpa|localdomain)$/;

/** Whether a host, as it stands in a URL, is this machine or lies in a private network. */
export function isOnLan(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (isPrivateAddress(mappedIPv4(name) ?? name)) return true;
  const isAddress = name.includes(':') || /^[\d.]+$/.test(name);
  return !isAddress && (!name.includes('.') || LAN_NAMES.test(name));
}

/** The IPv4 address that an IPv6 one stands for, `::ffff:10.0.0.1` or, as a URL has it, `::ffff:a00:1`. */
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

/** Whether a URL sends what it carries unencrypted to somewhere beyond this network. */
export function isPlainBeyondLan({
  protocol,
  hostname,
}: {
  readonly protocol: string;
  readonly hostname: string;
}): boolean {
  return protocol === 'http:' && !isOnLan(hostname);
}
