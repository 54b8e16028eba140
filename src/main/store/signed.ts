import {
  type Composed,
  type Composition,
  compose,
  compositionOf,
  isComposition,
} from '../../shared/protocol/composition.ts';

/** The raw string of a reading that a device signed, and its signature. */
export interface Signed {
  /** 64 bytes. */
  readonly signature: Uint8Array;
  /** The bytes that were signed. */
  readonly raw: Uint8Array;
}

/** A raw string as a store keeps it: the number of its composition, or its bytes where it has none that is known. */
export type KeptRaw = Composition | Uint8Array;

/** The raw string of a reading in the form in which it is kept. */
export function keptRawOf(raw: Buffer, reading: Composed): KeptRaw {
  return compositionOf(raw.toString('latin1'), reading) ?? raw;
}

/**
 * Returns the signed raw string of a stored reading; null if the store kept no signature. `kept` and `signature` are as the store has
 * them.
 */
export function signedOf(signature: unknown, kept: unknown, reading: Composed): Signed | null {
  if (!(signature instanceof Uint8Array)) return null;
  const composition = typeof kept === 'bigint' ? Number(kept) : kept;
  if (isComposition(composition)) return { signature, raw: Buffer.from(compose(composition, reading), 'latin1') };
  return kept instanceof Uint8Array ? { signature, raw: kept } : null;
}
