/** An address and a port as they stand in a URL: IPv6 in brackets, its zone escaped (RFC 6874). */
export function hostPort(address: string, port: number): string {
  return `${hostOf(address)}:${port}`;
}

function hostOf(address: string): string {
  return address.includes(':') ? `[${address.replace('%', '%25')}]` : address;
}
