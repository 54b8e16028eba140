/** More addresses than a household uses. The one that was used longest ago is dropped first. */
const MAX_KNOWN = 200;

/**
 * The addresses of authenticated clients. Strangers that flood a listener from many addresses, or from the /64 network
 * of a phone, must not keep such a client out. Here an IPv6 address counts as a whole.
 */
export class KnownAddresses {
  /** In order of use. */
  readonly #known = new Set<string>();

  has(address: string): boolean {
    return this.#known.has(address);
  }

  add(address: string): void {
    this.#known.delete(address);
    this.#known.add(address);
    const [oldest] = this.#known;
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest!);
  }
}
