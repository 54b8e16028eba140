import { publicKeyOf } from '../ed25519.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { firmwareSeed, standardSeed } from './derivations.ts';

/** The secret that an owner keeps: a phrase, spelled as `readPhrase` gives it, or the 32-byte seed itself in hex. */
export type OwnerSecret =
  | { readonly kind: 'phrase'; readonly phrase: string }
  | { readonly kind: 'seed'; readonly seedHex: string };

/** The derivation of a seed from a secret; `seed` if it is the secret itself. */
export type Derivation = 'standard' | 'firmware' | 'seed';

/** One key of an owner. */
export interface OwnerKey {
  readonly derivation: Derivation;
  /** 32 bytes: the Ed25519 seed, and what field keys are derived from. */
  readonly seed: Uint8Array;
  /** Lowercase hex, as devices register it (`ownerPubkey`). */
  readonly publicKey: string;
}

/** A secret with every key that may be meant by it. */
export interface DerivedOwner {
  /** The secret's id in the keystore. */
  readonly secretId: string;
  /** Standard and firmware of a phrase, in this order; one of a seed. */
  readonly keys: readonly OwnerKey[];
}

/** Which key a device belongs to; with none, `tried` says what was compared. */
export interface OwnerMatch {
  readonly match: { readonly secretId: string; readonly key: OwnerKey } | null;
  readonly tried: readonly {
    readonly secretId: string;
    readonly derivation: Derivation;
    readonly publicKey: string;
  }[];
}

/**
 * Derives a secret both ways. It takes some tens of milliseconds for a phrase: derive once and keep the result. Throws
 * on a phrase of another length than 12, 15, 18, 21 or 24 words and on a seed that is not 64 hex digits; the errors quote
 * nothing of the secret.
 */
export function deriveOwner(secretId: string, secret: OwnerSecret): DerivedOwner {
  if (secret.kind === 'seed') {
    if (!/^[0-9a-fA-F]{64}$/.test(secret.seedHex)) throw new RangeError('a seed is 64 hex digits');
    return { secretId, keys: [ownerKey('seed', hexToBytes(secret.seedHex))] };
  }
  const { phrase } = secret;
  return {
    secretId,
    keys: [ownerKey('standard', standardSeed(phrase)), ownerKey('firmware', firmwareSeed(phrase))],
  };
}

/** Finds the key whose public key is a device's `ownerPubkey` (hex of any case). */
export function matchOwner(owners: readonly DerivedOwner[], ownerPubkey: string): OwnerMatch {
  const wanted = ownerPubkey.toLowerCase();
  const all = owners.flatMap(({ secretId, keys }) => keys.map((key) => ({ secretId, key })));
  return {
    match: all.find(({ key }) => key.publicKey === wanted) ?? null,
    tried: all.map(({ secretId, key: { derivation, publicKey } }) => ({ secretId, derivation, publicKey })),
  };
}

/** Overwrites the seeds of an owner that is no longer needed. */
export function wipeOwner(owner: DerivedOwner): void {
  for (const { seed } of owner.keys) seed.fill(0);
}

function ownerKey(derivation: Derivation, seed: Uint8Array): OwnerKey {
  return { derivation, seed, publicKey: bytesToHex(publicKeyOf(seed)) };
}
