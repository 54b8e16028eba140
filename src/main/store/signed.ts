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

/** The stored form of a raw string: the number of its composition, or its bytes if no known composition matches. */
export type KeptRaw = Composition | Uint8Array;

/** Returns the stored form of a reading's raw string. */
export function keptRawOf(raw: Buffer, reading: Composed): KeptRaw {
  return compositionOf(raw.toString('latin1'), reading) ?? raw;
}

/**
 * Returns the signed raw string of a stored reading; null if the store has no signature. `kept` and `signature` are the
 * values of the store's columns.
 */
export function signedOf(signature: unknown, kept: unknown, reading: Composed): Signed | null {
  if (!(signature instanceof Uint8Array)) return null;
  const composition = typeof kept === 'bigint' ? Number(kept) : kept;
  if (isComposition(composition)) return { signature, raw: Buffer.from(compose(composition, reading), 'latin1') };
  return kept instanceof Uint8Array ? { signature, raw: kept } : null;
}
