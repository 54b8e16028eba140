/** About 2 MB in two generations: the full buffers of eighty devices. */
const MAX_PER_GENERATION = 2048;

/**
 * Recently verified signatures of blocks that were sent again. A device that does not receive its 200 resends the same
 * blocks every minute, and most of their cost would be the repeated check. New blocks are not remembered: that would
 * cost more than it saves.
 */
export class VerifiedSignatures {
  /** Public key, signature and message, one character per byte, by the signature in lowercase hex. */
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  /** Whether nothing is remembered: then the caller need not build the input of `has`. */
  get isEmpty(): boolean {
    return this.#young.size === 0;
  }

  /** Returns whether exactly this key, signature and message were verified before. */
  has(signature: string, check: string): boolean {
    const key = signature.toLowerCase();
    return (this.#young.get(key) ?? this.#old.get(key)) === check;
  }

  add(signature: string, check: string): void {
    if (this.#young.size >= MAX_PER_GENERATION) {
      // A whole generation is dropped: deleting the oldest one by one would cost more than the lookup saves.
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(signature, check);
  }
}
