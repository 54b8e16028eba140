/** Returns an address and a port in the form of a URL: IPv6 in brackets, its zone escaped (RFC 6874). */
export function hostPort(address: string, port: number): string {
  return `${hostOf(address)}:${port}`;
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address.replace('%', '%25')}]` : address;
}
