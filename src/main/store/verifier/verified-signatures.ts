/** Some 2 MB in two generations: the whole buffers of eighty devices. */
const MAX_PER_GENERATION = 2048;

/**
 * Signatures that were found good lately, of blocks that were sent again. A device that never sees its 200 sends the very
 * same blocks every minute, and checking them again would be most of their cost. Fresh blocks are not remembered: that
 * would cost each of them more than it could ever save.
 */
export class VerifiedSignatures {
  /** Public key, signature and message, a character for each byte, by the signature in lowercase hex. */
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  /** Whether any is remembered: else nobody need make what `has` takes. */
  get isEmpty(): boolean {
    return this.#young.size === 0;
  }

  /** Whether exactly this key, signature and message were found good before. */
  has(signature: string, check: string): boolean {
    const key = signature.toLowerCase();
    return (this.#young.get(key) ?? this.#old.get(key)) === check;
  }

  add(signature: string, check: string): void {
    if (this.#young.size >= MAX_PER_GENERATION) {
      // Dropped as a whole: deleting the oldest one by one would cost more than the lookup saves.
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(signature, check);
  }
}
