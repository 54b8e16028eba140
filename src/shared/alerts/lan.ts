// What is on this machine or in its neighbourhood, by the name alone: nobody is asked.

/** Names that the public DNS never answers, and that routers give to what is in the house. */
const LAN_NAMES = /(?:^|\.)(?:localhost|local|lan|home|internal|intranet|home\.arpa|localdomain)$/;

/** Whether a host, as it stands in a URL, is this machine or lies in a private network. */
export function isOnLan(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  if (name.includes(':')) return isPrivateV6(name);
  const parts = name.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) {
    return isPrivateV4(parts.map(Number));
  }
  return parts.length === 1 || LAN_NAMES.test(name);
}

/** Loopback, private (RFC 1918), link-local, and those of a carrier or an overlay network (RFC 6598). */
function isPrivateV4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 10 || a === 127) return true;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 192) return b === 168;
  if (a === 169) return b === 254;
  return a === 100 && b >= 64 && b < 128;
}

/** Loopback, unique local, link-local, or an IPv4 address that is one of those. */
function isPrivateV6(address: string): boolean {
  if (address === '::1') return true;
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/.exec(address);
  if (mapped?.[1] !== undefined) return isPrivateV4(mapped[1].split('.').map(Number));
  if (mapped !== null) {
    const high = Number.parseInt(mapped[2]!, 16);
    return isPrivateV4([high >> 8, high & 255]);
  }
  return /^(?:f[cd]|fe[89ab])/.test(address);
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
