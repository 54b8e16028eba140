import { z } from 'zod';

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();

/**
 * Whether this is an address that no router passes on to the internet: 10/8, 172.16/12, 192.168/16, 100.64/10, 169.254/16,
 * fc00::/7, fe80::/10 (with its zone or without), or this machine's own, 127/8 and ::1.
 */
export function isPrivateAddress(text: string): boolean {
  if (ipv4.safeParse(text).success) return isPrivateIPv4(text.split('.').map(Number));
  const [address = '', zone] = text.split('%', 2);
  if (zone !== undefined && !/^[\w.-]{1,64}$/.test(zone)) return false;
  if (text.split('%').length > 2 || !ipv6.safeParse(address).success) return false;
  const first = Number.parseInt(address, 16);
  if ((first & 0xffc0) === 0xfe80) return true;
  return zone === undefined && ((first & 0xfe00) === 0xfc00 || /^[0:]+:0{0,3}1$/.test(address));
}

function isPrivateIPv4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 10 || a === 127) return true;
  if (a === 172) return b >= 16 && b < 32;
  if (a === 100) return b >= 64 && b < 128;
  return (a === 192 && b === 168) || (a === 169 && b === 254);
}
