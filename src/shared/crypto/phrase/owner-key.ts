import { publicKeyOf } from '../ed25519.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { firmwareSeed, standardSeed } from './derivations.ts';

/** The secret of an owner: a phrase in the spelling of `readPhrase`, or the 32-byte seed itself in hex. */
export type OwnerSecret =
  | { readonly kind: 'phrase'; readonly phrase: string }
  | { readonly kind: 'seed'; readonly seedHex: string };

/** The derivation of a seed from a secret; `seed` if the secret is the seed. */
export type Derivation = 'standard' | 'firmware' | 'seed';

/** One key of an owner. */
export interface OwnerKey {
  readonly derivation: Derivation;
  /** 32 bytes: the Ed25519 seed, which field keys are derived from. */
  readonly seed: Uint8Array;
  /** Lowercase hex, as devices register it (`ownerPubkey`). */
  readonly publicKey: string;
}

/** A secret with every key that it may stand for. */
export interface DerivedOwner {
  /** The secret's id in the keystore. */
  readonly secretId: string;
  /** The standard and the firmware key of a phrase, in this order, or the one key of a seed. */
  readonly keys: readonly OwnerKey[];
}

/** The key that a device belongs to. If `match` is null, `tried` lists the compared keys. */
export interface OwnerMatch {
  readonly match: { readonly secretId: string; readonly key: OwnerKey } | null;
  readonly tried: readonly {
    readonly secretId: string;
    readonly derivation: Derivation;
    readonly publicKey: string;
  }[];
}

/**
 * Derives all keys of a secret. A phrase takes some tens of milliseconds: derive it once and keep the result. Throws if
 * a phrase does not have 12, 15, 18, 21 or 24 words, and if a seed is not 64 hex digits; the errors do not quote the
 * secret.
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
