import { isIP, SocketAddress } from 'node:net';
import { isPrivateAddress } from '../../../shared/private-address.ts';

// The names that an authority may sign for: RFC 5280, 4.2.1.10. Clients that trust it refuse certificates for other
// names.

export const NAME_CONSTRAINTS = '2.5.29.30';

/** The domains of home networks, with all names below them; no public name ends in one. */
const DOMAINS = ['local', 'lan', 'home.arpa', 'localhost'];
/** The ranges of `isPrivateAddress`. */
const RANGES = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '127.0.0.0/8'],
  ...['fc00::/7', 'fe80::/10', '::1/128'],
];

const SEQUENCE = 0x30;
const PERMITTED = 0xa0;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

/** Returns whether the authority of a node with these names and addresses may sign for a name or address. */
export function isPermitted(name: string, own: readonly string[]): boolean {
  if (own.includes(name)) return true;
  if (isIP(name) !== 0) return isPrivateAddress(name);
  return DOMAINS.some((domain) => name === domain || name.endsWith(`.${domain}`));
}

/** Returns the value of the extension in DER. */
export function permittedSubtrees(own: readonly string[]): Uint8Array<ArrayBuffer> {
  const names = own.filter((name) => !isPermitted(name, []));
  const hosts = names.filter((name) => isIP(name) === 0);
  const addresses = names.flatMap((name) => (isIP(name) === 0 ? [] : [`${name}/${isIP(name) === 4 ? 32 : 128}`]));
  const subtrees = [
    ...[...DOMAINS, ...hosts].map((name) => encoded(SEQUENCE, encoded(DNS_NAME, Buffer.from(name, 'latin1')))),
    ...[...RANGES, ...addresses].map((range) => encoded(SEQUENCE, encoded(IP_ADDRESS, addressAndMask(range)))),
  ];
  return new Uint8Array(encoded(SEQUENCE, encoded(PERMITTED, Buffer.concat(subtrees))));
}

function encoded(tag: number, value: Uint8Array): Buffer {
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function addressAndMask(range: string): Buffer {
  const [address = '', prefix] = range.split('/');
  const bytes = addressBytes(address);
  const mask = bytes.map((_, index) => 0xff00 >> Math.min(8, Math.max(0, Number(prefix) - index * 8)));
  return Buffer.concat([bytes, mask]);
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The last four bytes may be in IPv4 notation; SocketAddress normalizes that.
  const [head = '', tail = ''] = new SocketAddress({ address, family: 'ipv6' }).address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = groups(tail);
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
