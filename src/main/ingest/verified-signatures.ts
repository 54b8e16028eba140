import type { SignatureCheck } from './signature-packing.ts';

/** Some 2 MB in two generations: the whole buffers of eighty devices. */
const MAX_PER_GENERATION = 2048;

/**
 * Signatures that were found good lately, of blocks that were sent again. A device that never sees its 200 sends the very
 * same blocks every minute, and verifying them anew would be most of their cost. Fresh blocks are not remembered: that
 * would cost each of them more than it could ever save.
 */
export class VerifiedSignatures {
  #young = new Map<string, SignatureCheck>();
  #old = new Map<string, SignatureCheck>();

  /** Whether exactly this key, signature and message were found good before. */
  has({ publicKey, signature, message }: SignatureCheck): boolean {
    const known = this.#young.get(signature) ?? this.#old.get(signature);
    return known !== undefined && known.message === message && known.publicKey.equals(publicKey);
  }

  /** Remembers a check that was found good. */
  add(check: SignatureCheck): void {
    if (this.#young.size >= MAX_PER_GENERATION) {
      // Dropped as a whole: deleting the oldest one by one would cost more than the lookup saves.
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(check.signature, check);
  }
}
