/**
 * Returns the key of an address for limits: an IPv6 host has a whole /64 network, and an IPv4 address may be written as
 * IPv6.
 */
export function clientKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [plain = ''] = address.split('%');
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length;
    groups.push(...Array.from({ length: Math.max(0, 8 - groups.length - after) }, () => '0'));
    if (tail !== '') groups.push(...tail.split(':'));
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
