/** Some 2 MB in two generations: the whole buffers of eighty devices. */
const MAX_PER_GENERATION = 2048;

/**
 * Signatures that were found good lately, of blocks that were sent again. A device that never sees its 200 sends the very
 * same blocks every minute, and verifying them anew would be most of their cost. Fresh blocks are not remembered: that
 * would cost each of them more than it could ever save.
 */
export class VerifiedSignatures {
  /** Packed checks, a character for each byte, by their signature in lowercase hex. */
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  /** Whether exactly this key, signature and message, packed, were found good before. */
  has(signature: string, packed: Buffer): boolean {
    if (this.#young.size === 0) return false;
    const key = signature.toLowerCase();
    const known = this.#young.get(key) ?? this.#old.get(key);
    return known !== undefined && known === packed.toString('latin1');
  }

  /** Remembers a packed check that was found good; as text, since a small buffer would keep a larger one that it is part of. */
  add(signature: string, packed: Buffer): void {
    if (this.#young.size >= MAX_PER_GENERATION) {
      // Dropped as a whole: deleting the oldest one by one would cost more than the lookup saves.
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(signature.toLowerCase(), packed.toString('latin1'));
  }
}
