import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

/** The order of the base point. */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The eight points of small order, as keys. */
export const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
];

/** Non-canonical encodings of the same points: y is not below the field's prime, or there is a sign although x is 0. */
export const NON_CANONICAL = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
];

export function fromLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

export function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** Returns the hash of Ed25519 (RFC 8032, section 5.1.7), not yet reduced. */
export function challenge(r: Uint8Array, key: Uint8Array, message: Uint8Array): bigint {
  return fromLittleEndian(createHash('sha512').update(r).update(key).update(message).digest());
}

/** Returns the secret scalar of a seed (RFC 8032, section 5.1.5). */
export function scalarOf(seed: Uint8Array): bigint {
  const bytes = createHash('sha512').update(seed).digest().subarray(0, 32);
  bytes[0]! &= 248;
  bytes[31] = (bytes[31]! & 127) | 64;
  return fromLittleEndian(bytes);
}

const SECRET = 0x5eedn;
const TORSION = Point.fromHex(SMALL_ORDER[4]!);

/** A key and its signing. `nonce` is the secret of R; it selects one of several signatures, to find a suitable one. */
export interface EdgeKey {
  /** Lowercase hex. */
  readonly key: string;
  readonly sign: (message: Uint8Array, nonce: bigint) => Buffer;
}

const PLAIN = Point.BASE.multiply(SECRET);
const signerOf = (key: Point, torsion: Point): EdgeKey => ({
  key: key.toHex(),
  sign: (message, nonce) => {
    const r = Point.BASE.multiply(nonce).add(torsion).toBytes();
    return Buffer.concat([r, littleEndian((nonce + challenge(r, key.toBytes(), message) * SECRET) % L)]);
  },
});

/** An ordinary key. */
export const PLAIN_KEY = signerOf(PLAIN, Point.ZERO);
/** The same key with an R that has a part of order 8: valid only if both sides are multiplied by the cofactor. */
export const MIXED_R = signerOf(PLAIN, TORSION);
/** A key with a part of order 8: valid without the cofactor only if the challenge modulo L is a multiple of 8. */
export const MIXED_KEY = signerOf(PLAIN.add(TORSION), Point.ZERO);

/**
 * Returns a key of small order, under which anyone can sign: R = S·B fits if the challenge modulo L is a multiple of 8.
 */
export const signedByNobody = (key: string): EdgeKey => ({
  key,
  sign: (_message, nonce) => Buffer.concat([Point.BASE.multiply(nonce).toBytes(), littleEndian(nonce)]),
});

/** Returns the first signature of a message whose challenge is suitable. */
export function signatureWhere(
  { key, sign }: EdgeKey,
  message: Uint8Array,
  isSuitable: (challenge: bigint) => boolean,
): Buffer {
  for (let nonce = 1n; ; nonce += 1n) {
    const signature = sign(message, nonce);
    if (isSuitable(challenge(signature.subarray(0, 32), Buffer.from(key, 'hex'), message))) return signature;
  }
}

/**
 * Returns signatures of a message on which verifiers differ, and whether they are valid by the rule of docs/proof.md.
 */
export function edgeSignatures(message: Uint8Array): {
  readonly what: string;
  readonly key: string;
  readonly signature: Buffer;
  readonly isGood: boolean;
}[] {
  const isFit = (h: bigint) => (h % L) % 8n === 0n;
  const plain = PLAIN_KEY.sign(message, 7n);
  const s = fromLittleEndian(plain.subarray(32));
  const withS = (value: bigint) => Buffer.concat([plain.subarray(0, 32), littleEndian(value)]);
  /** Returns a signature made with the secret key: S = h·a. */
  const withSmallR = (r: string) => {
    const h = challenge(Buffer.from(r, 'hex'), Buffer.from(PLAIN_KEY.key, 'hex'), message);
    return Buffer.concat([Buffer.from(r, 'hex'), littleEndian((h * SECRET) % L)]);
  };
  const of = (what: string, { key }: { readonly key: string }, signature: Buffer, isGood = false) => ({
    ...{ what, key, signature, isGood },
  });
  return [
    of('a signature like any other', PLAIN_KEY, plain, true),
    of('S that is L more', PLAIN_KEY, withS(s + L)),
    of('S with its highest bit', PLAIN_KEY, withS(s + 2n ** 255n)),
    of('R with a part of order 8', MIXED_R, MIXED_R.sign(message, 7n)),
    of(
      'a key with a part of order 8, where it makes no difference',
      MIXED_KEY,
      signatureWhere(MIXED_KEY, message, isFit),
      true,
    ),
    of(
      'a key with a part of order 8, where it makes a difference',
      MIXED_KEY,
      signatureWhere(MIXED_KEY, message, (h) => !isFit(h)),
    ),
    of(
      'a key with a part of order 8, where it makes none before the hash is reduced',
      MIXED_KEY,
      signatureWhere(MIXED_KEY, message, (h) => h % 8n === 0n && !isFit(h)),
    ),
    ...[...SMALL_ORDER, NON_CANONICAL[0]!, NON_CANONICAL[1]!].map((r) => of(`R = ${r}`, PLAIN_KEY, withSmallR(r))),
    ...[...SMALL_ORDER, ...NON_CANONICAL].map((key) =>
      of(`the key ${key}`, { key }, signatureWhere(signedByNobody(key), message, isFit)),
    ),
    of('a key that is no point', { key: `02${'00'.repeat(31)}` }, plain),
  ];
}
