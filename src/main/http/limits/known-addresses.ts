/** More than a household uses in a while; the one that was used longest ago is forgotten first. */
const MAX_KNOWN = 200;

/**
 * The addresses from which somebody was let in. Strangers who flood a listener from many addresses, or from the /64 of a
 * phone, must not keep such a one out. Addresses count whole here.
 */
export class KnownAddresses {
  /** In the order of use. */
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
