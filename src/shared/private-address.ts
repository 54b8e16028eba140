// Without a schema library: the page where a device is connected needs none.

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`);
const ZONE = /^[\w.-]{1,64}$/;

/**
 * Returns whether this is an address that no router forwards to the internet: 10/8, 172.16/12, 192.168/16, 100.64/10,
 * 169.254/16, fc00::/7, fe80::/10 (with or without its zone), or this machine's own, 127/8 and ::1.
 */
export function isPrivateAddress(text: string): boolean {
  if (IPV4.test(text)) return isPrivateIPv4(text.split('.').map(Number));
  const [address = '', zone, ...more] = text.split('%');
  if (more.length > 0 || (zone !== undefined && !ZONE.test(zone)) || !isIPv6(address)) return false;
  const first = Number.parseInt(address, 16);
  if ((first & 0xffc0) === 0xfe80) return true;
  return zone === undefined && ((first & 0xfe00) === 0xfc00 || /^[0:]+:0{0,3}1$/.test(address));
}

/**
 * Returns whether a host is this machine or on its own network segment: loopback, link-local or the unspecified
 * address.
 */
export function isOwnMachine(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost') || isEveryAddress(name)) return true;
  const mapped = /^(?:::ffff:|0:0:0:0:0:ffff:)(.+)$/.exec(name)?.[1];
  if (mapped !== undefined) return isOwnMachine(mappedIPv4(mapped));
  if (IPV4.test(name)) return /^(?:127|0)\.|^169\.254\./.test(name);
  const [address = ''] = name.split('%');
  return isIPv6(address) && ((Number.parseInt(address, 16) & 0xffc0) === 0xfe80 || /^[0:]+:0{0,3}1$/.test(address));
}

/** Returns the IPv4 address in the last four bytes of an IPv6 address, which URLs write as two groups of hex. */
function mappedIPv4(text: string): string {
  const [high, low] = text.split(':').map((group) => Number.parseInt(group, 16));
  if (high === undefined || low === undefined) return text;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** Returns whether this is an IP address, an IPv6 one with or without its zone. */
export function isAddress(text: string): boolean {
  if (IPV4.test(text)) return true;
  const [address = '', zone, ...more] = text.split('%');
  return more.length === 0 && (zone === undefined || ZONE.test(zone)) && isIPv6(address);
}

/** Returns whether a listening address stands for all addresses of a machine. */
export function isEveryAddress(address: string): boolean {
  return address === '0.0.0.0' || /^[0:]+$/.test(address);
}

function isPrivateIPv4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 10 || a === 127) return true;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 100) return b >= 64 && b < 128;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}

/**
 * Returns whether a text is eight groups of hex, some of which `::` may replace; without an IPv4 address at its end,
 * which no private address has.
 */
function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : groups.length === 8;
}
