import { createPrivateKey, createPublicKey, sign as opensslSign, randomBytes, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import vectors from '../../../../test/vectors.json' with { type: 'json' };
import { sign as bareSign, publicKeyOf } from '../ed25519.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { createPhraseIn, LANGUAGES } from './languages.ts';
import { deriveOwner, matchOwner, signChallenge, verifyChallenge, wipeOwner } from './owner-key.ts';

const phrase = { kind: 'phrase', phrase: vectors.mnemonic } as const;
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('matchOwner', () => {
  const spanish = { kind: 'phrase', phrase: vectors.otherLanguages[0]!.mnemonic } as const;
  const seed = { kind: 'seed', seedHex: 'A5'.repeat(32) } as const;
  const owners = [deriveOwner('english', phrase), deriveOwner('spanish', spanish), deriveOwner('seed', seed)];
  const ofSpanish = vectors.otherLanguages[0]!;

  it.each([
    ['english', 'standard', vectors.standardDerivation.publicKey],
    ['english', 'firmware', vectors.firmwareDerivation.publicKey],
    ['spanish', 'standard', ofSpanish.standardDerivation.publicKey],
    ['spanish', 'firmware', ofSpanish.firmwareDerivation.publicKey.toUpperCase()],
    ['seed', 'seed', bytesToHex(publicKeyOf(new Uint8Array(32).fill(0xa5)))],
  ])('finds the secret %s by its %s derivation', (secretId, derivation, ownerPubkey) => {
    const { match } = matchOwner(owners, ownerPubkey);
    expect([match?.secretId, match?.key.derivation]).toEqual([secretId, derivation]);
    expect(bytesToHex(publicKeyOf(match!.key.seed))).toBe(ownerPubkey.toLowerCase());
  });

  it('finds none of a stranger, and shows every public key that it tried', () => {
    const { match, tried } = matchOwner(owners, 'ee'.repeat(32));
    expect(match).toBeNull();
    expect(tried.map(({ secretId, derivation }) => `${secretId} ${derivation}`)).toEqual([
      'english standard',
      'english firmware',
      'spanish standard',
      'spanish firmware',
      'seed seed',
    ]);
    expect(tried[1]!.publicKey).toBe(vectors.firmwareDerivation.publicKey);
  });

  it.each(LANGUAGES)('finds a device that made its own phrase in %s', async (language) => {
    const made = { kind: 'phrase', phrase: await createPhraseIn(language) } as const;
    const owner = deriveOwner('made', made);
    const { match } = matchOwner([...owners, owner], owner.keys[1]!.publicKey);
    expect(match).toMatchObject({ secretId: 'made', key: { derivation: 'firmware' } });
  });
});

describe('deriveOwner', () => {
  it.each(['', 'ab', 'zz'.repeat(32), 'ab'.repeat(33)])('refuses the seed %j without quoting it', (seedHex) => {
    expect(() => deriveOwner('x', { kind: 'seed', seedHex })).toThrow(/^a seed is 64 hex digits$/);
  });

  it('is wiped on request', () => {
    const owner = deriveOwner('x', phrase);
    wipeOwner(owner);
    expect(owner.keys.map(({ seed }) => bytesToHex(seed))).toEqual(['00'.repeat(32), '00'.repeat(32)]);
  });
});

describe('the answer to a challenge', () => {
  const nodeKey = new Uint8Array(32).fill(5);
  const of = (random: Uint8Array) => ({ nodeKey, random });
  const signed = (random: Uint8Array) =>
    Buffer.concat([Buffer.from('wellhouse owner challenge v1\0'), nodeKey, random]);

  it('is the known one', () => {
    // Made with Python's cryptography package.
    const known =
      '17fab365d54dfca3c24bc0cdc06a9f94f28bb607720131c4e35471ee90a36d3aa5ccf364571c498279c300fd4f93e6f85791479e41ef8a29f3c1c32b81110106';
    const answer = signChallenge(new Uint8Array(32).fill(7), of(new Uint8Array(32).fill(9)));
    expect(bytesToHex(answer)).toBe(known);
  });

  it('verifies under OpenSSL and here, for any seed and challenge', () => {
    fc.assert(
      fc.property(bytes32, bytes32, (seed, random) => {
        const answer = signChallenge(seed, of(random));
        const key = publicKeyOf(seed);
        const x = Buffer.from(key).toString('base64url');
        const openssl = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
        expect(verify(null, signed(random), openssl, answer)).toBe(true);
        expect(verifyChallenge(key, of(random), answer)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('by OpenSSL verifies here', () => {
    const seed = randomBytes(32);
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const random = randomBytes(32);
    const answer = opensslSign(null, signed(random), createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
    expect(verifyChallenge(publicKeyOf(seed), of(random), answer)).toBe(true);
  });

  it('fits no other challenge, node, key or altered signature, and no bare 32 bytes', () => {
    const seed = new Uint8Array(32).fill(7);
    const random = new Uint8Array(32).fill(9);
    const answer = signChallenge(seed, of(random));
    const key = publicKeyOf(seed);
    expect(verifyChallenge(key, of(random.with(31, 0)), answer)).toBe(false);
    expect(verifyChallenge(key, { nodeKey: nodeKey.with(0, 6), random }, answer)).toBe(false);
    expect(verifyChallenge(publicKeyOf(random), of(random), answer)).toBe(false);
    expect(verifyChallenge(key, of(random), bareSign(random, seed))).toBe(false);
    for (let at = 0; at < 64; at += 1) {
      expect(verifyChallenge(key, of(random), answer.with(at, answer[at]! ^ 1))).toBe(false);
    }
  });

  it('is refused under a small-order key, where one signature fits every challenge', () => {
    const identity = new Uint8Array(32).with(0, 1);
    const forged = new Uint8Array(64).with(0, 1);
    expect(verifyChallenge(identity, of(new Uint8Array(32).fill(3)), forged)).toBe(false);
  });

  it('is made and taken for 32 bytes only', () => {
    const seed = new Uint8Array(32);
    const random = new Uint8Array(32);
    for (const length of [0, 31, 33, 64]) {
      const wrong = new Uint8Array(length);
      for (const challenge of [of(wrong), { nodeKey: wrong, random }]) {
        expect(() => signChallenge(seed, challenge)).toThrow(RangeError);
        expect(verifyChallenge(publicKeyOf(seed), challenge, new Uint8Array(64))).toBe(false);
      }
    }
    expect(() => signChallenge(hexToBytes('00'), of(random))).toThrow(RangeError);
    expect(verifyChallenge(new Uint8Array(31), of(random), new Uint8Array(64))).toBe(false);
    expect(verifyChallenge(publicKeyOf(seed), of(random), new Uint8Array(63))).toBe(false);
  });
});
